// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("Key slots put back, removed or broken while the vault is unlocked")
struct SlotAttackTests {
    let folder: VaultFolder
    let corrupt = StoreError(.corrupt, "")

    init() throws { folder = try VaultFolder() }

    /// Calls that write a new head.
    enum Change: CaseIterable {
        case add, remove, replace, rotateDataKey, rotateRootKey

        func make(_ vault: FileVault, _ slot: [UInt8]) throws {
            switch self {
            case .add: try vault.addSlot(VaultFolder.key(4))
            case .remove: try vault.removeSlot(id: slot)
            case .replace: try vault.replaceSlot(id: slot, with: VaultFolder.key(4))
            case .rotateDataKey: try vault.rotateDataKey()
            case .rotateRootKey:
                try vault.rotateRootKey(keeping: [VaultFolder.key(1)], droppingOthers: true)
            }
        }
    }

    /// A slot was removed; an attacker with write access puts it back before the next change of the
    /// head.
    @Test(
        "A removed slot that is put back is not made valid by the next change",
        arguments: Change.allCases)
    func removedSlotIsNotMadeValidAgain(change: Change) throws {
        let vault = try folder.vault()
        let old = try vault.addSlot(VaultFolder.key(2))
        let third = try vault.addSlot(VaultFolder.key(3))
        let rows = try #require(
            try folder.text(
                "SELECT group_concat('INSERT OR IGNORE INTO slot VALUES('||quote(id)||','||quote(b)||')',';') FROM slot"
            ))
        try vault.removeSlot(id: old)
        try folder.tamper("vault", rows)
        #expect(throws: corrupt) { try change.make(vault, third) }
        let other = try FileVault.open(at: folder.file())
        #expect(throws: corrupt) { try other.unlock(with: VaultFolder.key(2)) }
    }

    @Test(
        "A removed or broken slot is not dropped for good by the next change",
        arguments: [
            "DELETE FROM slot WHERE id<>(SELECT min(id) FROM slot)",
            "UPDATE slot SET b=substr(b,1,length(b)-1)||x'00' WHERE substr(b,-1)<>x'00'",
        ])
    func missingSlotIsNotForgotten(sql: String) throws {
        let vault = try folder.vault()
        try vault.addSlot(VaultFolder.key(2))
        try folder.tamper("vault", sql)
        #expect(throws: corrupt) { try vault.addSlot(VaultFolder.key(3)) }
        #expect(throws: corrupt) { try vault.rotateDataKey() }
    }

    @Test(
        "A slot that this machine cannot try does not keep the next from opening",
        arguments: [StoreError.Code.unsupported, .locked, .unavailable])
    func slotThatCannotBeTriedHidesNoOther(code: StoreError.Code) throws {
        let absent = UnavailableUnlock(code: code)
        let passphrase = PassphraseUnlock("correct horse", derivation: .scrypt(logCost: 10))
        // Ids are random: among several, one nearly always comes first.
        let vault = try FileVault.create(at: folder.file(), with: passphrase)
        for _ in 0..<7 { try vault.addSlot(absent) }
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        let second = try FileVault.open(at: folder.file())
        let both = EitherUnlock(first: absent, second: passphrase)
        try second.unlock(with: both)
        #expect(try second.entry(ItemKey("a"))?.value.text == "v")
        try second.rotateRootKey(keeping: [both], droppingOthers: true)
        #expect(try second.slots().count == 1)
        try second.lock()
        // If none fits, the reason is given.
        try vault.unlock(with: passphrase)
        try vault.addSlot(absent)
        #expect(throws: StoreError(code, "")) { try second.unlock(with: absent) }
    }
}

/// A method that this machine lacks, as Argon2id under an older libcrypto.
private struct UnavailableUnlock: UnlockMethod {
    let code: StoreError.Code

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        guard slot.kind == .rawKey else { return nil }
        throw StoreError(code, "Not on this machine.")
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        try VaultFolder.key(9).newSlot(id: id, vaultID: vaultID)
    }
}

private struct EitherUnlock: UnlockMethod {
    let first: any UnlockMethod
    let second: any UnlockMethod

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        if let key = try first.keyEncryptionKey(for: slot) { return key }
        return try second.keyEncryptionKey(for: slot)
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        try second.newSlot(id: id, vaultID: vaultID)
    }
}
