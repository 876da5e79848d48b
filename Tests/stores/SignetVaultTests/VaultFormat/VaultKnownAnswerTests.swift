// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

/// The last section of Documentation/VAULT-FORMAT.md; signetv1.py checks itself against the same.
@Suite("The document's known answers")
struct VaultKnownAnswerTests {
    private static let vaultID = [UInt8](0..<16)
    private static let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
    private static let item = ItemKey(service: "example.com", account: "alice")
    private static let id = bytes(
        "b61b2dd2f32cecd012e5fb1c68c8a91579a7559cdfccc7ef52e126236bb1b5cb")

    private static func key(_ octet: UInt8) throws -> VaultKey {
        try VaultKey(SecretKey(copying: [UInt8](repeating: octet, count: 32)), vaultID: vaultID)
    }

    private static func root() throws -> RootKeys {
        try RootKeys(
            root: SecretKey(copying: [UInt8](repeating: 9, count: 32)), vaultID: vaultID, epoch: 1)
    }

    @Test("A data key's kid matches")
    func keyID() throws { #expect(hex(try Self.key(2).id) == "4f91d5e7d801f0bc7980a3a41d28b21c") }

    @Test("An item's id matches")
    func itemID() throws {
        let root = try Self.root()
        let rows = try zip([3, 4, 2] as [UInt8], "NSD".utf8).map { octet, purpose in
            let key = try Self.key(octet)
            let plain = [purpose] + [UInt8](repeating: octet, count: 32)
            let kid = key.id
            let sealed = try root.wrap.seal(plain.span, as: .ring, subject: kid.span, generation: 0)
            return try RingRow(keyID: kid, sealed: sealed)
        }
        let ring = try VaultKeys(opening: rows, with: root)
        #expect(try ring.itemID(for: Self.item) == Self.id)
    }

    @Test("A sealed value matches")
    func value() throws {
        let key = try Self.key(2)
        let text = Array("hunter2".utf8)
        let id = Self.id
        let sealed = try key.sealPadded(
            text.span, as: .value, subject: id.span, generation: 7, nonce: Self.nonce)
        #expect(
            sealed
                == bytes(
                    """
                    4142434445464748494a4b4c4d4e4f50515253545556575836afa0560b1104b5
                    e89cc0ecb1e401701e60be872ec346e40bd309afae6825f3bdbc0bd42ff728f7
                    f17078d29bf0f352673fdd2a878356d7460e8c6fdd38c24c27781ba6798d6384
                    0f487f5da7877529
                    """))
        let opened = try key.openPadded(sealed.span, as: .value, subject: id.span, generation: 7)
        #expect(opened.octets == Array("hunter2".utf8))
    }

    @Test("A slot matches")
    func slot() throws {
        let salt = [UInt8](repeating: 5, count: 32)
        let key = try KeyDerivation.scrypt(
            password: SecretBytes(copying: "correct horse".utf8), salt: salt, cost: 1 << 14)
        let new = NewKeySlot(
            kind: .scrypt, parameters: salt + [14, 0, 0, 0, 8, 0, 0, 0, 1], keyEncryptionKey: key)
        let id = [UInt8](repeating: 0, count: 16)
        let slot = try SlotRecord.make(new, id: id, root: Self.root(), nonce: Self.nonce)
        #expect(
            slot.bytes
                == bytes(
                    """
                    0101002900000000000000000000000000000000050505050505050505050505
                    05050505050505050505050505050505050505050e0000000800000001db57b2
                    9a60d276e7a108675475eb9aaf4d5041489ad18fbafc9e38bd3db1148f414243
                    4445464748494a4b4c4d4e4f505152535455565758a29241e730e8be9a52e2b6
                    b6cd3af6873c5c1e17f11eeef8d41a7da7780419bba3efebc4eb3b70ac4d8b90
                    7bf5850061
                    """))
        let method = PassphraseUnlock("correct horse")
        let found = try #require(
            try method.keyEncryptionKey(for: slot.keySlot(vaultID: Self.vaultID)))
        let root = try #require(try slot.openRoot(with: found, vaultID: Self.vaultID))
        #expect(root.octets == [UInt8](repeating: 9, count: 32))
    }
}
