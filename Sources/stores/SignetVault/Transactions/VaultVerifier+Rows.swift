// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

// The steps of a verification that read many rows. Each item has an *element*, a keyed hash of its
// id, generation and tags. A bucket's record has the number of its items and the XOR of their
// elements (``Accumulator``), and the state has both for all items, and an XOR for the buckets. To
// add an element and to take it out is the same: `toggle`.

/// What is left of a bucket's sums while its items are taken out of them: nothing, if all is well.
struct BucketSums: Equatable {
    var count: Int64 = 0
    var items = Accumulator()
}

extension VaultVerifier {
    /// Opens all buckets and proves them against the state.
    ///
    /// - Parameter state: nil if it is damaged: then nothing is compared with it.
    /// - Returns: the buckets' sums by number.
    func verifyBuckets(
        against state: StateRecord?, report: inout VaultReport
    ) throws(StoreError) -> [BucketSums] {
        var sums = [BucketSums](repeating: BucketSums(), count: VaultFormat.bucketCount)
        var all = Accumulator()
        try reportDamage(of: "bucket", in: &report) { (report) throws(StoreError) in
            try connection.withRows(of: .buckets) { (rows) throws(StoreError) in
                while try rows.step() {
                    // A damaged bucket does not end the loop over all.
                    try reportDamage(of: "bucket", in: &report) { (report) throws(StoreError) in
                        try openBucket(
                            rows, state: state, into: &sums, sumOfBuckets: &all, report: &report)
                    }
                }
            }
        }
        if let state, all != state.buckets {
            report.add(
                "state", id: [],
                problem: "A bucket is older than the state, missing, or one too many.")
        }
        return sums
    }

    /// Opens the bucket of a row, and adds its record to the sum of all.
    private func openBucket(
        _ row: VaultStatement, state: StateRecord?, into sums: inout [BucketSums],
        sumOfBuckets all: inout Accumulator, report: inout VaultReport
    ) throws(StoreError) {
        guard let number = UInt16(exactly: try row.integer(.rowKey, of: "bucket")),
            sums.indices.contains(Int(number))
        else { throw .damaged("bucket", problem: "its number is out of range") }
        let record = try row.blob(.record, count: VaultFormat.bucketByteCount, of: "bucket")
        all.toggle(try unlocked.ring.bucketElement(number: number, record: record.span))
        let opened = try BucketRecord(opening: record.span, number: number, with: unlocked.root)
        sums[Int(number)] = BucketSums(count: Int64(opened.count), items: opened.items)
        report.byteCount += record.count
        if let state, opened.generation > state.generation {
            throw .damaged("bucket", problem: "it is newer than the state")
        }
    }

    /// What is left of the sums while items are verified, and the items seen.
    private struct RemainingItems {
        /// The state's sum, without the items seen.
        var sum: Accumulator
        var seenCount: UInt64 = 0
        var lastID: [UInt8] = []
    }

    /// Opens every item and its value, and takes it out of the sums of its bucket and of the state.
    func verifyItems(
        against state: StateRecord?, buckets: inout [BucketSums], report: inout VaultReport
    ) throws(StoreError) {
        var remaining = RemainingItems(sum: state?.items ?? Accumulator())
        let total = Int(clamping: state?.count ?? 0)
        try reportDamage(of: "item", in: &report) { (report) throws(StoreError) in
            try connection.withRows(of: .items) { (rows) throws(StoreError) in
                while try rows.step() {
                    remaining.seenCount += 1
                    // The id names the finding even if the row is damaged.
                    try reportDamage(of: "item", id: rows.blob(.itemID) ?? [], in: &report) {
                        (report) throws(StoreError) in
                        let row = try ItemRow(rows)
                        try take(row, outOf: &remaining, buckets: &buckets)
                        try open(row, state: state, report: &report)
                    }
                    let seen = Int(clamping: remaining.seenCount)
                    if seen.isMultiple(of: 256) { progress?(seen, max(total, seen)) }
                }
            }
        }
        guard let state else { return }
        if remaining.seenCount != state.count || !remaining.sum.isEmpty {
            report.add(
                "state", id: [],
                problem: "An item is missing, older, one too many, or was put back.")
        }
        progress?(Int(clamping: remaining.seenCount), total)
    }

    /// Takes an item out of the sums.
    private func take(
        _ row: ItemRow, outOf remaining: inout RemainingItems, buckets: inout [BucketSums]
    ) throws(StoreError) {
        guard remaining.lastID.lexicographicallyPrecedes(row.id) else {
            throw .damaged("item", problem: "its id is not above the one before")
        }
        remaining.lastID = row.id
        let element = try unlocked.element(of: row)
        remaining.sum.toggle(element)
        guard let number = VaultFormat.bucket(ofItem: row.id.span).map(Int.init) else { return }
        buckets[number].count -= 1
        buckets[number].items.toggle(element)
    }

    /// Opens an item's metadata and value.
    private func open(
        _ row: ItemRow, state: StateRecord?, report: inout VaultReport
    ) throws(StoreError) {
        if let state, row.generation > state.generation || row.generation == 0 {
            report.add("item", id: row.id, problem: "The vault never had its generation.")
        }
        let item = try unlocked.metadata(of: row, named: nil).key
        report.itemCount += 1
        report.byteCount += row.metadata.count
        try reportDamage(of: "value", id: row.id, item: item, in: &report) {
            (report) throws(StoreError) in
            let byteCount = try connection.withSealedValue(of: row) {
                (sealed) throws(StoreError) -> Int in
                _ = try unlocked.value(sealed, of: row)
                return sealed.count
            }
            guard let byteCount else {
                throw .damaged("value of an item", problem: "it is not there")
            }
            report.valueCount += 1
            report.byteCount += byteCount
        }
    }

    /// Looks for values that no item names.
    ///
    /// If there are as many values as items whose value opened, there are none: a value opens for
    /// a single id, so no two items share one.
    func findOrphanValues(_ report: inout VaultReport) throws(StoreError) {
        let opened = Int64(clamping: report.valueCount)
        try reportDamage(of: "value", in: &report) { (report) throws(StoreError) in
            let count = try connection.withRows(of: .countValues) {
                (row) throws(StoreError) -> Int64? in
                try row.step() ? row.integer(.only) : nil
            }
            guard count != opened else { return }
            try connection.withRows(of: .orphanValues) { (row) throws(StoreError) in
                while try row.step() {
                    var octets: [UInt8] = []
                    octets.appendBigEndian(UInt64(bitPattern: row.integer(.only) ?? 0))
                    report.add("value", id: octets, problem: "It belongs to no item.")
                }
            }
        }
    }
}
