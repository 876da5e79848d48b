// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The head: the vault's identity, and a code over all *slots* (the root key, sealed for each way
/// to unlock) and over the *ring* (the keys that are sealed under the root key).
///
///     offset  size  field (VAULT-FORMAT.md, "head"; integers are big-endian)
///          0     8  "SIGNETV1"
///          8     2  version, 1
///         10     2  suite, 1: the algorithms
///         12    16  vault_id
///         28     8  created, in milliseconds since 1970
///         36     4  epoch, from 1: counts the root keys
///         40    32  commit: shows which root key is the vault's
///         72    32  mac, the code: HMAC over the fields before it, slots and ring; 104 in all
package struct HeadRecord: Sendable, Equatable {
    /// The fields before the code, which it covers.
    private static let coveredByteCount = 72

    /// The record as it is stored.
    package let bytes: [UInt8]
    package let vaultID: [UInt8]
    package let created: ItemTime
    package let epoch: UInt32
    private let commitment: [UInt8]
    private let code: [UInt8]

    /// Reads a head, which is not authentic before ``check(_:slots:ring:)`` has returned.
    ///
    /// - Throws: `corrupt` for another length, another version, or numbers out of range.
    package init(parsing bytes: [UInt8]) throws(StoreError) {
        let span = bytes.span
        var cursor = ByteCursor(span)
        guard span.count == VaultFormat.headByteCount,
            let magic = cursor.octets(VaultFormat.magic.count, in: span),
            let version = cursor.integer(UInt16.self, in: span),
            let suite = cursor.integer(UInt16.self, in: span),
            let vaultID = cursor.octets(VaultFormat.vaultIDByteCount, in: span),
            let created = cursor.integer(UInt64.self, in: span),
            let epoch = cursor.integer(UInt32.self, in: span),
            let commitment = cursor.octets(VaultFormat.keyByteCount, in: span),
            let code = cursor.octets(VaultFormat.keyByteCount, in: span), cursor.isAtEnd
        else {
            throw .damaged(
                "head", byteCount: span.count,
                expected: VaultFormat.headByteCount...VaultFormat.headByteCount)
        }
        guard magic == VaultFormat.magic else {
            throw .damaged("head", problem: "it does not begin with SIGNETV1")
        }
        guard version == VaultFormat.version, suite == VaultFormat.suite else {
            throw .damaged(
                "head",
                problem: "its version is \(version) and its suite \(suite), instead of 1 and 1")
        }
        guard created <= VaultFormat.maximumInteger, epoch >= 1 else {
            throw .damaged(
                "head",
                problem: "its time, \(created), is above 2^63 - 1, or its epoch, \(epoch), is 0")
        }
        self.bytes = bytes
        self.vaultID = vaultID
        self.created = ItemTime(milliseconds: created)
        self.epoch = epoch
        self.commitment = commitment
        self.code = code
    }

    /// Makes the head over the given slots and keys.
    package static func make(
        _ keys: RootKeys, created: ItemTime, slots: [SlotRecord], ring: [RingRow]
    ) throws(StoreError) -> HeadRecord {
        var bytes = VaultFormat.magic
        bytes.reserveCapacity(VaultFormat.headByteCount)
        bytes.appendBigEndian(VaultFormat.version)
        bytes.appendBigEndian(VaultFormat.suite)
        bytes.append(contentsOf: keys.vaultID)
        bytes.appendBigEndian(created.milliseconds)
        bytes.appendBigEndian(keys.epoch)
        bytes.append(contentsOf: keys.commitment)
        bytes.append(contentsOf: try keys.headCode(bytes, slots: slots, ring: ring))
        return try HeadRecord(parsing: bytes)
    }

    /// Checks that the head belongs to this root key, and covers these slots and this ring.
    ///
    /// - Throws: `corrupt` if not.
    package func check(_ keys: RootKeys, slots: [SlotRecord], ring: [RingRow]) throws(StoreError) {
        let expectedCommitment = keys.commitment
        let isOfRootKey =
            keys.vaultID == vaultID && keys.epoch == epoch
            && constantTimeEqual(commitment.span, expectedCommitment.span)
        guard isOfRootKey else {
            throw .damaged("head", problem: "it is not of the root key that the key slot holds")
        }
        let expectedCode = try keys.headCode(
            Array(bytes.prefix(Self.coveredByteCount)), slots: slots, ring: ring)
        guard constantTimeEqual(code.span, expectedCode.span) else {
            throw .damaged("head", problem: "it, a key slot or the key ring was changed")
        }
    }

    /// SHA-256 of the record, which the vault's state contains.
    package func digest() throws(StoreError) -> [UInt8] {
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            try MessageDigest.digest(bytes, using: .sha256)
        }
    }
}
