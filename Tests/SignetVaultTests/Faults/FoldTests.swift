// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetVault
import TestSupport
import Testing

/// The file that people copy is the vault: what stays in the log, and what becomes of a log of
/// another file (review S2).
@Suite("The log is folded into the file") struct FoldTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    /// Copies a vault's file without its log.
    private func copyAlone(_ name: String = "vault") throws -> String {
        let copy = "copy-\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: folder.file(name), toPath: folder.file(copy))
        return copy
    }

    /// What the file alone holds; it must be whole.
    private func accountsAlone(_ name: String = "vault") throws -> Set<String> {
        let copy = try folder.another(try copyAlone(name))
        defer { copy.close() }
        #expect(try copy.verify().findings.isEmpty)
        return Set(try copy.allItems().map(\.key.account))
    }

    private func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    }

    private func set(_ vault: FileVault, _ accounts: String...) throws {
        for account in accounts { try vault.set(SecretValue(account), for: ItemKey(account), details: nil) }
    }

    /// A vault whose file holds `old`, and whose log holds `accounts` beside it, under names of
    /// their own: as a process leaves them that was killed.
    private func unfolded(_ accounts: [String], as name: String) throws {
        let vault = try folder.vault("origin")
        try set(vault, "old")
        vault.close()
        // A reader of this moment: nothing that comes after it can be folded.
        let reader = try SQLiteConnection(
            path: URL(fileURLWithPath: folder.file("origin")).resolvingSymlinksInPath().path,
            access: .readWrite, busyTimeoutMilliseconds: 600_000)
        try reader.setFoldsOnClose(false)
        let statement = try reader.prepare("SELECT count(*) FROM item")
        _ = try statement.step()
        let writer = try folder.another("origin")
        for account in accounts { try set(writer, account) }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.file("origin") + suffix, toPath: folder.file(name) + suffix)
        }
        try statement.reset()
        reader.close()
        writer.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.file("origin") + suffix)
        }
    }

    @Test("A vault that is closed, or let go, is one file", arguments: [true, false])
    func oneFile(closes: Bool) throws {
        do {
            let vault = try folder.vault()
            try set(vault, "a", "b")
            if closes { vault.close() }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["vault"])
        #expect(try accountsAlone() == ["a", "b"])
    }

    @Test("Closing folds what others have open")
    func closingBesideOthers() throws {
        let other = try folder.vault()
        let vault = try folder.another()
        try set(vault, "a")
        vault.close()
        #expect(try accountsAlone() == ["a"])
        try set(other, "b")
        #expect(try other.allItems().count == 2)
    }

    @Test("An idle vault folds by itself", .timeLimit(.minutes(10)))
    func idle() throws {
        let vault = try folder.vault()
        try set(vault, "a")
        while try accountsAlone() != ["a"] { usleep(20_000) }
        try set(vault, "b")
        #expect(try vault.verify().isClean)
    }

    @Test("A log that a killed process left is read, written to and folded")
    func leftLog() throws {
        try unfolded(["a", "b"], as: "left")
        #expect(try accountsAlone("left") == ["old"])
        let vault = try folder.another("left")
        #expect(try vault.allItems().count == 3)
        try set(vault, "c")
        vault.close()
        #expect(try accountsAlone("left") == ["old", "a", "b", "c"])
    }

    @Test("Reading alone folds a log that a killed process left")
    func leftLogOfAReader() throws {
        try unfolded(["a", "b"], as: "left")
        let vault = try folder.another("left")
        vault.close()
        #expect(try accountsAlone("left") == ["old", "a", "b"])
    }

    @Test("A restored file under another file's log is corrupt, and stays as it is")
    func mixture() throws {
        try unfolded(["a", "b", "c"], as: "left")
        let vault = try folder.another("left")
        try set(vault, "d")
        vault.close()
        // The backup is of another moment than the log's beginning.
        try unfolded(["x"], as: "foreign")
        let backup = try bytes("left")
        try FileManager.default.moveItem(
            atPath: folder.file("foreign-wal"), toPath: folder.file("left-wal"))
        let mixed = try? FileVault.open(at: folder.file("left"), options: VaultOptions(level: .strict))
        if let mixed, (try? mixed.unlock(with: VaultFolder.key(1))) != nil {
            #expect(throws: StoreError(.corrupt, "")) { try set(mixed, "new") }
        }
        mixed?.close()
        #expect(try bytes("left") == backup)
        try FileManager.default.removeItem(atPath: folder.file("left-wal"))
        try? FileManager.default.removeItem(atPath: folder.file("left-shm"))
        #expect(try accountsAlone("left") == ["old", "a", "b", "c", "d"])
    }

    @Test("An older backup of the same vault under its newer log is corrupt, and stays as it is")
    func mixtureOfOneVault() throws {
        let origin = try folder.vault()
        try set(origin, "a")
        origin.close()
        let backup = try bytes("vault")
        let again = try folder.another()
        for number in 0..<40 { try set(again, "\(number)") }
        again.close()
        // A log that begins at a later moment than the backup.
        let reader = try SQLiteConnection(
            path: URL(fileURLWithPath: folder.file()).resolvingSymlinksInPath().path,
            access: .readWrite, busyTimeoutMilliseconds: 600_000)
        try reader.setFoldsOnClose(false)
        let statement = try reader.prepare("SELECT count(*) FROM item")
        _ = try statement.step()
        let writer = try folder.another()
        try set(writer, "late")
        let log = try bytes("vault-wal")
        try statement.reset()
        reader.close()
        writer.close()
        #expect(!log.isEmpty)
        for (name, bytes) in [("mixed", backup), ("mixed-wal", log)] {
            #expect(
                FileManager.default.createFile(
                    atPath: folder.file(name), contents: bytes, attributes: [.posixPermissions: 0o600]))
        }
        let mixed = try? FileVault.open(at: folder.file("mixed"), options: VaultOptions(level: .strict))
        if let mixed, (try? mixed.unlock(with: VaultFolder.key(1))) != nil {
            #expect(throws: StoreError(.corrupt, "")) { try set(mixed, "new") }
        }
        mixed?.close()
        #expect(try bytes("mixed") == backup)
    }

    @Test(
        "A fold that is killed or loses power at any page is completed by the next handle",
        .tags(.faultPoints, .sampled), arguments: FaultWorld.Cut.allCases)
    func killed(cut: FaultWorld.Cut) throws {
        let accounts = (0..<30).map { "\($0)" }
        try unfolded(accounts, as: "left")
        let (file, log) = (try bytes("left"), try bytes("left-wal"))
        func put(_ name: String) throws {
            for (name, bytes) in [(name, file), (name + "-wal", log)] {
                #expect(
                    FileManager.default.createFile(
                        atPath: folder.file(name), contents: bytes,
                        attributes: [.posixPermissions: 0o600]))
            }
        }
        func fold(_ name: String, _ world: FaultWorld, at n: Int) throws {
            var options = VaultOptions(level: .strict)
            options.fileSystemName = world.name
            let vault = try FileVault.open(at: folder.file(name), options: options)
            try vault.unlock(with: VaultFolder.key(1))
            if n > 0 { world.armCut(cut, at: n, seed: UInt64(n)) } else { world.reset() }
            vault.close()
        }
        try put("count")
        let world = try FaultWorld()
        try fold("count", world, at: 0)
        let count = world.count()
        #expect(count > 10)
        for n in Effort.cases(Array(1...count), oneOf: 4) {
            try put("round-\(n)")
            let world = try FaultWorld()
            try fold("round-\(n)", world, at: n)
            #expect(world.isOff, "\(n)")
            let vault = try folder.another("round-\(n)")
            #expect(try vault.allItems().count == 31, "\(cut) \(n)")
            vault.close()
            #expect(try accountsAlone("round-\(n)").count == 31, "\(cut) \(n)")
        }
    }

    // MARK: Backup and restore

    @Test("A backup holds everything that was acknowledged, while others write")
    func backup() async throws {
        let vault = try folder.vault()
        try set(vault, "a")
        let other = try folder.another()
        async let writing: Void = { for number in 0..<50 { try set(other, "\(number)") } }()
        for number in 0..<5 {
            try set(vault, "before \(number)")
            try vault.backup(to: folder.file("backup-\(number)"))
            #expect(try accountsAlone("backup-\(number)").contains("before \(number)"))
        }
        try await writing
        #expect(throws: StoreError(.alreadyExists, "")) { try vault.backup(to: folder.file("backup-0")) }
        try await vault.lock()
        try vault.backup(to: folder.file("of a locked one"))
        #expect(try accountsAlone("of a locked one").count == 56)
    }

    @Test("A restored backup is the vault, whatever log was there")
    func restore() throws {
        let vault = try folder.vault()
        try set(vault, "a")
        try vault.backup(to: folder.file("backup"))
        try set(vault, "b")
        #expect(throws: StoreError(.busy, "")) {
            var options = VaultOptions()
            options.busyTimeoutMilliseconds = 50
            try FileVault.restore(from: folder.file("backup"), to: folder.file(), options: options)
        }
        #expect(try vault.allItems().count == 2)
        vault.close()
        try unfolded(["x", "y"], as: "left")
        for (target, count) in [("vault", 1), ("left", 1), ("new", 1)] {
            try FileVault.restore(from: folder.file("backup"), to: folder.file(target))
            let restored = try folder.another(target)
            #expect(try restored.allItems().map(\.key.account) == ["a"], "\(target)")
            #expect(try restored.allItems().count == count)
            restored.close()
            #expect(try accountsAlone(target) == ["a"], "\(target)")
        }
        try Data(repeating: 65, count: 9000).write(to: URL(fileURLWithPath: folder.file("new")))
        try FileVault.restore(from: folder.file("backup"), to: folder.file("new"))
        #expect(try accountsAlone("new") == ["a"])
        #expect(throws: StoreError(.notAVault, "")) {
            try Data(repeating: 65, count: 9000).write(to: URL(fileURLWithPath: folder.file("text")))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: folder.file("text"))
            try FileVault.restore(from: folder.file("text"), to: folder.file())
        }
        #expect(try accountsAlone() == ["a"])
    }

    // MARK: The end of a process

    @Test("A process that ends without closing leaves one file")
    func end() throws { try end(rounds: 3) }

    @Test("500 times set, end, copy: every copy has it", .tags(.killRounds))
    func endOften() throws { try end(rounds: Effort.rounds(500)) }

    private func end(rounds: Int) throws {
        let keyFile = folder.file("key")
        let path = folder.file("ended")
        try FileVault.create(at: path, with: KeyFileUnlock.create(at: keyFile)).close()
        var lacking = 0
        for round in 0..<rounds {
            let worker = try Worker(["set", path, keyFile, "\(round)"])
            let lines = worker.remainingLines()
            #expect(lines == ["kept"])
            let name = try copyAlone("ended")
            let copy = try FileVault.open(at: folder.file(name))
            try copy.unlock(with: KeyFileUnlock(path: keyFile))
            if try copy.entry(ItemKey("a"))?.value.text != "\(round)" { lacking += 1 }
            copy.close()
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        #expect(lacking == 0)
    }
}
