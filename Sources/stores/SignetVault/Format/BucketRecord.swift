// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The sums over the items of a bucket.
package struct BucketRecord: Sendable, Equatable {
    /// The fields that are sealed.
    private static let plainByteCount = 36

    /// The generation of the transaction that wrote it.
    package var generation: UInt64
    /// The number of items, at least 1: an empty bucket has no row.
    package var count: UInt32
    /// The sum over the items' elements.
    package var items: Accumulator

    package init(generation: UInt64, count: UInt32, items: Accumulator) {
        self.generation = generation
        self.count = count
        self.items = items
    }

    /// Opens the record of bucket `number`.
    package init(opening record: Span<UInt8>, number: UInt16, with root: RootKeys)
        throws(StoreError)
    {
        var cursor = ByteCursor(record)
        // offset  size  field (VAULT-FORMAT.md, "bucket and state")
        //      0     8  gen, big-endian, from 1
        //      8    76  the sealed sums: nonce (24), ciphertext (36), tag (16)
        guard record.count == VaultFormat.bucketByteCount,
            let generation = cursor.integer(UInt64.self, in: record)
        else {
            throw .damaged(
                "bucket", byteCount: record.count,
                expected: VaultFormat.bucketByteCount...VaultFormat.bucketByteCount)
        }
        guard (1...VaultFormat.maximumInteger).contains(generation) else {
            throw .damaged("bucket", problem: "its generation is \(generation), not 1 to 2^63 - 1")
        }
        let plain = try root.state.open(
            record.extracting(cursor.offset..<record.count), as: .bucket,
            subject: Self.subject(number).span, generation: generation)
        let opened: BucketRecord? = plain.withExposedBytes { bytes in
            var cursor = ByteCursor(bytes)
            // offset  size  field, opened
            //      0     4  count, from 1
            //      4    32  acc, the sum over the items of the bucket
            guard let count = cursor.integer(UInt32.self, in: bytes), count >= 1,
                let place = cursor.range(Accumulator.byteCount), cursor.isAtEnd,
                let items = Accumulator(bytes.extracting(place))
            else { return nil }
            return BucketRecord(generation: generation, count: count, items: items)
        }
        guard let opened else {
            throw .damaged("bucket", problem: "it does not hold what a bucket holds")
        }
        self = opened
    }

    /// The record of bucket `number`.
    package func sealed(number: UInt16, with root: RootKeys) throws(StoreError) -> [UInt8] {
        guard count >= 1, (1...VaultFormat.maximumInteger).contains(generation) else {
            throw StoreError(.invalidParameter, "A bucket's record has items and a generation.")
        }
        var plain = [UInt8]()
        plain.reserveCapacity(Self.plainByteCount)
        defer { cleanse(&plain) }
        plain.appendBigEndian(count)
        plain.append(contentsOf: items.octets)
        var record = [UInt8]()
        record.reserveCapacity(VaultFormat.bucketByteCount)
        record.appendBigEndian(generation)
        record.append(
            contentsOf: try root.state.seal(
                plain.span, as: .bucket, subject: Self.subject(number).span, generation: generation)
        )
        return record
    }

    /// What the associated data names: the bucket's number, in two octets.
    private static func subject(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}
