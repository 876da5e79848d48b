// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

/// The figures of Documentation/VAULT-FORMAT.md, and array forms of what takes spans, which the macros of Swift Testing cannot hold.
enum FormatSample {
    static let vaultID = [UInt8](0..<16)
    static let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
    static let itemKey = ItemKey(service: "example.com", account: "alice")
    static let itemID = bytes("b61b2dd2f32cecd012e5fb1c68c8a91579a7559cdfccc7ef52e126236bb1b5cb")
    static let value = """
        4142434445464748494a4b4c4d4e4f50515253545556575836afa0560b1104b5e89cc0ecb1e401701e60be872ec346e40bd309af
        ae6825f3bdbc0bd42ff728f7f17078d29bf0f352673fdd2a878356d7460e8c6fdd38c24c27781ba6798d63840f487f5da7877529
        """
    static let slot = """
        010100290000000000000000000000000000000005050505050505050505050505050505050505050505050505050505050505050e
        0000000800000001db57b29a60d276e7a108675475eb9aaf4d5041489ad18fbafc9e38bd3db1148f4142434445464748494a4b4c4d
        4e4f505152535455565758a29241e730e8be9a52e2b6b6cd3af6873c5c1e17f11eeef8d41a7da7780419bba3efebc4eb3b70ac4d8b
        907bf5850061
        """

    static func key(_ byte: UInt8, _ count: Int = 32) -> SecretKey {
        SecretKey(copying: [UInt8](repeating: byte, count: count))
    }

    static func vaultKey(_ byte: UInt8 = 2, vaultID: [UInt8] = vaultID) throws -> VaultKey {
        try VaultKey(key(byte), vaultID: vaultID)
    }

    static func root(_ byte: UInt8 = 9, epoch: UInt32 = 1, vaultID: [UInt8] = vaultID) throws
        -> RootKeys
    {
        try RootKeys(root: key(byte), vaultID: vaultID, epoch: epoch)
    }

    static func exposed(_ key: SecretKey) -> [UInt8] { key.withExposedBytes { $0.copied() } }

    static func seal(
        _ plain: [UInt8], _ kind: RecordKind, subject: [UInt8] = itemID, generation: UInt64 = 7,
        with key: VaultKey
    ) throws -> [UInt8] {
        try key.seal(plain.span, as: kind, subject: subject.span, generation: generation)
    }

    static func open(
        _ sealed: [UInt8], _ kind: RecordKind, subject: [UInt8] = itemID, generation: UInt64 = 7,
        with key: VaultKey
    ) throws -> [UInt8] {
        exposed(try key.open(sealed.span, as: kind, subject: subject.span, generation: generation))
    }

    static func openPadded(_ sealed: [UInt8], with key: VaultKey) throws -> [UInt8] {
        exposed(try key.openPadded(sealed.span, as: .value, subject: itemID.span, generation: 7))
    }

    static func sealPadded(_ plain: [UInt8], nonce: [UInt8]? = nil, with key: VaultKey) throws
        -> [UInt8]
    {
        try key.sealPadded(
            plain.span, as: .value, subject: itemID.span, generation: 7, nonce: nonce)
    }

    static func bucket(_ id: [UInt8]) -> UInt16? { VaultFormat.bucket(ofItem: id.span) }

    static func accumulator(_ octets: [UInt8]) -> Accumulator? { Accumulator(octets.span) }

    static func dataKey(_ ring: VaultKeys, _ id: [UInt8]) -> VaultKey? { ring.dataKey(id.span) }

    /// The code of the error that `body` threw; nil when it threw none. libcrypto's queue is empty afterwards either way.
    static func code(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) -> StoreError.Code? {
        defer {
            #expect(
                ErrorQueue.isEmpty, "an error was left in the queue", sourceLocation: sourceLocation
            )
            ErrorQueue.clear()
        }
        do {
            try body()
            return nil
        } catch let error as StoreError {
            return error.code
        } catch {
            Issue.record("another error: \(error)", sourceLocation: sourceLocation)
            return nil
        }
    }

    /// Every text that differs from `record` in one bit, and every one that is shorter or a little longer.
    static func damaged(_ record: [UInt8]) -> [(name: String, bytes: [UInt8])] {
        var all: [(String, [UInt8])] = []
        for bit in 0..<(record.count * 8) {
            var other = record
            other[bit / 8] ^= 0x80 >> (bit % 8)
            all.append(("bit \(bit)", other))
        }
        for count in 0..<record.count {
            all.append(("cut to \(count)", Array(record.prefix(count))))
        }
        for extra in [1, 16, 64] {
            all.append(("\(extra) more", record + [UInt8](repeating: 0, count: extra)))
        }
        return all
    }
}
