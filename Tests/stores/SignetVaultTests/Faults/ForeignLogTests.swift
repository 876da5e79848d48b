// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetVault
import TestSupport
import Testing

/// A file next to the log of another whose pages all fit: read through the log it is whole, and a
/// different vault than the file.
@Suite("A vault's file next to the log of another")
struct ForeignLogTests {
    private let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private func copy(_ name: String, as other: String) throws {
        try FileManager.default.copyItem(atPath: folder.file(name), toPath: folder.file(other))
    }

    /// The file is refused, and left unchanged.
    private func expectRefused(_ file: String, underLogOf log: String) throws {
        let bytes = try folder.bytes(file)
        folder.put(bytes, try folder.bytes(log + "-wal"), as: "mixed")
        #expect(throws: StoreError(.corrupt, "")) {
            let mixed = try FileVault.open(at: folder.file("mixed"))
            defer { mixed.close() }
            try mixed.unlock(with: VaultFolder.key(1))
        }
        #expect(try folder.bytes("mixed") == bytes)
    }

    @Test("A file under a log of another time is refused", arguments: [1, 40])
    func otherMoment(_ count: Int) throws {
        let origin = try folder.vault("origin")
        for number in 0..<count { try origin.keep("\(number)") }
        origin.close()
        try copy("origin", as: "older")
        let later = try folder.another("origin")
        for number in 0..<3 { try later.keep("later \(number)") }
        later.close()
        try copy("origin", as: "newer")
        try folder.leave(["last"], on: "origin", as: "left")
        let newer = try folder.another("newer")
        for number in 0..<4 { try newer.keep("newer \(number)") }
        newer.close()
        try expectRefused("newer", underLogOf: "left")
        try FileManager.default.removeItem(atPath: folder.file("mixed"))
        try FileManager.default.removeItem(atPath: folder.file("mixed-wal"))
        try expectRefused("older", underLogOf: "left")
    }

    @Test("A file of the same generation with another history is refused")
    func fork() throws {
        let origin = try folder.vault("origin")
        for number in 0..<30 { try origin.keep("\(number)") }
        origin.close()
        try copy("origin", as: "fork")
        for (name, account) in [("origin", "1"), ("fork", "2")] {
            let vault = try folder.another(name)
            try vault.set(SecretValue("another value"), for: ItemKey(account), details: nil)
            vault.close()
        }
        try folder.leave(["3"], on: "origin", as: "left")
        try expectRefused("fork", underLogOf: "left")
    }

    @Test("Another vault's file, opened by the same key, is refused")
    func otherVault() throws {
        try folder.makeUncheckpointed(["a", "b"], as: "left")
        let other = try folder.vault("other")
        try other.keep("c")
        other.close()
        let bytes = try folder.bytes("other")
        folder.put(bytes, try folder.bytes("left-wal"), as: "mixed")
        let mixed = try? FileVault.open(at: folder.file("mixed"))
        #expect(throws: (any Error).self) { try #require(mixed).unlock(with: VaultFolder.key(1)) }
        mixed?.close()
        #expect(try folder.bytes("mixed") == bytes)
    }

    @Test("A salvage waits for the log instead of leaving it out")
    func salvage() throws {
        try folder.makeUncheckpointed(["a", "b"], as: "left")
        let holder = try SQLiteConnection(
            path: URL(fileURLWithPath: folder.file("left")).resolvingSymlinksInPath().path,
            access: .readWrite, busyTimeoutMilliseconds: 1_000)
        try holder.setCheckpointsOnClose(false)
        try holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        try holder.execute("BEGIN IMMEDIATE")
        var options = VaultOptions()
        options.busyTimeoutMilliseconds = 50
        let salvage = VaultSalvage(
            of: folder.file("left"), with: VaultFolder.key(1), to: folder.file("saved"),
            with: VaultFolder.key(1), options: options)
        #expect(throws: StoreError(.busy, "")) { try salvage.run() }
        try holder.execute("ROLLBACK")
        holder.close()
        #expect(try salvage.run().savedCount == 3)
    }
}
