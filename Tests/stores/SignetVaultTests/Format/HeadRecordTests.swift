// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Vault format: head")
struct HeadRecordTests {
    private struct Vault {
        let root: RootKeys
        let slots: [SlotRecord]
        let ring: [RingRow]
        let head: HeadRecord
    }

    private func vault() throws -> Vault {
        let root = try FormatSample.root(epoch: 3)
        let slots = try (1...3).map { number in
            try SlotRecord.make(
                NewKeySlot(
                    kind: .rawKey, parameters: [], keyEncryptionKey: FormatSample.key(UInt8(number))
                ),
                id: [UInt8](repeating: UInt8(number), count: 16), root: root)
        }
        let ring = try VaultKeys.generate(for: root).rows
        let head = try HeadRecord.make(
            root, created: ItemTime(milliseconds: 77), slots: slots, ring: ring)
        return Vault(root: root, slots: slots, ring: ring, head: head)
    }

    @Test("A head is read as it was made, and covers its slots and keys in any order")
    func roundTrip() throws {
        let vault = try vault()
        #expect(vault.head.bytes.count == 104)
        #expect(
            vault.head.bytes.starts(
                with: Array("SIGNETV1".utf8) + [0, 1, 0, 1] + FormatSample.vaultID))
        let read = try HeadRecord(parsing: vault.head.bytes)
        #expect(read == vault.head && read.epoch == 3 && read.created.milliseconds == 77)
        try read.check(vault.root, slots: vault.slots.reversed(), ring: vault.ring.reversed())
        #expect(try read.digest() == MessageDigest.digest(read.bytes, using: .sha256))
    }

    @Test("No bit of the head may change")
    func damaged() throws {
        let vault = try vault()
        for (name, bytes) in FormatSample.damaged(vault.head.bytes) {
            #expect(
                FormatSample.code {
                    try HeadRecord(parsing: bytes).check(
                        vault.root, slots: vault.slots, ring: vault.ring)
                } == .corrupt, "\(name)")
        }
    }

    @Test("No slot or key may be added, removed or exchanged")
    func members() throws {
        let vault = try vault()
        func code(_ slots: [SlotRecord], _ ring: [RingRow]) -> StoreError.Code? {
            FormatSample.code { try vault.head.check(vault.root, slots: slots, ring: ring) }
        }
        #expect(code(vault.slots, vault.ring) == nil)
        for index in 0..<3 {
            var slots = vault.slots
            slots.remove(at: index)
            #expect(code(slots, vault.ring) == .corrupt)
            var ring = vault.ring
            ring.remove(at: index)
            #expect(code(vault.slots, ring) == .corrupt)
        }
        #expect(code(vault.slots + [vault.slots[0]], vault.ring) == .corrupt)
        #expect(code(vault.slots, vault.ring + [vault.ring[0]]) == .corrupt)
        #expect(code([], []) == .corrupt)
        let other = try SlotRecord.make(
            NewKeySlot(kind: .rawKey, parameters: [], keyEncryptionKey: FormatSample.key(1)),
            id: vault.slots[0].id,
            root: vault.root)
        #expect(code([other] + vault.slots.dropFirst(), vault.ring) == .corrupt)
    }

    @Test("Another root key, epoch or vault is detected")
    func otherRoot() throws {
        let vault = try vault()
        for other in [
            try FormatSample.root(8, epoch: 3), try FormatSample.root(epoch: 2),
            try FormatSample.root(epoch: 3, vaultID: [UInt8](1...16)),
        ] {
            #expect(
                FormatSample.code {
                    try vault.head.check(other, slots: vault.slots, ring: vault.ring)
                }
                    == .corrupt)
        }
    }

    @Test("An epoch of 0 and a time of 2^63 are refused")
    func ranges() throws {
        let bytes = try vault().head.bytes
        var epoch = bytes
        for index in 36..<40 { epoch[index] = 0 }
        #expect(FormatSample.code { _ = try HeadRecord(parsing: epoch) } == .corrupt)
        var created = bytes
        created[28] = 0x80
        #expect(FormatSample.code { _ = try HeadRecord(parsing: created) } == .corrupt)
        #expect(FormatSample.code { _ = try FormatSample.root(epoch: 0) } == .invalidParameter)
    }
}
