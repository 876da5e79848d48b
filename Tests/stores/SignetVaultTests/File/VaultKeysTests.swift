// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("Unlocking, slots and key rotation of a vault")
struct VaultKeysTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    // MARK: Locking

    @Test("A locked vault answers locked to every call, never absent")
    func lockedIsNeverAbsent() throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        try vault.lock()
        try vault.lock()
        #expect(try vault.isLocked())
        for account in ["a", "absent"] {
            let key = ItemKey(account)
            #expect(throws: StoreError(.locked, "")) { try vault.entry(key) }
            #expect(throws: StoreError(.locked, "")) { try vault.entry(key, level: .lazy) }
            #expect(throws: StoreError(.locked, "")) { try vault.item(key) }
            #expect(throws: StoreError(.locked, "")) { try vault.remove(key) }
            #expect(throws: StoreError(.locked, "")) {
                try vault.set(SecretValue("v"), for: key, details: nil)
            }
        }
        #expect(throws: StoreError(.locked, "")) { try vault.allItems() }
        #expect(throws: StoreError(.locked, "")) {
            try vault.list(service: "s", itemClass: nil, accessGroup: "")
        }
        #expect(throws: StoreError(.locked, "")) {
            try vault.clear(service: "s", itemClass: nil, accessGroup: "")
        }
        #expect(throws: StoreError(.locked, "")) { try vault.verify() }
        #expect(throws: StoreError(.locked, "")) { try vault.rotateDataKey() }
        #expect(throws: StoreError(.locked, "")) { try vault.addSlot(VaultFolder.key(2)) }
        #expect(try vault.slots().count == 1)
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try vault.unlock(with: VaultFolder.key(9))
        }
        #expect(try vault.isLocked())
        try vault.unlock(with: VaultFolder.key(1))
        #expect(try vault.entry(ItemKey("a"))?.value.text == "v")
    }

    @Test("An idle vault locks itself", .timeLimit(.minutes(20)))
    func idleVaultLocksItself() async throws {
        var options = VaultOptions()
        options.autoLockSeconds = 1
        let vault = try folder.vault("vault", options)
        try vault.lock()
        var changes = vault.changes().makeAsyncIterator()
        try vault.unlock(with: VaultFolder.key(1))
        #expect(await changes.next() == .unlocked)
        // Without a call, the timer does it. Asking whether it is locked keeps nothing open.
        #expect(await changes.next() == .locked)
        #expect(try vault.isLocked())
        options.autoLockSeconds = 0
        let never = try FileVault.open(at: folder.file(), options: options)
        try never.unlock(with: VaultFolder.key(1))
        #expect(throws: StoreError(.locked, "")) { try never.allItems() }
    }

    // MARK: Slots

    @Test("The passphrase opens the vault, and another does not")
    func passphraseOpensAndAnotherDoesNot() throws {
        let right = PassphraseUnlock("correct horse", derivation: .scrypt(logCost: 10))
        let vault = try FileVault.create(at: folder.file(), with: right)
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        let second = try FileVault.open(at: folder.file())
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try second.unlock(with: PassphraseUnlock("Correct horse"))
        }
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try second.unlock(with: VaultFolder.key(1))
        }
        try second.unlock(with: right)
        #expect(try second.entry(ItemKey("a"))?.value.text == "v")
    }

    @Test("Slots are added, replaced and removed, and other objects follow")
    func slotsAreAddedReplacedAndRemoved() throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        let first = try #require(try vault.slots().first)
        #expect(first.kind == .rawKey)
        #expect(throws: StoreError(.invalidParameter, "")) { try vault.removeSlot(id: first.id) }
        let second = try vault.addSlot(PassphraseUnlock("pass", derivation: .scrypt(logCost: 10)))
        let third = try vault.replaceSlot(
            id: second, with: PassphraseUnlock("word", derivation: .scrypt(logCost: 10)))
        #expect(throws: StoreError(.invalidParameter, "")) { try vault.removeSlot(id: second) }
        #expect(Set(try vault.slots().map(\.id)) == [first.id, third])

        let other = try FileVault.open(at: folder.file())
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try other.unlock(with: PassphraseUnlock("pass"))
        }
        try other.unlock(with: PassphraseUnlock("word"))
        #expect(try other.entry(ItemKey("a"))?.value.text == "v")
        // The first object's keys are older than the head now; its next call finds the new one.
        try other.removeSlot(id: first.id)
        #expect(try vault.entry(ItemKey("none")) == nil)
        try vault.set(SecretValue("w"), for: ItemKey("a"), details: nil)
        #expect(try vault.slots().map(\.id) == [third])
        try vault.lock()
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try vault.unlock(with: VaultFolder.key(1))
        }
        #expect(try other.entry(ItemKey("a"))?.value.text == "w")
        #expect(try other.verify().isClean)
    }

    @Test("A way in is enabled only for someone who opens the vault now")
    func provedFirst() throws {
        let vault = try folder.vault()
        let new = PassphraseUnlock("pass", derivation: .scrypt(logCost: 10))
        for wrong in [VaultFolder.key(9), new] as [any UnlockMethod] {
            #expect(throws: StoreError(.authenticationFailure, "")) {
                try vault.addSlot(new, after: wrong)
            }
        }
        #expect(throws: StoreError(.cancelled, "")) { try vault.addSlot(new, after: GivesUp()) }
        #expect(try vault.slots().count == 1, "who skips it has the vault as it was")
        try vault.addSlot(new, after: VaultFolder.key(1))
        try vault.lock()
        #expect(throws: StoreError(.locked, "")) {
            try vault.addSlot(VaultFolder.key(2), after: new)
        }
        try vault.unlock(with: new)
        #expect(try vault.slots().count == 2 && vault.verify().isClean)
    }

    @Test("A vault has at most 32 slots, 8 of them with a passphrase")
    func slotsHaveALimit() throws {
        let vault = try folder.vault()
        for number in 0..<31 { try vault.addSlot(VaultFolder.key(UInt8(number + 10))) }
        #expect(throws: StoreError(.invalidParameter, "")) {
            try vault.addSlot(VaultFolder.key(99))
        }
        #expect(try vault.slots().count == 32)
        try vault.lock()
        try vault.unlock(with: VaultFolder.key(40))
        for slot in try vault.slots().prefix(9) { try vault.removeSlot(id: slot.id) }
        for _ in 0..<8 {
            try vault.addSlot(PassphraseUnlock("p", derivation: .scrypt(logCost: 10)))
        }
        #expect(throws: StoreError(.invalidParameter, "")) {
            try vault.addSlot(PassphraseUnlock("p", derivation: .scrypt(logCost: 10)))
        }
        #expect(try vault.verify().isClean)
    }

    // MARK: Rotation

    @Test("The data key is rotated while others read and write")
    func dataKeyIsRotatedUnderReadersAndWriters() throws {
        let vault = try folder.vault()
        try vault.put((0..<600).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("\($0)")) })
        let others = [vault, try folder.another()]
        var lastDone = 0
        try vault.rotateDataKey { done, total in
            lastDone = done
            #expect(done <= total)
            for other in others {
                #expect((try? other.entry(ItemKey("7"))?.value.text) == "7")
                #expect((try? other.entry(ItemKey("599"), level: .strict)?.value.text) == "599")
                #expect(
                    (try? other.set(SecretValue("new"), for: ItemKey("new \(done)"), details: nil))
                        != nil)
                #expect((try? other.remove(ItemKey("\(done % 5 + 100)"))) != nil)
            }
        }
        #expect(lastDone >= 590)
        let report = try others[1].verify()
        #expect(report.findings.isEmpty)
        #expect(report.dataKeyCount == 1)
        #expect(try folder.number("SELECT count(DISTINCT kid) FROM item") == 1)
        #expect(try folder.number("SELECT count(*) FROM ring") == 3)
        for other in others { #expect(try other.entry(ItemKey("8"))?.value.text == "8") }
    }

    @Test("An interrupted rotation leaves a valid vault, and can be continued")
    func interruptedRotationContinues() throws {
        let vault = try folder.vault()
        try vault.put((0..<600).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("\($0)")) })
        let other = try folder.another()
        #expect(throws: StoreError(.locked, "")) {
            try vault.rotateDataKey { _, _ in try? vault.lock() }
        }
        #expect(try folder.number("SELECT count(DISTINCT kid) FROM item") == 2)
        // A valid vault with two data keys, for everybody.
        #expect(try other.entry(ItemKey("1"), level: .strict)?.value.text == "1")
        let between = try other.verify()
        #expect(between.isClean)
        #expect(between.dataKeyCount == 2)
        try other.rotateDataKey()
        let after = try other.verify()
        #expect(after.isClean)
        #expect(after.dataKeyCount == 1)
        #expect(after.itemCount == 600)
        try vault.unlock(with: VaultFolder.key(1))
        #expect(try vault.entry(ItemKey("599"))?.value.text == "599")
    }

    @Test("An empty vault is rotated too")
    func emptyVaultIsRotatedToo() throws {
        let vault = try folder.vault()
        try vault.rotateDataKey()
        try vault.rotateRootKey(keeping: [VaultFolder.key(1)])
        #expect(try vault.verify().isClean)
        #expect(try folder.another().allItems().isEmpty)
    }

    @Test("The root key is rotated for the kept slots, and other objects lock")
    func rootKeyIsRotatedAndOtherSessionsLock() throws {
        let vault = try folder.vault()
        try vault.put((0..<100).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("\($0)")) })
        try vault.addSlot(VaultFolder.key(2))
        try vault.addSlot(VaultFolder.key(3))
        let other = try folder.another()
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try vault.rotateRootKey(keeping: [VaultFolder.key(1), VaultFolder.key(9)])
        }
        #expect(throws: StoreError(.invalidParameter, "")) { try vault.rotateRootKey(keeping: []) }
        #expect(throws: StoreError(.invalidParameter, "")) {
            try vault.rotateRootKey(keeping: [VaultFolder.key(1), VaultFolder.key(2)])
        }
        try vault.rotateRootKey(
            keeping: [VaultFolder.key(1), VaultFolder.key(2)], droppingOthers: true)
        #expect(try vault.slots().count == 2)
        try vault.set(SecretValue("after"), for: ItemKey("1"), details: nil)
        #expect(try vault.verify().isClean)
        // Rows are sealed as before: keys that were unlocked earlier read them, and are dropped
        // when the root key is needed.
        #expect(try other.entry(ItemKey("2"), level: .lazy)?.value.text == "2")
        #expect(throws: StoreError(.locked, "")) {
            try other.set(SecretValue("x"), for: ItemKey("2"), details: nil)
        }
        #expect(try other.isLocked())
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try other.unlock(with: VaultFolder.key(3))
        }
        for number: UInt8 in [1, 2] {
            try other.unlock(with: VaultFolder.key(number))
            #expect(try other.entry(ItemKey("1"), level: .strict)?.value.text == "after")
        }
    }

    // MARK: Anchor

    @Test("An anchor notices an older copy")
    func anchorNoticesAnOlderCopy() throws {
        var options = VaultOptions()
        let anchor = FileAnchor(path: folder.file("anchor"))
        options.anchor = anchor
        let vault = try folder.vault("vault", options)
        #expect(try anchor.generation(ofVault: vault.id) == 1)
        try vault.set(SecretValue("1"), for: ItemKey("a"), details: nil)
        try vault.set(SecretValue("2"), for: ItemKey("a"), details: nil)
        #expect(try anchor.generation(ofVault: vault.id) == 3)
        #expect(try anchor.generation(ofVault: [UInt8](repeating: 0, count: 16)) == nil)
        try anchor.advance(vault: vault.id, to: 2)
        #expect(try anchor.generation(ofVault: vault.id) == 3)
        try vault.unlock(with: VaultFolder.key(1))

        // As if it were older: the anchor has seen one more generation.
        try anchor.advance(vault: vault.id, to: 4)
        let again = try FileVault.open(at: folder.file(), options: options)
        #expect(throws: StoreError(.rolledBack, "")) { try again.unlock(with: VaultFolder.key(1)) }
        #expect(try again.isLocked())
        try folder.another().set(SecretValue("3"), for: ItemKey("a"), details: nil)
        try again.unlock(with: VaultFolder.key(1))
    }

    @Test("A vault other than the expected one is refused")
    func anotherVaultIsNotTheOneExpected() throws {
        let vault = try folder.vault("vault")
        let other = try folder.vault("other")
        var options = VaultOptions()
        options.expectedID = vault.id
        #expect(try FileVault.open(at: folder.file(), options: options).id == vault.id)
        other.close()
        #expect(throws: StoreError(.otherVault, "")) {
            try FileVault.open(at: folder.file("other"), options: options)
        }
    }
}

/// A person who does not answer.
private struct GivesUp: UnlockMethod {
    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        throw StoreError(.cancelled, "No answer.")
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        throw StoreError(.unsupported, "A person is no way in.")
    }
}
