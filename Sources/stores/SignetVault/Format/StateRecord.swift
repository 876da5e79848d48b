// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The sums over the whole vault, which authenticate an absence, a list and a generation. A *sum*
/// is the XOR of keyed hashes (``Accumulator``): of all items, and of all *buckets*, which are the
/// 4,096 parts of the items.
///
///     offset  size  field (VAULT-FORMAT.md, "bucket and state"; integers are big-endian)
///          0     8  gen, the generation, from 1
///          8   160  the sealed sums: nonce (24), ciphertext (120), tag (16)
///
///     offset  size  field of the sealed sums, opened
///          0     8  count, the number of items
///          8    32  acc, the sum over all items
///         40    32  accB, the sum over all buckets
///         72    16  kid, the name of the data key that writers use
///         88    32  SHA-256 of the head
package struct StateRecord: Sendable, Equatable {
    /// The fields that are sealed.
    private static let plainByteCount = 120
    /// Where the sealed fields begin: after the generation.
    private static let sealedOffset = 8

    /// Increases by one with each transaction that writes, from 1.
    package var generation: UInt64
    package var count: UInt64
    package var items: Accumulator
    package var buckets: Accumulator
    package var activeKeyID: [UInt8]
    package var headDigest: [UInt8]

    package init(
        generation: UInt64, count: UInt64, items: Accumulator, buckets: Accumulator,
        activeKeyID: [UInt8], headDigest: [UInt8]
    ) {
        self.generation = generation
        self.count = count
        self.items = items
        self.buckets = buckets
        self.activeKeyID = activeKeyID
        self.headDigest = headDigest
    }

    /// The generation that a record claims, before it is opened; nil if it has none.
    package static func claimedGeneration(_ record: Span<UInt8>) -> UInt64? {
        var cursor = ByteCursor(record)
        guard record.count == VaultFormat.stateByteCount,
            let generation = cursor.integer(UInt64.self, in: record),
            (1...VaultFormat.maximumInteger).contains(generation)
        else { return nil }
        return generation
    }

    /// Opens the record.
    ///
    /// - Throws: `corrupt` if it is not a state that was sealed with this root key, at the
    ///   generation that it claims.
    package init(opening record: Span<UInt8>, with root: RootKeys) throws(StoreError) {
        guard record.count == VaultFormat.stateByteCount else {
            throw .damaged(
                "state", byteCount: record.count,
                expected: VaultFormat.stateByteCount...VaultFormat.stateByteCount)
        }
        guard let generation = Self.claimedGeneration(record) else {
            throw .damaged("state", problem: "its generation is 0 or above 2^63 - 1")
        }
        // `root.state` is the key for state and buckets. A state has no subject: there is only one.
        let plain = try root.state.open(
            record.extracting(Self.sealedOffset..<record.count), as: .state, subject: Span(),
            generation: generation)
        let opened: StateRecord? = plain.withExposedBytes { bytes in
            var cursor = ByteCursor(bytes)
            guard let count = cursor.integer(UInt64.self, in: bytes),
                count <= VaultFormat.maximumInteger,
                let itemsPlace = cursor.range(Accumulator.byteCount),
                let bucketsPlace = cursor.range(Accumulator.byteCount),
                let active = cursor.octets(VaultFormat.keyIDByteCount, in: bytes),
                let digest = cursor.octets(VaultFormat.digestByteCount, in: bytes), cursor.isAtEnd,
                let items = Accumulator(bytes.extracting(itemsPlace)),
                let buckets = Accumulator(bytes.extracting(bucketsPlace))
            else { return nil }
            return StateRecord(
                generation: generation, count: count, items: items, buckets: buckets,
                activeKeyID: active, headDigest: digest)
        }
        guard let opened else {
            throw .damaged("state", problem: "it does not hold what a state holds")
        }
        self = opened
    }

    /// The record as it is stored.
    ///
    /// - Throws: `invalidParameter` for a key name or digest of another length, or a generation out
    ///   of range.
    package func sealed(with root: RootKeys) throws(StoreError) -> [UInt8] {
        var plain = [UInt8]()
        plain.reserveCapacity(Self.plainByteCount)
        defer { cleanse(&plain) }
        plain.appendBigEndian(count)
        plain.append(contentsOf: items.octets)
        plain.append(contentsOf: buckets.octets)
        plain.append(contentsOf: activeKeyID)
        plain.append(contentsOf: headDigest)
        guard plain.count == Self.plainByteCount else {
            throw StoreError(
                .invalidParameter,
                "The state has \(plain.count) bytes instead of \(Self.plainByteCount).")
        }
        guard (1...VaultFormat.maximumInteger).contains(generation) else {
            throw StoreError(
                .invalidParameter, "The state's generation is \(generation), not 1 to 2^63 - 1.")
        }
        var record = [UInt8]()
        record.reserveCapacity(VaultFormat.stateByteCount)
        record.appendBigEndian(generation)
        record.append(
            contentsOf: try root.state.seal(
                plain.span, as: .state, subject: Span(), generation: generation))
        return record
    }
}
