// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SignetBase
import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("An anchor in a file") struct FileAnchorTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private var path: String { folder.file("anchor") }

    @Test("Processes that share it lose no note of another", .timeLimit(.minutes(20)))
    func processes() throws {
        let count = 100
        let workers = try (0..<3).map { _ in try Worker(["anchor", path, "\(count)"]) }
        for worker in workers {
            let lines = worker.remainingLines()
            #expect(lines.count == 2 && lines.last?.hasPrefix("lower 0 ") == true, "\(lines)")
        }
        let notes = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(notes.count == 3 && notes.allSatisfy { $0.hasSuffix(" \(count)") }, "\(notes)")
    }

    @Test("A process that is killed while it notes leaves it free", .timeLimit(.minutes(20)))
    func killed() throws {
        let anchor = FileAnchor(path: path)
        let id = [UInt8](repeating: 7, count: 16)
        try anchor.advance(vault: id, to: 9)
        for _ in 0..<5 {
            let worker = try Worker(["anchor", path, "100000"])
            #expect(worker.line() == "begun")
            worker.kill()
            _ = worker.remainingLines()
        }
        try anchor.advance(vault: id, to: 10)
        #expect(try anchor.generation(ofVault: id) == 10)
        let notes = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(notes.count == 6, "\(notes)")
    }

    @Test("After 1.5 seconds a lock of others is an error that names them, and the write stays")
    func busy() throws {
        var options = VaultOptions.longWaiting
        options.anchor = FileAnchor(path: path)
        let vault = try folder.vault("vault", options)
        let file = unsafe open(path + ".locks/0", O_RDWR)
        defer { close(file) }
        #expect(flock(file, LOCK_EX) == 0)
        // At least so long: a slow machine waits longer.
        let start = ContinuousClock.now
        let refused = #expect(throws: StoreError.self) {
            try FileAnchor(path: path).advance(vault: vault.id, to: 100)
        }
        #expect(start.duration(to: .now) >= .milliseconds(1500))
        #expect(refused?.code == .busy)
        #expect(refused?.message.contains("Process \(getpid()) ") == true, "\(refused as Any)")

        // Not `busy`, after which a caller might write once more.
        let failure = #expect(throws: StoreError.self) { try vault.keep("a") }
        #expect(failure?.code == .unavailable)
        #expect(failure?.message.hasPrefix("The vault was written") == true)
        #expect(try vault.allItems().count == 1)
        #expect(flock(file, LOCK_UN) == 0)
        try vault.keep("b")
        #expect(try options.anchor?.generation(ofVault: vault.id) == 3)
    }

    @Test("A write of others during an unlock is no rollback", arguments: [false, true])
    func duringUnlock(acceptsRestored: Bool) throws {
        let anchor = FileAnchor(path: path)
        var options = VaultOptions.longWaiting
        options.anchor = anchor
        let other = try folder.vault("vault", options)
        options.acceptsRestored = acceptsRestored
        let vault = try FileVault.open(at: folder.file(), options: options)
        try vault.unlock(with: SlowUnlock { _ = try? other.keep("a") })
        #expect(try vault.allItems().count == 1)
        #expect(try anchor.generation(ofVault: vault.id) == 2)
    }

    @Test("What is no regular file is no anchor: a pipe is not waited for")
    func noFile() throws {
        try folder.vault().close()
        #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        try FileManager.default.createDirectory(
            atPath: folder.file("folder"), withIntermediateDirectories: false)
        for path in [folder.file("pipe"), folder.file("folder"), "/dev/zero"] {
            for isReadOnly in [false, true] {
                var options = VaultOptions.longWaiting
                options.anchor = FileAnchor(path: path)
                options.isReadOnly = isReadOnly
                #expect(throws: StoreError(.insecureFile, ""), "\(path) \(isReadOnly)") {
                    try folder.another("vault", options)
                }
            }
            #expect(throws: StoreError(.insecureFile, ""), "\(path)") {
                try FileAnchor(path: path).generation(ofVault: [1])
            }
        }
    }

    @Test("While others hold its lock, a vault can be unlocked and read")
    func readingBesideLock() throws {
        var options = VaultOptions.longWaiting
        options.anchor = FileAnchor(path: path)
        let vault = try folder.vault("vault", options)
        let file = unsafe open(path + ".locks/0", O_RDWR)
        defer { close(file) }
        #expect(flock(file, LOCK_EX) == 0)
        #expect(try folder.another("vault", options).allItems().isEmpty)
        // Not noted, as the error says.
        #expect(throws: StoreError(.unavailable, "")) { try vault.keep("a") }
        #expect(try folder.another("vault", options).allItems().count == 1)
        #expect(try options.anchor?.generation(ofVault: vault.id) == 1)
        #expect(flock(file, LOCK_UN) == 0)
        _ = try folder.another("vault", options)
        #expect(try options.anchor?.generation(ofVault: vault.id) == 2)
    }

    @Test("A place without locks, or one that others may change, is refused at opening")
    func place() throws {
        try folder.vault().close()
        var options = VaultOptions.longWaiting
        // No file is made there, so none is locked.
        options.anchor = FileAnchor(path: "/proc/anchor")
        #expect(throws: StoreError(.unavailable, "")) {
            try FileVault.open(at: folder.file(), options: options)
        }
        #expect(throws: StoreError(.unavailable, "")) { try folder.vault("new", options) }
        let open = folder.file("open")
        try FileManager.default.createDirectory(
            atPath: open, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o770])
        options.anchor = FileAnchor(path: open + "/anchor")
        #expect(throws: StoreError(.insecureFile, "")) {
            try FileVault.open(at: folder.file(), options: options)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("new")))
        // It is only read.
        options.anchor = FileAnchor(path: "/proc/anchor")
        options.isReadOnly = true
        _ = try folder.another("vault", options)
    }
}

/// Something happens while the key is derived.
private struct SlowUnlock: UnlockMethod {
    let meanwhile: @Sendable () -> Void

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        meanwhile()
        return try VaultFolder.key(1).keyEncryptionKey(for: slot)
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        try VaultFolder.key(1).newSlot(id: id, vaultID: vaultID)
    }
}
