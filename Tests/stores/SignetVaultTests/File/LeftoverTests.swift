// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetBase
import SignetVault
import TestSupport
import Testing

@Suite("What a killed export left") struct LeftoverTests {
    let folder: VaultFolder
    let clock = ManualClock()

    init() throws { folder = try VaultFolder() }

    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(".signet-") }
    }

    /// Makes what is there this old by the clock.
    private func age(_ seconds: Double) throws {
        for name in try leftovers() {
            try FileManager.default.setAttributes(
                [
                    .modificationDate: Date(
                        timeIntervalSince1970: clock.now.secondsSince1970 - seconds)
                ],
                ofItemAtPath: folder.file(name))
        }
    }

    @Test(
        "It goes after an hour, and only once no process has it", .timeLimit(.minutes(20)),
        arguments: [false, true])
    func killed(isStopped: Bool) throws {
        let keyFile = folder.file("key")
        let vault = try FileVault.create(at: folder.file(), with: KeyFileUnlock.create(at: keyFile))
        try vault.keep("a")
        vault.close()
        var options = VaultOptions.longWaiting
        options.clock = clock.source
        let worker = try Worker(["export", folder.file(), keyFile, folder.file("out")])
        #expect(worker.line() == "exporting")
        if isStopped { worker.stop() }
        let made = try leftovers()
        #expect(made.contains { $0.hasSuffix(".export") }, "\(made)")
        try age(100_000)
        try FileVault.open(at: folder.file(), options: options).close()
        #expect(try Set(leftovers()) == Set(made))

        worker.kill()
        #expect(worker.remainingLines().isEmpty)
        try age(3600)
        try FileVault.open(at: folder.file(), options: options).close()
        #expect(try Set(leftovers()) == Set(made))
        clock.advance(by: .seconds(1))
        try FileVault.open(at: folder.file(), options: options).close()
        #expect(try leftovers() == [])
    }

    @Test("An export that goes on after an hour is complete")
    func goesOn() throws {
        let keyFile = folder.file("key")
        let vault = try FileVault.create(at: folder.file(), with: KeyFileUnlock.create(at: keyFile))
        try vault.keep("a")
        vault.close()
        let worker = try Worker(["export", folder.file(), keyFile, folder.file("out")])
        #expect(worker.line() == "exporting")
        try age(100_000)
        try FileVault.open(at: folder.file()).close()
        try worker.send("\n\n\n\n")
        #expect(worker.remainingLines().last == "exported")
        #expect(try leftovers() == [])
        let out = try FileVault.open(at: folder.file("out"))
        try out.unlock(with: KeyFileUnlock(path: keyFile))
        #expect(try out.allItems().count == 1)
    }
}
