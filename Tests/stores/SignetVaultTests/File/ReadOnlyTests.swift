// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import TestSupport
import Testing

/// A vault that is read and never written (review S8). Real mounts: `VaultReadOnlyTests`.
@Suite("A read-only vault") struct ReadOnlyTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private func readOnly(
        _ name: String = "vault", anchor: (any RollbackAnchor)? = nil
    ) throws -> FileVault {
        var options = VaultOptions(level: .strict)
        options.isReadOnly = true
        options.anchor = anchor
        let vault = try FileVault.open(at: folder.file(name), options: options)
        try vault.unlock(with: VaultFolder.key(1))
        return vault
    }

    private func make(_ accounts: String...) throws {
        let vault = try folder.vault()
        for account in accounts {
            try vault.set(SecretValue(account), for: ItemKey(account), details: nil)
        }
        vault.close()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("Every read works and makes no file")
    func reads() throws {
        try make("a", "b")
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        // A leftover that an ordinary opening removes.
        let leftover = folder.file(".signet-1f.new")
        #expect(
            FileManager.default.createFile(
                atPath: leftover, contents: nil,
                attributes: [
                    .posixPermissions: 0o600, .modificationDate: Date(timeIntervalSince1970: 1),
                ]))
        let vault = try readOnly()
        #expect(vault.isReadOnly)
        #expect(try vault.entry(ItemKey("a"))?.value.text == "a")
        #expect(try vault.entry(ItemKey("absent")) == nil)
        #expect(try vault.allItems().count == 2)
        #expect(try vault.verify().isClean)
        #expect(try vault.slots().count == 1)
        #expect(try names() == [".signet-1f.new", "vault"])
        try vault.backup(to: folder.file("backup"))
        vault.close()
        #expect(try names() == [".signet-1f.new", "backup", "vault"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == file)
        let backup = try folder.another("backup")
        #expect(!backup.isReadOnly)
        #expect(try backup.allItems().count == 2)
    }

    static let writes: [(String, @Sendable (FileVault) throws -> Void)] = [
        ("set", { _ = try $0.set(SecretValue("x"), for: ItemKey("x"), details: nil) }),
        ("set many", { try $0.put([NewItem(key: ItemKey("x"), value: SecretValue("x"))]) }),
        ("replace", { _ = try $0.replace(nil, for: ItemKey("x"), details: nil, ifRevision: nil) }),
        ("remove", { _ = try $0.remove(ItemKey("a")) }),
        ("clear", { _ = try $0.clear(service: "s", itemClass: nil, accessGroup: "") }),
        ("add a slot", { _ = try $0.addSlot(VaultFolder.key(2)) }),
        ("remove a slot", { try $0.removeSlot(id: [UInt8](repeating: 1, count: 16)) }),
        ("rotate the data key", { try $0.rotateDataKey() }),
        ("rotate the root key", { try $0.rotateRootKey(keeping: [VaultFolder.key(1)]) }),
    ]

    @Test("A write is refused and changes nothing", arguments: writes.indices)
    func refuses(index: Int) throws {
        let (name, write) = Self.writes[index]
        try make("a")
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let vault = try readOnly()
        #expect(throws: StoreError(.readOnly, ""), "\(name)") { try write(vault) }
        #expect(try vault.allItems().count == 1, "\(name)")
        vault.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == file, "\(name)")
    }

    @Test("A log with content is an error with advice; an empty log is not")
    func log() throws {
        try make("a")
        let writer = try folder.another()
        try writer.set(SecretValue("b"), for: ItemKey("b"), details: nil)
        let error = #expect(throws: StoreError(.unavailable, "")) { try readOnly() }
        #expect(error?.message.contains("backup") == true)
        #expect(throws: StoreError(.unavailable, "")) {
            var options = VaultOptions()
            options.isReadOnly = true
            _ = try VaultSalvage(
                of: folder.file(), with: VaultFolder.key(1), to: folder.file("saved"),
                with: VaultFolder.key(1), options: options
            ).run()
        }
        writer.close()
        try Data().write(to: URL(fileURLWithPath: folder.file() + "-wal"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.file() + "-wal")
        #expect(try readOnly().allItems().count == 2)
    }

    @Test(
        "Writes by others while it is open are noticed, before and after checkpointing"
    )
    func changed() throws {
        try make("a")
        let vault = try readOnly()
        let writer = try folder.another()
        #expect(try vault.allItems().count == 1)
        try writer.set(SecretValue("b"), for: ItemKey("b"), details: nil)
        #expect(throws: StoreError(.unavailable, "")) { try vault.allItems() }
        writer.close()
        #expect(throws: StoreError(.unavailable, "")) { try vault.entry(ItemKey("a")) }
        #expect(throws: StoreError(.unavailable, "")) { try vault.verify() }
        #expect(throws: StoreError(.unavailable, "")) {
            try vault.backup(to: folder.file("backup"))
        }
        #expect(try names() == ["vault"])
        #expect(try readOnly().allItems().count == 2)
    }

    @Test("An anchor is compared and not advanced")
    func anchor() throws {
        try make("a")
        let noted = FileAnchor(path: folder.file("anchor"))
        let vault = try readOnly(anchor: noted)
        #expect(try noted.generation(ofVault: vault.id) == nil)
        try noted.advance(vault: vault.id, to: 2)
        #expect(try readOnly(anchor: noted).allItems().count == 1)
        try noted.advance(vault: vault.id, to: 3)
        #expect(throws: StoreError(.rolledBack, "")) { try readOnly(anchor: noted) }
        #expect(try noted.generation(ofVault: vault.id) == 3)
    }

    @Test("Intact items are salvaged from a read-only file")
    func salvage() throws {
        try make("a", "b")
        var options = VaultOptions()
        options.isReadOnly = true
        let report = try VaultSalvage(
            of: folder.file(), with: VaultFolder.key(1), to: folder.file("saved"),
            with: VaultFolder.key(1),
            options: options
        ).run()
        #expect(report.savedCount == 2)
        #expect(try names() == ["saved", "vault"])
    }
}
