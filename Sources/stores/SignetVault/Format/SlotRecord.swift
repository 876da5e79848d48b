// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
internal import SignetMemory

/// A key slot: the vault's root key, sealed under the key of an unlock method, such as a key that
/// is derived from a passphrase. A vault has one for each way to unlock it.
///
///     offset  size  field (VAULT-FORMAT.md, "slot"; n is |params|; integers are big-endian)
///          0     1  type, the kind
///          1     1  version, 1
///          2     2  |params|
///          4    16  slot_id
///         20     n  params, in the layout of the type (``SlotParameters``)
///       20+n    32  commit, the commitment: shows which key the root key is sealed under
///       52+n    72  the sealed root key: nonce (24), ciphertext (32), tag (16)
package struct SlotRecord: Sendable, Hashable {
    private static let version: UInt8 = 1
    private static let commitmentByteCount = 32
    private static let sealedRootByteCount = VaultFormat.keyByteCount + VaultFormat.sealByteCount

    /// The record as it is stored.
    package let bytes: [UInt8]
    package let id: [UInt8]
    package let kind: KeySlot.Kind
    /// The parameters, in the layout of the kind and within its limits.
    package let parameters: [UInt8]
    /// The derivation of a passphrase slot, with its cost; nil for another kind.
    package let passphraseAlgorithm: PasswordAlgorithm?
    private let commitmentOffset: Int

    /// Reads a slot without deriving anything. It is authentic once the head is.
    ///
    /// - Parameter rowID: the `id` of its row; nil for a record that has no row yet.
    package init(parsing bytes: [UInt8], rowID: [UInt8]?) throws(StoreError) {
        let span = bytes.span
        var cursor = ByteCursor(span)
        let place = RecordKind.slot.place
        let counts = VaultFormat.slotByteCounts
        guard counts.contains(span.count), let type = cursor.integer(UInt8.self, in: span),
            let version = cursor.integer(UInt8.self, in: span),
            let length = cursor.integer(UInt16.self, in: span),
            let id = cursor.octets(VaultFormat.slotIDByteCount, in: span)
        else {
            throw .damaged(place, byteCount: span.count, expected: counts)
        }
        let expected =
            cursor.offset + Int(length) + Self.commitmentByteCount + Self.sealedRootByteCount
        guard span.count == expected, let parameters = cursor.octets(Int(length), in: span) else {
            throw .damaged(place, byteCount: span.count, expected: expected...expected)
        }
        commitmentOffset = cursor.offset
        guard version == Self.version else {
            throw .damaged(place, problem: "its version is \(version) instead of \(Self.version)")
        }
        guard rowID == nil || rowID == id else {
            throw .damaged(place, problem: "its id is not the id of its row")
        }
        kind = KeySlot.Kind(rawValue: type)
        guard let read = SlotParameters(kind, parsing: parameters) else {
            throw .damaged(
                place, problem: "its kind, \(type), is unknown or its parameters are out of range")
        }
        self.bytes = bytes
        self.id = id
        self.parameters = parameters
        passphraseAlgorithm = read.passphraseDerivation?.algorithm
    }

    /// A new slot for a root key.
    ///
    /// - Parameter nonce: for known-answer tests only; nil takes a random nonce.
    /// - Throws: `invalidParameter` if an unlock method gave parameters beyond the format's limits.
    package static func make(
        _ new: NewKeySlot, id: [UInt8], root: RootKeys, nonce: [UInt8]? = nil
    ) throws(StoreError) -> SlotRecord {
        // Parameters that can be read are within the limits.
        guard id.count == VaultFormat.slotIDByteCount,
            SlotParameters(new.kind, parsing: new.parameters) != nil,
            let length = UInt16(exactly: new.parameters.count)
        else {
            throw StoreError(
                .invalidParameter,
                "The unlock method gave parameters for a key slot that are beyond the limits of the vault's format."
            )
        }
        var bytes: [UInt8] = [new.kind.rawValue, version]
        bytes.appendBigEndian(length)
        bytes.append(contentsOf: id)
        bytes.append(contentsOf: new.parameters)
        let (key, commitment) = try keys(new.keyEncryptionKey, vaultID: root.vaultID, front: bytes)
        bytes.append(contentsOf: commitment)
        bytes.append(
            contentsOf: try root.root.withExposedBytes { (plain) throws(StoreError) in
                try key.seal(plain, as: .slot, subject: id.span, generation: 0, nonce: nonce)
            })
        return try SlotRecord(parsing: bytes, rowID: id)
    }

    /// The root key, RK.
    ///
    /// - Returns: nil if the key is not this slot's: a wrong passphrase.
    /// - Throws: `corrupt` if the key is this slot's and the sealed root key is damaged;
    ///   `invalidValue` unless the key has 32 bytes.
    package func openRoot(with keyEncryptionKey: SecretKey, vaultID: [UInt8]) throws(StoreError)
        -> SecretKey?
    {
        let span = bytes.span
        let commitmentEnd = commitmentOffset + Self.commitmentByteCount
        let (key, commitment) = try Self.keys(
            keyEncryptionKey, vaultID: vaultID, front: Array(bytes.prefix(commitmentOffset)))
        guard constantTimeEqual(commitment.span, span.extracting(commitmentOffset..<commitmentEnd))
        else {
            return nil
        }
        let root = try key.open(
            span.extracting(commitmentEnd..<span.count), as: .slot, subject: id.span, generation: 0)
        guard root.byteCount == VaultFormat.keyByteCount else {
            throw .damaged(RecordKind.slot.place, problem: "it holds no root key")
        }
        return root
    }

    /// The slot as an unlock method sees it.
    package func keySlot(vaultID: [UInt8]) -> KeySlot {
        KeySlot(id: id, vaultID: vaultID, kind: kind, parameters: parameters)
    }

    /// Checks the number of slots. Each has already been read, so is within its own limits.
    package static func checkCounts(_ slots: [SlotRecord]) throws(StoreError) {
        guard (1...VaultFormat.maximumSlotCount).contains(slots.count) else {
            throw .damaged(
                "key slots",
                problem: "there are \(slots.count) instead of 1 to \(VaultFormat.maximumSlotCount)")
        }
        let count = slots.count(where: { $0.passphraseAlgorithm != nil })
        guard count <= VaultFormat.maximumPassphraseSlotCount else {
            throw .damaged(
                "key slots",
                problem:
                    "\(count) are for passphrases, more than \(VaultFormat.maximumPassphraseSlotCount)"
            )
        }
    }

    /// Derives the key that seals the root key (wk), and the commitment that proves which key it
    /// was derived from.
    ///
    /// - Parameter front: the record's fields before the commitment, to which both are bound.
    private static func keys(_ key: SecretKey, vaultID: [UInt8], front: [UInt8]) throws(StoreError)
        -> (wrapping: VaultKey, commitment: [UInt8])
    {
        guard key.byteCount == VaultFormat.keyByteCount else {
            throw StoreError(
                .invalidValue, "The key of a key slot has \(VaultFormat.keyByteCount) bytes.")
        }
        let both = try VaultKey.derive(
            key, label: "SIGNETV1 slot", context: vaultID + front,
            count: VaultFormat.keyByteCount + commitmentByteCount)
        var commitment: [UInt8] = []
        let wrapping = both.withExposedBytes { bytes in
            commitment = bytes.extracting(last: commitmentByteCount).copied()
            return SecretKey(copying: bytes.extracting(first: VaultFormat.keyByteCount))
        }
        // Anonymous: its name is in no record.
        return (try VaultKey(wrapping, vaultID: vaultID, isAnonymous: true), commitment)
    }
}
