// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The number and the sum of a bucket's items, while a transaction changes them.
struct OpenBucket {
    /// The bucket's record before the transaction, sealed; nil if there was none.
    let recordBefore: [UInt8]?
    var count: UInt32 = 0
    /// The sum of the items' elements.
    var items = Accumulator()

    /// - Parameter record: of bucket `number`; nil for none.
    init(opening record: [UInt8]?, number: UInt16, with root: RootKeys) throws(StoreError) {
        recordBefore = record
        guard let record else { return }
        let opened = try BucketRecord(opening: record.span, number: number, with: root)
        count = opened.count
        items = opened.items
    }
}

/// A bucket's record, and its element in the state's sum of buckets.
struct SummedRecord {
    let octets: [UInt8]
    let element: Accumulator
}

/// Proves that no item is missing, extra or old. The items are in 4,096 parts, the *buckets*, by
/// the first bits of their ids. Each bucket has a sealed record, and the vault has the *state*, a
/// sealed record over all buckets. Each connection of a vault has a proof, in two levels:
/// 1. ``proveBuckets(_:state:keys:on:)``: the buckets' records are the records that the state
///    covers. It holds while the state has the same octets. For another state the records are read
///    again, and only changed records are recomputed.
/// 2. ``proveBucket(of:found:keys:on:open:)``: the rows of a bucket are what its record covers.
///
/// "Covers" means that a record has a number and a sum: how many parts there are, and the XOR of
/// their *elements*, keyed hashes. For the items a and b, a bucket has the number 2 and the sum
/// a XOR b. Each row that is found is taken out of number and sum, and nothing may be left.
final class VaultProof {
    /// The octets of the state's record; nil while nothing is proved.
    private var state: [UInt8]?
    /// The buckets' records by number; nil if a bucket has none.
    private var records = [[UInt8]?](repeating: nil, count: VaultFormat.bucketCount)
    /// The element of each record in ``sum``, by number.
    private var elements = [Accumulator](repeating: Accumulator(), count: VaultFormat.bucketCount)
    /// The sum of all elements, which the state must name.
    private var sum = Accumulator()
    /// Whether the rows of a bucket were proved for a write, while no other connection has written.
    private var areRowsProved = [Bool](repeating: false, count: VaultFormat.bucketCount)
    /// The connection's data version for which ``areRowsProved`` holds. SQLite changes this number
    /// when another connection has written.
    private var dataVersion: Int64?

    /// Proves all buckets' records against the state.
    ///
    /// - Parameter octets: the state's record, which was opened to `state` in this transaction.
    func proveBuckets(
        _ octets: [UInt8], state: StateRecord, keys unlocked: UnlockedKeys,
        on connection: VaultConnection
    ) throws(StoreError) {
        if octets == self.state { return }
        self.state = nil
        try connection.withRows(of: .buckets) { (row) throws(StoreError) in
            // The rows ascend by number. A number that is left out has no record.
            var next = 0
            while try row.step() {
                let number = Int(clamping: try row.integer(.rowKey, of: "bucket"))
                guard number >= next, number < VaultFormat.bucketCount else {
                    throw .damaged("bucket")
                }
                let record = try row.blob(.record, count: VaultFormat.bucketByteCount, of: "bucket")
                for missing in next..<number { removeRecord(missing) }
                if records[number] != record {
                    let element = try unlocked.ring.bucketElement(
                        number: UInt16(clamping: number), record: record.span)
                    setRecord(number, to: SummedRecord(octets: record, element: element))
                }
                next = number + 1
            }
            for missing in next..<VaultFormat.bucketCount { removeRecord(missing) }
        }
        guard sum == state.buckets else {
            forgetRecords()
            throw .damaged(
                "list of buckets", problem: "one is older than the state, missing, or one too many")
        }
        self.state = octets
    }

    /// Proves that an item's bucket is complete and current, and that `found` is the only row with
    /// the item's id. If `found` is nil, this proves that the item is absent.
    ///
    /// - Parameters:
    ///   - found: the result of a search by the item's id.
    ///   - open: the bucket's sums, if this transaction has changed them.
    func proveBucket(
        of id: [UInt8], found: ItemRow?, keys unlocked: UnlockedKeys,
        on connection: VaultConnection, open: OpenBucket?
    ) throws(StoreError) {
        let number = try Self.bucketNumber(of: id)
        let record = try Self.record(number, on: connection)
        try requireProvedRecord(record, of: number)
        // A transaction writes the record only at its end.
        if let open { try requireProvedRecord(open.recordBefore, of: number) }
        var remaining =
            if let open { open } else {
                try OpenBucket(opening: record, number: number, with: unlocked.root)
            }
        let listedElement = try takeRows(
            ofBucket: number, outOf: &remaining, lookingFor: id, keys: unlocked, on: connection)
        guard remaining.count == 0, remaining.items.isEmpty else {
            throw .damaged("bucket", problem: "an item of it is missing, older, or was put back")
        }
        // On pages in broken order, the search and the list may have found different rows.
        let foundElement = try found.map(unlocked.element)
        guard listedElement == foundElement else {
            throw .damaged("item", problem: "it cannot be found by its id")
        }
    }

    /// Lists the rows of a bucket, and takes each out of the bucket's number and sum.
    ///
    /// - Returns: the element of the row with the id `wantedID`; nil if there is no such row.
    private func takeRows(
        ofBucket number: UInt16, outOf remaining: inout OpenBucket, lookingFor wantedID: [UInt8],
        keys unlocked: UnlockedKeys, on connection: VaultConnection
    ) throws(StoreError) -> Accumulator? {
        var wantedElement: Accumulator?
        var lastID: [UInt8] = []
        // One array for all rows, so that a row costs no allocation.
        var octets: [UInt8] = []
        octets.reserveCapacity(VaultKeys.elementOctetCount)
        // The ids of the bucket: from its lowest id on, below the next bucket's.
        try connection.withRows(
            of: .itemTags, binding: Self.lowestID(inBucket: number),
            Self.lowestID(inBucket: number &+ 1)
        ) { (rows) throws(StoreError) in
            while try rows.step() {
                guard remaining.count > 0 else {
                    throw .damaged("bucket", problem: "an item too many is in it")
                }
                remaining.count -= 1
                try Self.readElement(of: rows, into: &octets)
                let element = try unlocked.ring.element(ofOctets: octets)
                remaining.items.toggle(element)
                // The octets begin with "I" and the id.
                let rowID = octets[1...VaultFormat.itemIDByteCount]
                // Where ids do not ascend, a search would miss rows.
                guard lastID.lexicographicallyPrecedes(rowID) else {
                    throw .damaged("item", problem: "its id is not above the one before")
                }
                lastID.replaceSubrange(0..., with: rowID)
                if rowID.elementsEqual(wantedID) { wantedElement = element }
            }
        }
        return wantedElement
    }

    /// What an item's element is the hash of (``VaultKeys/element(ofOctets:)``): "I", and from the
    /// columns of its row the id, the generation, and the tags of metadata and value.
    private static func readElement(
        of row: VaultStatement, into octets: inout [UInt8]
    ) throws(StoreError) {
        octets.removeAll(keepingCapacity: true)
        octets.append(UInt8(ascii: "I"))
        let tagByteCount = VaultFormat.tagByteCount
        try row.appendBlob(.taggedID, count: VaultFormat.itemIDByteCount, to: &octets, of: "item")
        octets.appendBigEndian(try row.integer(.taggedGeneration, of: "item"))
        // Sealed metadata ends with its tag.
        try row.appendSuffix(.taggedMetadata, count: tagByteCount, to: &octets, of: "item")
        try row.appendBlob(.taggedValueTag, count: tagByteCount, to: &octets, of: "item")
    }

    /// Proves an item's bucket before a write to it: what is written can be read back.
    ///
    /// A bucket's rows that were proved once count as proved while only this connection writes,
    /// because it changes the sums with each row. So several writes in sequence prove a bucket
    /// once. Each write still compares the bucket's record, and checks whether another connection
    /// has written.
    ///
    /// - Parameter version: the connection's data version in this transaction. Nil if SQLite does
    ///   not say: then no row counts as proved.
    func proveBucketToWrite(
        of id: [UInt8], found: ItemRow?, keys unlocked: UnlockedKeys,
        on connection: VaultConnection, version: Int64?, open: OpenBucket?
    ) throws(StoreError) {
        if version == nil || version != dataVersion {
            areRowsProved = [Bool](repeating: false, count: VaultFormat.bucketCount)
            dataVersion = version
        }
        let number = try Self.bucketNumber(of: id)
        guard areRowsProved[Int(number)] else {
            try proveBucket(of: id, found: found, keys: unlocked, on: connection, open: open)
            areRowsProved[Int(number)] = true
            return
        }
        let record =
            if let open { open.recordBefore } else { try Self.record(number, on: connection) }
        try requireProvedRecord(record, of: number)
    }

    private func requireProvedRecord(_ record: [UInt8]?, of number: UInt16) throws(StoreError) {
        guard record == records[Int(number)] else {
            throw .damaged("bucket", problem: "it was changed")
        }
    }

    /// The number of an item's bucket, which is an index of the arrays by number.
    private static func bucketNumber(of id: [UInt8]) throws(StoreError) -> UInt16 {
        guard let number = VaultFormat.bucket(ofItem: id.span), number < VaultFormat.bucketCount
        else { throw .damaged("item") }
        return number
    }

    /// Continues the proof with what a transaction has written and committed, if the proof was of
    /// the state before that transaction.
    func advance(_ outcome: VaultWriter.Outcome) {
        guard state == outcome.stateBefore else { return }
        for (number, change) in outcome.buckets {
            switch change {
            case .removed: removeRecord(Int(number))
            case .written(let record): setRecord(Int(number), to: record)
            }
        }
        state = outcome.state
    }

    /// The record of a bucket; nil if there is none.
    static func record(_ number: UInt16, on connection: VaultConnection) throws(StoreError)
        -> [UInt8]?
    {
        try connection.withRows(of: .bucket, binding: Int64(number)) {
            (row) throws(StoreError) -> [UInt8]? in
            guard try row.step() else { return nil }
            return try row.blob(.only, count: VaultFormat.bucketByteCount, of: "bucket")
        }
    }

    /// More than any id: all ones, and an octet longer.
    static let aboveEveryID = [UInt8](repeating: 0xff, count: VaultFormat.itemIDByteCount + 1)

    /// The lowest id of a bucket, whose number is the id's first 12 bits; after the last bucket,
    /// ``aboveEveryID``.
    static func lowestID(inBucket number: UInt16) -> [UInt8] {
        guard number < VaultFormat.bucketCount else { return aboveEveryID }
        return [UInt8(truncatingIfNeeded: number >> 4), UInt8(truncatingIfNeeded: number << 4)]
    }

    /// Puts a record in place of the bucket's old one, also in the sum.
    private func setRecord(_ number: Int, to record: SummedRecord) {
        guard records.indices.contains(number) else { return }
        sum.toggle(elements[number])
        sum.toggle(record.element)
        records[number] = record.octets
        elements[number] = record.element
    }

    private func removeRecord(_ number: Int) {
        guard records.indices.contains(number), records[number] != nil else { return }
        sum.toggle(elements[number])
        elements[number] = Accumulator()
        records[number] = nil
    }

    private func forgetRecords() {
        state = nil
        records = [[UInt8]?](repeating: nil, count: VaultFormat.bucketCount)
        elements = [Accumulator](repeating: Accumulator(), count: VaultFormat.bucketCount)
        sum = Accumulator()
    }
}
