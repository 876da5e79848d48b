// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SQLiteBridge
import SignetPlatform
import SignetVault
import SignetVaultTesting
import TestPrograms
import TestSupport
import Testing

@Suite("Reserved room is there for the next write") struct RoomTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private var logByteCount: Int64 { PrivatePlace.logByteCount(ofFileAt: folder.file()) }

    private func value(_ letter: String, _ byteCount: Int) -> SecretValue {
        SecretValue(String(repeating: letter, count: byteCount))
    }

    static func onDisk(_ words: [String], disk: String) throws -> (Int32, String) {
        let mounting = #"mount -t tmpfs -o size=2m,mode=0700 none "$0" && exec "$@""#
        let outcome = try ChildProgram.run(
            "/usr/bin/unshare",
            (geteuid() == 0 ? ["-m"] : ["-rm"]) + ["sh", "-c", mounting, disk] + words)
        return (outcome.status, outcome.text + outcome.complaint)
    }

    static let canMount = (try? onDisk(["true"], disk: "/mnt").0) == 0

    @Test(
        "With a disk filled to the last byte, a write into reserved room succeeds at every free size",
        .enabled(if: canMount, "no file system may be mounted here"))
    func fullDisk() throws {
        let (status, said) = try Self.onDisk([Worker.path, "room", folder.path], disk: folder.path)
        #expect(status == 0)
        #expect(said.split(separator: "\n").count { $0.contains("all written") } == 2, "\(said)")
        print(said, terminator: "")
    }

    @Test(
        "A write over a value as large leaves the log as long as it was",
        arguments: [0, 1000, 16_000, 100_000, 1_000_000], [false, true])
    func length(byteCount: Int, hasReader: Bool) throws {
        let vault = try folder.vault()
        try vault.put(
            (0..<500).map { NewItem(key: ItemKey("other \($0)"), value: value("o", 300)) })
        let key = ItemKey("a")
        let details = ItemDetails(label: String(repeating: "l", count: 1000))
        try vault.set(value("a", byteCount), for: key, details: details)
        let other = try folder.another()
        func reserveAndWrite() throws {
            try vault.set(value("b", byteCount), for: key)
            try vault.makeRoom(forValueByteCount: byteCount)
            let reserved = logByteCount
            let before = PrivatePlace.LogContent(ofFileAt: folder.file())?.frameCount ?? 0
            try vault.set(value("c", byteCount), for: key)
            #expect(logByteCount == reserved)
            let after = PrivatePlace.LogContent(ofFileAt: folder.file())?.frameCount ?? 0
            print(
                "\(byteCount) bytes: \(hasReader ? after - before : after) frames of",
                (reserved - 32) / 4120 - (hasReader ? before : 0))
            // What is to spare is for others.
            #expect(4120 * after + 32 < reserved)
        }
        if hasReader {
            try other.read { _ in try reserveAndWrite() }
        } else {
            try reserveAndWrite()
        }
        #expect(try vault.entry(key)?.value.text.prefix(1) == (byteCount == 0 ? "" : "c"))
        #expect(try vault.verify().isClean)
    }

    @Test(
        "A reservation is not lost by others' writes and ends, nor by this object's own checkpoints"
    )
    func others() throws {
        let keyFile = folder.file("key")
        let vault = try FileVault.create(
            at: folder.file(), with: KeyFileUnlock.create(at: keyFile), options: .longWaiting)
        try vault.keep("a")
        try vault.makeRoom(forValueByteCount: 20_000)
        let reserved = logByteCount
        #expect(reserved > 100_000)
        for arguments in [["look"], ["set"]] {
            let worker = try Worker(
                arguments + [folder.file(), keyFile] + (arguments == ["set"] ? ["x"] : []))
            #expect(!worker.remainingLines().contains { $0.hasPrefix("error") })
            #expect(logByteCount >= reserved, "\(arguments)")
        }
        let another = try FileVault.open(at: folder.file(), options: .longWaiting)
        try another.unlock(with: KeyFileUnlock(path: keyFile))
        try another.compact()
        another.close()
        #expect(logByteCount >= reserved)
        // The file alone is the vault all the same.
        let copy = try folder.copyAlone()
        let alone = try FileVault.open(at: folder.file(copy))
        try alone.unlock(with: KeyFileUnlock(path: keyFile))
        #expect(try alone.allItems().count == 1 && alone.verify().isClean)
        alone.close()
        // Until the next write.
        try vault.keep("b")
        try vault.compact()
        #expect(logByteCount == 0)
        vault.close()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasPrefix("vault") } == ["vault"])
    }

    @Test(
        "Within exclusive access it lasts until the end, whoever writes", .timeLimit(.minutes(20)))
    func section() async throws {
        let vault = try folder.vault()
        let other = try folder.another()
        try await vault.withExclusiveAccess(to: ItemKey("a"), within: .seconds(3_600)) {
            try await vault.reserveRoom(forValueByteCount: 20_000)
            let reserved = logByteCount
            try await vault.set("1", for: ItemKey("b"))
            try other.compact()
            #expect(logByteCount >= reserved)
            // Another one's reservation comes after this one.
            try await other.reserveRoom(forValueByteCount: 20_000)
            #expect(logByteCount >= 2 * reserved - 100_000)
            try await vault.set("2", for: ItemKey("a"))
            try await other.set("3", for: ItemKey("c"))
            try other.compact()
            #expect(logByteCount >= reserved)
        }
        // While another checkpoint holds the folder, the log keeps its length.
        while logByteCount != 0 { try other.compact() }
    }

    @Test(
        "A process that is killed with a reservation leaves a vault that is whole",
        arguments: [0, 3])
    func killed(writes: Int) throws {
        let keyFile = folder.file("key")
        try FileVault.create(at: folder.file(), with: KeyFileUnlock.create(at: keyFile)).close()
        // Twice: the second finds the log of the first.
        for _ in 0..<2 {
            let worker = try Worker(["reserve", folder.file(), keyFile, "\(writes)"])
            #expect(worker.remainingLines() == ["reserved"])
            #expect(logByteCount > 50_000)
        }
        let vault = try FileVault.open(at: folder.file(), options: .longWaiting)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        #expect(try vault.allItems().count == writes)
        try vault.keep("new")
        #expect(try vault.verify().isClean)
        vault.close()
        #expect(logByteCount == 0)
        #expect(PrivatePlace.identity(ofFileAt: folder.file("vault-wal")) == nil)
    }

    @Test("A child of fork does not keep the lock of a reservation, which has ended")
    func child() throws {
        try folder.vault().close()
        var lock: FolderLock? = try FolderLock(ofFileAt: folder.file(), held: .shared)
        // The child's descriptor, of the same opening.
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let number = try #require(
            numbers.first {
                let path = "/proc/self/fd/\($0)"
                return (try? FileManager.default.destinationOfSymbolicLink(atPath: path))
                    == folder.path
            }.flatMap { Int32($0) })
        let copy = dup(number)
        defer { close(copy) }
        #expect(throws: PrivatePlaceFailure.self) {
            try FolderLock(ofFileAt: folder.file(), held: .alone)
        }
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try FolderLock(ofFileAt: folder.file(), held: .alone)
    }

    @Test("A vault that cannot be written reserves nothing, and says so")
    func refused() async throws {
        let vault = try folder.vault()
        await #expect(throws: StoreError(.tooLarge, "")) {
            try await vault.reserveRoom(forValueByteCount: ItemLimits.value + 1)
        }
        try await vault.reserveRoom(forValueByteCount: -1)
        try vault.lock()
        await #expect(throws: StoreError(.locked, "")) {
            try await vault.reserveRoom(forValueByteCount: 1)
        }
        vault.close()
        var options = VaultOptions.longWaiting
        options.isReadOnly = true
        let reading = try folder.another("vault", options)
        await #expect(throws: StoreError(.readOnly, "")) {
            try await reading.reserveRoom(forValueByteCount: 1)
        }
        // A store that cannot make room says nothing.
        try await InMemoryStore().reserveRoom(forValueByteCount: 1)
    }
}
