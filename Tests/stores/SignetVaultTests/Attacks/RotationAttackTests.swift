// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SignetCrypto
import SignetVault
import Synchronization
import TestSupport
import Testing

@Suite("Root rotation while others use the vault")
struct RotationAttackTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("A root rotation locks no other thread of its process out", .timeLimit(.minutes(20)))
    func ownRootRotationLocksNobodyOut() throws {
        let vault = try folder.vault()
        let key = ItemKey("a")
        try vault.set(SecretValue("v"), for: key, details: nil)
        let errors = Errors()
        // Threads, not tasks: they wait for each other.
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for round in 0..<100 {
                do throws(StoreError) {
                    switch number {
                    case 0: try vault.rotateRootKey(keeping: [VaultFolder.key(1)])
                    case 1: try vault.set(SecretValue("\(round)"), for: ItemKey("w"), details: nil)
                    default: _ = try vault.entry(key, level: .strict)
                    }
                } catch {
                    errors.add(error)
                }
            }
        }
        #expect(errors.all.isEmpty, "\(errors.all.first?.description ?? "")")
        #expect(try !vault.isLocked())
        #expect(try vault.verify().isClean)
    }

    private final class Errors: Sendable {
        private let errors = Mutex<[StoreError]>([])
        var all: [StoreError] { errors.withLock { $0 } }

        func add(_ error: StoreError) { errors.withLock { $0.append(error) } }
    }

    @Test("A root rotation elsewhere locks the vault, and is reported")
    func rotationElsewhereLocks() throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        let other = try folder.another()
        try other.rotateRootKey(keeping: [VaultFolder.key(1)])
        #expect(throws: StoreError(.locked, "")) { try vault.entry(ItemKey("a"), level: .strict) }
        #expect(try vault.isLocked())
        try vault.unlock(with: VaultFolder.key(1))
        try other.rotateRootKey(keeping: [VaultFolder.key(1)])
        #expect(throws: StoreError(.locked, "")) {
            try vault.set(SecretValue("w"), for: ItemKey("a"), details: nil)
        }
        #expect(try vault.isLocked())
    }

    @Test("A rotation between the derivation of a key and its use is reported")
    func rotationDuringAnUnlockIsReported() throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        let other = try FileVault.open(at: folder.file())
        let slow = RotatingUnlock(vault: vault)
        do throws(StoreError) {
            try other.unlock(with: slow)
        } catch {
            #expect([.locked, .conflict].contains(error.code), "\(error)")
        }
        try other.unlock(with: VaultFolder.key(1))
        #expect(try other.entry(ItemKey("a"))?.value.text == "v")
    }
}

/// Replaces the root key while it is asked for the slot's key.
private struct RotatingUnlock: UnlockMethod {
    let vault: FileVault

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        try vault.rotateRootKey(keeping: [VaultFolder.key(1)])
        return try VaultFolder.key(1).keyEncryptionKey(for: slot)
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        try VaultFolder.key(1).newSlot(id: id, vaultID: vaultID)
    }
}
