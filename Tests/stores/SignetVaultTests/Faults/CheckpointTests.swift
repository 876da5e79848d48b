// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetVault
import TestSupport
import Testing

/// The file that people copy is the vault: what stays in the log, and what happens to another
/// file's log (review S2).
@Suite("Checkpointing the log into the file") struct CheckpointTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("A vault that is closed or released is one file", arguments: [true, false])
    func oneFile(closes: Bool) throws {
        do {
            let vault = try folder.vault()
            try vault.keep("a", "b")
            if closes { vault.close() }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["vault"])
        #expect(try folder.accountsAlone() == ["a", "b"])
    }

    @Test(
        "A vault that was never unlocked checkpoints nothing, as its state was not proved",
        arguments: [false, true])
    func neverUnlocked(closes: Bool) throws {
        try folder.vault().close()
        let file = try folder.bytes("vault")
        do {
            let locked = try FileVault.open(at: folder.file(), options: .longWaiting)
            // A writer that ends without checkpointing.
            let writer = try SQLiteConnection(
                path: URL(fileURLWithPath: folder.file()).resolvingSymlinksInPath().path,
                access: .readWrite, busyTimeoutMilliseconds: 600_000)
            try writer.setCheckpointsOnClose(false)
            try writer.execute("UPDATE state SET k = 1")
            writer.close()
            if closes { locked.close() }
        }
        #expect(try folder.bytes("vault") == file)
        #expect(try !folder.bytes("vault-wal").isEmpty)
        // The next one that is unlocked does.
        try folder.another().close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["vault"])
    }

    @Test("Closing checkpoints even while others have the vault open")
    func closingBesideOthers() throws {
        let other = try folder.vault()
        let vault = try folder.another()
        try vault.keep("a")
        vault.close()
        #expect(try folder.accountsAlone() == ["a"])
        try other.keep("b")
        #expect(try other.allItems().count == 2)
    }

    @Test("An idle vault checkpoints itself", .timeLimit(.minutes(20)))
    func idle() throws {
        let vault = try folder.vault()
        try vault.keep("a")
        while try folder.accountsAlone() != ["a"] { usleep(20_000) }
        try vault.keep("b")
        #expect(try vault.verify().isClean)
    }

    @Test(
        "A log that grew during writes is emptied when they end",
        .timeLimit(.minutes(20)))
    func longLog() throws {
        let vault = try folder.vault()
        let value = SecretValue(String(repeating: "v", count: 1_000_000))
        for number in 0..<12 { try vault.set(value, for: ItemKey("\(number % 3)"), details: nil) }
        while try !folder.bytes("vault-wal").isEmpty { usleep(20_000) }
        #expect(try folder.accountsAlone() == ["0", "1", "2"])
    }

    @Test("A log left by a killed process is read, extended and checkpointed")
    func leftLog() throws {
        try folder.makeUncheckpointed(["a", "b"], as: "left")
        #expect(try folder.accountsAlone("left") == ["old"])
        let vault = try folder.another("left")
        #expect(try vault.allItems().count == 3)
        try vault.keep("c")
        vault.close()
        #expect(try folder.accountsAlone("left") == ["old", "a", "b", "c"])
    }

    @Test("Reading alone checkpoints a log left by a killed process")
    func leftLogOfAReader() throws {
        try folder.makeUncheckpointed(["a", "b"], as: "left")
        let vault = try folder.another("left")
        vault.close()
        #expect(try folder.accountsAlone("left") == ["old", "a", "b"])
    }

    @Test("A restored file under another file's log is corrupt, and left alone")
    func mixture() throws {
        try folder.makeUncheckpointed(["a", "b", "c"], as: "left")
        let vault = try folder.another("left")
        try vault.keep("d")
        vault.close()
        // The backup is of another moment than the log's start.
        try folder.makeUncheckpointed(["x"], as: "foreign")
        let backup = try folder.bytes("left")
        try FileManager.default.moveItem(
            atPath: folder.file("foreign-wal"), toPath: folder.file("left-wal"))
        let mixed = try? FileVault.open(
            at: folder.file("left"), options: VaultOptions(level: .strict))
        if let mixed, (try? mixed.unlock(with: VaultFolder.key(1))) != nil {
            #expect(throws: StoreError(.corrupt, "")) { try mixed.keep("new") }
        }
        mixed?.close()
        #expect(try folder.bytes("left") == backup)
        try FileManager.default.removeItem(atPath: folder.file("left-wal"))
        try? FileManager.default.removeItem(atPath: folder.file("left-shm"))
        #expect(try folder.accountsAlone("left") == ["old", "a", "b", "c", "d"])
    }

    @Test("An older backup of the same vault under its newer log is corrupt, and left alone")
    func mixtureOfOneVault() throws {
        let origin = try folder.vault()
        try origin.keep("a")
        origin.close()
        let backup = try folder.bytes("vault")
        let again = try folder.another()
        for number in 0..<40 { try again.keep("\(number)") }
        again.close()
        // A log that starts after the backup.
        let reader = try SQLiteConnection(
            path: URL(fileURLWithPath: folder.file()).resolvingSymlinksInPath().path,
            access: .readWrite, busyTimeoutMilliseconds: 600_000)
        try reader.setCheckpointsOnClose(false)
        let statement = try reader.prepare("SELECT count(*) FROM item")
        _ = try statement.step()
        let writer = try folder.another()
        try writer.keep("late")
        let log = try folder.bytes("vault-wal")
        try statement.reset()
        reader.close()
        writer.close()
        #expect(!log.isEmpty)
        for (name, bytes) in [("mixed", backup), ("mixed-wal", log)] {
            #expect(
                FileManager.default.createFile(
                    atPath: folder.file(name), contents: bytes,
                    attributes: [.posixPermissions: 0o600]))
        }
        let mixed = try? FileVault.open(
            at: folder.file("mixed"), options: VaultOptions(level: .strict))
        if let mixed, (try? mixed.unlock(with: VaultFolder.key(1))) != nil {
            #expect(throws: StoreError(.corrupt, "")) { try mixed.keep("new") }
        }
        mixed?.close()
        #expect(try folder.bytes("mixed") == backup)
    }

    @Test(
        "A checkpoint that is killed or loses power at any page is completed by the next handle",
        .tags(.faultPoints, .sampled), arguments: FaultWorld.Cut.allCases)
    func killed(cut: FaultWorld.Cut) throws {
        let accounts = (0..<30).map { "\($0)" }
        try folder.makeUncheckpointed(accounts, as: "left")
        let (file, log) = (try folder.bytes("left"), try folder.bytes("left-wal"))
        func checkpoint(_ name: String, _ world: FaultWorld, at n: Int) throws {
            var options = VaultOptions(level: .strict)
            options.fileSystemName = world.name
            let vault = try FileVault.open(at: folder.file(name), options: options)
            try vault.unlock(with: VaultFolder.key(1))
            if n > 0 { world.armCut(cut, at: n, seed: UInt64(n)) } else { world.reset() }
            vault.close()
        }
        folder.put(file, log, as: "count")
        let world = try FaultWorld()
        try checkpoint("count", world, at: 0)
        let count = world.count()
        #expect(count > 10)
        for n in Effort.cases(Array(1...count), oneOf: 4) {
            folder.put(file, log, as: "round-\(n)")
            let world = try FaultWorld()
            try checkpoint("round-\(n)", world, at: n)
            #expect(world.isOff, "\(n)")
            let vault = try folder.another("round-\(n)")
            #expect(try vault.allItems().count == 31, "\(cut) \(n)")
            vault.close()
            #expect(try folder.accountsAlone("round-\(n)").count == 31, "\(cut) \(n)")
        }
    }

    // MARK: Backup

    @Test("A backup taken during writes holds everything acknowledged")
    func backup() async throws {
        let vault = try folder.vault()
        try vault.keep("a")
        let other = try folder.another()
        async let writing: Void = { for number in 0..<50 { try other.keep("\(number)") } }()
        for number in 0..<5 {
            try vault.keep("before \(number)")
            try vault.backup(to: folder.file("backup-\(number)"))
            #expect(try folder.accountsAlone("backup-\(number)").contains("before \(number)"))
        }
        try await writing
        #expect(throws: StoreError(.alreadyExists, "")) {
            try vault.backup(to: folder.file("backup-0"))
        }
        try vault.lock()
        try vault.backup(to: folder.file("of a locked one"))
        #expect(try folder.accountsAlone("of a locked one").count == 56)
    }

    // MARK: The end of a process

    @Test("A process that exits without closing leaves one file")
    func end() throws { try end(rounds: 3) }

    @Test("500 times set, exit and copy: every copy has the item", .tags(.killRounds))
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
            let name = try folder.copyAlone("ended")
            let copy = try FileVault.open(at: folder.file(name))
            try copy.unlock(with: KeyFileUnlock(path: keyFile))
            if try copy.entry(ItemKey("a"))?.value.text != "\(round)" { lacking += 1 }
            copy.close()
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        #expect(lacking == 0)
    }
}
