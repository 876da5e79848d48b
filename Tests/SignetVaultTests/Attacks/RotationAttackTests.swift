// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SignetCrypto
import SignetVault
import TestSupport
import Testing

/// Root rotation while other threads of the same process use the same vault.
@Suite struct RotationAttackTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test(.timeLimit(.minutes(2))) func ownRootRotationLocksNobodyOut() async throws {
        let vault = try folder.vault()
        try await vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<20 { try vault.rotateRootKey(keeping: [VaultFolder.key(1)]) }
            }
            for number in 0..<2 {
                group.addTask {
                    try Self.write(vault, number)
                }
                group.addTask {
                    try Self.read(vault)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await !vault.isLocked())
        #expect(try vault.verify().isClean)
    }

    // Not async: the calls take place on several threads at once, not one after the other on the vault's queue.
    private static func write(_ vault: FileVault, _ number: Int) throws {
        for round in 0..<60 {
            try vault.set(SecretValue("\(round)"), for: ItemKey("w\(number)"), details: nil)
        }
    }

    private static func read(_ vault: FileVault) throws {
        for _ in 0..<150 {
            #expect(try vault.entry(ItemKey("a"), level: .strict)?.value.text == "v")
            #expect(try vault.item(ItemKey("absent")) == nil)
        }
    }

    /// Somebody else's rotation still locks, and says so.
    @Test func rotationElsewhereLocks() throws {
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

    /// A rotation between the derivation of a key and its use.
    @Test func rotationDuringAnUnlockIsSaidSo() throws {
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

/// Has the root key replaced while it is asked for the slot's key.
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
