// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import TestSupport
import Testing

/// Older copies of a whole vault that a process has used before (review V9.5).
@Suite("A process that has seen a newer vault") struct FreshnessTests {
    let folder: VaultFolder
    private let rolledBack = StoreError(.rolledBack, "")

    init() throws { folder = try VaultFolder() }

    /// A closed vault with one item more than `older` and `backup`.
    private func make(_ options: VaultOptions = .longWaiting) throws {
        let vault = try folder.vault("vault", options)
        try vault.keep("a")
        vault.close()
        try FileManager.default.copyItem(atPath: folder.file(), toPath: folder.file("older"))
        let again = try folder.another("vault", options)
        try again.backup(to: folder.file("backup"))
        try again.keep("b")
        again.close()
    }

    private func putBack() throws {
        try FileManager.default.removeItem(atPath: folder.file())
        try FileManager.default.copyItem(atPath: folder.file("older"), toPath: folder.file())
    }

    private var accepting: VaultOptions {
        var options = VaultOptions.longWaiting
        options.acceptsRestored = true
        return options
    }

    @Test("Another object refuses the older copy, and the message names the option that takes it")
    func otherObject() throws {
        try make()
        try putBack()
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try folder.another() }
            #expect(error == rolledBack)
            #expect(error?.message.contains("acceptsRestored") == true)
            #expect(error?.message.contains("--accept-restored") == true)
        }
        let vault = try folder.another("vault", accepting)
        #expect(try vault.allItems().count == 1)
        // From now on it is the newest.
        #expect(try folder.another().allItems().count == 1)
    }

    @Test("The option is for one unlock")
    func once() throws {
        try make()
        let vault = try folder.another("vault", accepting)
        try vault.keep("c")
        vault.close()
        try putBack()
        #expect(throws: rolledBack) { try folder.another() }
        let accepted = try FileVault.open(at: folder.file(), options: accepting)
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try accepted.unlock(with: VaultFolder.key(2))
        }
        try accepted.unlock(with: VaultFolder.key(1))
        let tables = ["item", "val", "bucket", "state"]
        for table in tables {
            try folder.tamper("vault", "CREATE TABLE old_\(table) AS SELECT * FROM \(table)")
        }
        try accepted.keep("d")
        for table in tables {
            try folder.tamper(
                "vault", "DELETE FROM \(table)", "INSERT INTO \(table) SELECT * FROM old_\(table)",
                "DROP TABLE old_\(table)")
        }
        #expect(throws: rolledBack) { try accepted.unlock(with: VaultFolder.key(1)) }
        #expect(throws: rolledBack) { try accepted.allItems() }
    }

    @Test("A copy under another path is another vault's file")
    func otherPath() throws {
        try make()
        #expect(try folder.another("older").allItems().count == 1)
        #expect(try folder.another("backup").allItems().count == 1)
        #expect(try folder.another().allItems().count == 2)
    }

    @Test("A restore of this process is accepted, and one of another program with the option")
    func restored() throws {
        try make()
        try FileVault.restore(from: folder.file("backup"), to: folder.file())
        #expect(try folder.another().allItems().count == 1)
        let vault = try folder.another()
        try vault.keep("c")
        vault.close()
        let worker = try Worker(["restore", folder.file("backup"), folder.file()])
        #expect(worker.remainingLines() == [])
        #expect(throws: rolledBack) { try folder.another() }
        #expect(try folder.another("vault", accepting).allItems().count == 1)
    }

    @Test("A backup after a restore opens, under the name of an earlier and newer one")
    func backedUpAgain() throws {
        try make()
        let copy = folder.file("copy")
        let newer = try folder.another()
        try newer.backup(to: copy)
        newer.close()
        try folder.another("copy").close()
        try FileManager.default.removeItem(atPath: copy)
        try FileVault.restore(from: folder.file("backup"), to: folder.file())
        try folder.another().backup(to: copy)
        #expect(try folder.another("copy").allItems().count == 1)
    }

    @Test("A restore that is refused lowers nothing")
    func refused() throws {
        try make()
        let vault = try folder.another()
        var options = VaultOptions()
        options.busyTimeoutMilliseconds = 50
        #expect(throws: StoreError(.busy, "")) {
            try FileVault.restore(from: folder.file("backup"), to: folder.file(), options: options)
        }
        vault.close()
        try putBack()
        #expect(throws: rolledBack) { try folder.another() }
    }

    @Test("An anchor is lowered with the option alone")
    func anchored() throws {
        let anchor = FileAnchor(path: folder.file("anchor"))
        var options = VaultOptions.longWaiting
        options.anchor = anchor
        try make(options)
        try FileVault.restore(from: folder.file("backup"), to: folder.file(), options: options)
        let error = #expect(throws: StoreError.self) { try folder.another("vault", options) }
        #expect(error == rolledBack && error?.message.contains("acceptsRestored") == true)
        var reading = options
        reading.isReadOnly = true
        reading.acceptsRestored = true
        let read = try folder.another("vault", reading)
        #expect(try anchor.generation(ofVault: read.id) == 3)
        options.acceptsRestored = true
        let vault = try folder.another("vault", options)
        #expect(try anchor.generation(ofVault: vault.id) == 2)
        options.acceptsRestored = false
        try folder.another("vault", options).keep("c")
        #expect(try anchor.generation(ofVault: vault.id) == 3)
    }

    @Test("An anchor of a program's own takes no lower generation unless it says how")
    func ownAnchor() throws {
        try make()
        try putBack()
        var options = accepting
        options.anchor = FixedAnchor()
        #expect(throws: StoreError(.unsupported, "")) { try folder.another("vault", options) }
    }
}

private struct FixedAnchor: RollbackAnchor {
    func generation(ofVault id: [UInt8]) throws(StoreError) -> UInt64? { 3 }

    func advance(vault id: [UInt8], to generation: UInt64) throws(StoreError) {}
}
