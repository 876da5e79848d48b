// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

/// Review S1. One write lies between the copy and the attack, and nothing was read after it.
@Suite("The vault's own last write, undone while the vault is open")
struct LastWriteAttackTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private static let tables = ["item", "val", "bucket", "state", "head", "slot", "ring"]
    private static let key = ItemKey("a")

    /// Each public call that reads or writes the vault.
    enum Call: String, CaseIterable, Sendable {
        case entry, item, absent, list, allItems, contains, set, setMany, update, replace, insert,
            remove
        case removeAbsent, clear, slots, addSlot, replaceSlot, removeSlot, rotateDataKey,
            rotateRootKey
        case verify, unlock, export, migrate

        func make(_ vault: FileVault, _ folder: VaultFolder) async throws {
            let key = LastWriteAttackTests.key
            let value = SecretValue("x")
            switch self {
            case .entry: _ = try await vault.entry(key)
            case .item: _ = try await vault.item(key)
            case .absent: _ = try await vault.entry(ItemKey("absent"))
            case .list:
                _ = try await vault.list(service: "example.com", itemClass: nil, accessGroup: "")
            case .allItems: _ = try await vault.allItems()
            case .contains: _ = try await vault.item(key) != nil
            case .set: try await vault.set(value, for: key, details: nil)
            case .setMany: try await vault.put([NewItem(key: ItemKey("b"), value: value)])
            case .update: try await vault.update(key) { _ in value }
            case .replace:
                try await vault.replace(
                    nil, for: key, details: nil, ifRevision: ItemRevision(octets: []))
            case .insert:
                try await vault.replace(value, for: ItemKey("b"), details: nil, ifRevision: nil)
            case .remove: try await vault.remove(key)
            case .removeAbsent: try await vault.remove(ItemKey("absent"))
            case .clear:
                try await vault.clear(service: "example.com", itemClass: nil, accessGroup: "")
            case .slots: _ = try vault.slots()
            case .addSlot: try vault.addSlot(VaultFolder.key(2))
            case .replaceSlot: try vault.replaceSlot(id: [], with: VaultFolder.key(2))
            case .removeSlot: try vault.removeSlot(id: [])
            case .rotateDataKey: try vault.rotateDataKey()
            case .rotateRootKey: try vault.rotateRootKey(keeping: [VaultFolder.key(1)])
            case .verify: _ = try vault.verify()
            case .unlock:
                try vault.lock()
                try vault.unlock(with: VaultFolder.key(1))
            case .export:
                let export = VaultExport(
                    from: vault, to: folder.file("export"), with: VaultFolder.key(2))
                _ = try await export.run()
            case .migrate:
                let target = try folder.vault("target")
                _ = try await StoreMigration(from: vault, to: target).run()
            }
        }
    }

    /// A vault whose rows are those of before its last write.
    private func rolledBack(_ options: VaultOptions) throws -> FileVault {
        let vault = try folder.vault("vault", options)
        try vault.set(SecretValue("old"), for: Self.key, details: nil)
        for table in Self.tables {
            try folder.tamper("vault", "CREATE TABLE old_\(table) AS SELECT * FROM \(table)")
        }
        try vault.set(SecretValue("new"), for: Self.key, details: nil)
        for table in Self.tables {
            try folder.tamper(
                "vault", "DELETE FROM \(table)", "INSERT INTO \(table) SELECT * FROM old_\(table)",
                "DROP TABLE old_\(table)")
        }
        return vault
    }

    private func options(withAnchor: Bool) -> VaultOptions {
        var options = VaultOptions(level: .strict)
        if withAnchor { options.anchor = FileAnchor(path: folder.file("anchor")) }
        return options
    }

    @Test(
        "Every call refuses the state before the last write", arguments: Call.allCases,
        [false, true])
    func everyCall(call: Call, withAnchor: Bool) async throws {
        let vault = try rolledBack(options(withAnchor: withAnchor))
        await #expect(throws: StoreError(.rolledBack, "")) { try await call.make(vault, folder) }
        // Nothing was written over it.
        #expect(try folder.number("SELECT count(*) FROM item") == 1)
    }

    @Test("An anchor keeps the last write for good")
    func anchored() throws {
        let options = options(withAnchor: true)
        let vault = try rolledBack(options)
        for _ in 0..<3 {
            #expect(throws: StoreError(.rolledBack, "")) {
                try vault.set(SecretValue("x"), for: ItemKey("b"), details: nil)
            }
        }
        vault.close()
        #expect(throws: StoreError(.rolledBack, "")) { try folder.another("vault", options) }
    }

    @Test("A write is compared with the anchor, which another process may have advanced")
    func anchorOfAnotherProcess() throws {
        let options = options(withAnchor: true)
        let vault = try folder.vault("vault", options)
        try FileAnchor(path: folder.file("anchor")).advance(vault: vault.id, to: 5)
        #expect(throws: StoreError(.rolledBack, "")) {
            try vault.set(SecretValue("x"), for: Self.key, details: nil)
        }
        #expect(try folder.number("SELECT count(*) FROM item") == 0)
    }

    @Test("A read during a write through the same object is never taken for an old state")
    func readsBesideWrites() async throws {
        let vault = try folder.vault("vault", VaultOptions(level: .strict))
        try await vault.set(SecretValue("0"), for: Self.key, details: nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<300 { try Self.write(vault, number) }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<300 { try Self.read(vault) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func write(_ vault: FileVault, _ number: Int) throws {
        try vault.set(SecretValue("\(number)"), for: key, details: nil)
    }

    private static func read(_ vault: FileVault) throws {
        #expect(try vault.entry(key) != nil)
        #expect(try vault.allItems().count == 1)
    }
}
