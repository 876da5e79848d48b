// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Reads and writes a vault in one transaction; the closure of `FileVault.write(_:)` receives it:
/// `try vault.write { try $0.set("hunter2", for: key) }`.
///
/// A writer reads its own writes at once; other readers see all of them when the closure has
/// returned, or nothing. A call that throws leaves its item unchanged, so the closure may continue,
/// for example after `alreadyExists`. If that is impossible, nothing of the transaction is kept,
/// even if the error is caught. Use it only inside the closure: after that it throws `unsupported`.
public final class VaultWriter: VaultReader {
    // Each item is in a bucket, one of 4,096 parts of the vault. A bucket's sealed record has the
    // number and the sum of its items; the state, a sealed record too, has those of all items, and
    // the sum of all buckets. An item's part of a sum is its element, a keyed hash of its row.
    //
    // All changes share one generation, a number one above the state's before. Each changed bucket
    // and the state are sealed once, in `finish()`.
    //
    // The sums are taken from the old records and updated with each change. They are never computed
    // anew from the rows: that would accept a row or bucket that somebody put back to an older
    // form.

    /// The time of everything that this transaction writes.
    let now: ItemTime
    /// The state as it will be after the transaction.
    var state: StateRecord
    /// The generation of everything that this transaction writes.
    let generation: UInt64
    /// The number by which SQLite tells that another connection has written, once asked: it does
    /// not change in a transaction.
    var dataVersion: Int64?
    /// The key of the ring that rows are sealed with.
    let dataKey: VaultKey
    /// The buckets whose items this transaction has changed, by number. Not yet sealed.
    private var openBuckets: [UInt16: OpenBucket] = [:]
    /// The number of the newest row of `val`, the table of values; nil until the transaction needs
    /// a new number.
    private var lastValueNumber: Int64?
    private var hasChanges = false
    /// How many rows have begun to change.
    private var changeCount = 0
    /// The error that keeps this transaction from being committed.
    private var failure: StoreError?
    /// The keys after the commit, if the keys or the ways to unlock changed: the head, which has a
    /// code over both, is another then.
    private(set) var successor: UnlockedKeys?
    /// The changes that listeners receive after the commit.
    var changes: [StoreChange] = []
    /// The buckets' rows that this transaction has written or removed, by number.
    private var changedBuckets: [UInt16: BucketChange] = [:]
    /// Why it cannot be proved that an item which ``remove(_:)`` removed in this transaction is
    /// absent now: `corrupt`, with what is damaged beside it. Nil if it can be proved of every
    /// removed item.
    ///
    /// The removal stands. A strict read of the item throws `corrupt`, like a strict read of every
    /// absent item of the same bucket.
    public private(set) var unprovedAbsence: StoreError?

    /// Continues from what `reader` sees, whose keys match the head, in a transaction that may
    /// write.
    init(continuing reader: VaultReader, now: ItemTime) throws(StoreError) {
        let state = try reader.stateBefore().record
        guard state.generation < VaultFormat.maximumInteger else {
            throw .damaged(
                "state", problem: "its generation is the last, \(VaultFormat.maximumInteger)")
        }
        guard let key = reader.unlocked.ring.dataKey(state.activeKeyID.span) else {
            throw .damaged("state", problem: "it names no data key of the key ring")
        }
        self.now = now
        self.state = state
        generation = state.generation + 1
        dataKey = key
        super.init(continuing: reader)
    }

    override func currentState() throws(StoreError) -> StateRecord { state }

    override func openBucket(_ number: UInt16) -> OpenBucket? { openBuckets[number] }

    // MARK: Calls that change items

    /// Runs a call that changes items. If the call fails after it has begun to change a row, the
    /// transaction cannot be committed any more.
    func runChange<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        if let failure { throw failure }
        try requireOpen()
        let countBefore = changeCount
        do {
            return try body()
        } catch {
            let error = withoutInternalCode(error)
            if changeCount != countBefore { failure = error }
            throw error
        }
    }

    func noteUnprovedAbsence(_ error: StoreError) {
        if unprovedAbsence == nil { unprovedAbsence = error }
    }

    /// Called before a row is changed.
    func noteChange() { changeCount += 1 }

    // MARK: Keys

    /// Puts the digest of the keys' head, which is written already, into the state. The keys are
    /// the vault's after the commit.
    func noteHead(of keys: UnlockedKeys) {
        successor = keys
        state.headDigest = keys.headDigest
        hasChanges = true
    }

    /// Re-seals all buckets, unchanged, under another root key. The new key changes the buckets'
    /// codes, and so the state's sum of buckets.
    func sealBuckets(for root: RootKeys) throws(StoreError) {
        var records: [(number: UInt16, octets: [UInt8])] = []
        try connection.withRows(of: .buckets) { (rows) throws(StoreError) in
            while try rows.step() {
                let number = UInt16(clamping: try rows.integer(.rowKey, of: "bucket"))
                let octets = try rows.blob(
                    .record, count: VaultFormat.bucketByteCount, of: "bucket")
                records.append((number, octets))
            }
        }
        state.buckets = Accumulator()
        for (number, octets) in records {
            var bucket = try BucketRecord(opening: octets.span, number: number, with: unlocked.root)
            bucket.generation = generation
            try putBucket(bucket.sealed(number: number, with: root), number: number)
        }
    }

    // MARK: Sums

    /// Adds an item's element to the sums of its bucket and of the state, or takes it out: both are
    /// the same operation (``Accumulator/toggle(_:)``).
    ///
    /// A removal must succeed in a damaged vault too. So it leaves a damaged bucket as it is, and
    /// it accepts a row that the state does not count: the state's sum is wrong after that, and
    /// shows the damage to later proofs.
    ///
    /// - Parameters:
    ///   - id: the item's.
    ///   - change: the change in the number of items: -1, 0 or 1. It is 0 for an item that is
    ///     replaced: its old element is taken out, and its new one is added.
    func toggleSums(
        _ element: Accumulator, ofItem id: [UInt8], countChange change: Int
    ) throws(StoreError) {
        guard let number = VaultFormat.bucket(ofItem: id.span) else { throw .damaged("item") }
        let isRemoval = change < 0
        guard let newTotal = Int64(exactly: state.count)?.addingReportingOverflow(Int64(change)),
            !newTotal.overflow, newTotal.partialValue >= 0 || isRemoval
        else { throw .damaged("state", problem: "it counts fewer items than there are") }
        do {
            openBuckets[number] = try toggledBucket(number, with: element, countChange: change)
        } catch {
            guard isRemoval, error.code == .corrupt else { throw error }
        }
        state.count = UInt64(max(0, newTotal.partialValue))
        state.items.toggle(element)
        hasChanges = true
    }

    /// A bucket, opened if this transaction has not opened it before, with an element toggled.
    private func toggledBucket(
        _ number: UInt16, with element: Accumulator, countChange change: Int
    ) throws(StoreError) -> OpenBucket {
        var bucket = if let open = openBuckets[number] { open } else { try readBucket(number) }
        guard let count = UInt32(exactly: Int64(bucket.count) + Int64(change)) else {
            throw .damaged("bucket", problem: "it counts fewer items than it has")
        }
        bucket.count = count
        bucket.items.toggle(element)
        // An empty bucket has no record. With a sum that is left over, an item was lost, and
        // nothing would say so once the record is removed.
        guard count > 0 || bucket.items.isEmpty else {
            throw .damaged("bucket", problem: "an item of it is missing, older, or was put back")
        }
        return bucket
    }

    /// A number for a new row of `val`.
    func newValueNumber() throws(StoreError) -> Int64 {
        let last = if let lastValueNumber { lastValueNumber } else { try readLastValueNumber() }
        guard last < Int64.max else {
            throw .damaged("value of an item", problem: "its number is the last")
        }
        lastValueNumber = last + 1
        return last + 1
    }

    // MARK: The end

    /// What a transaction did to a bucket's row.
    enum BucketChange {
        case removed
        case written(SummedRecord)
    }

    /// The result of a finished transaction, for connections that remember the state before it.
    struct Outcome {
        /// The state's record before the transaction, and after it.
        let stateBefore: [UInt8]
        let state: [UInt8]
        let generation: UInt64
        /// The changed buckets by number.
        let buckets: [UInt16: BucketChange]
    }

    /// Writes buckets and state. Nil if nothing was changed.
    func finish() throws(StoreError) -> Outcome? {
        if let failure { throw failure }
        try requireOpen()
        guard hasChanges else { return nil }
        for (number, bucket) in openBuckets.sorted(by: { $0.key < $1.key }) {
            try writeBucket(bucket, number: number)
        }
        let stateBefore = try stateBefore().octets
        state.generation = generation
        // A root key that this transaction has replaced seals nothing any more.
        let octets = try state.sealed(with: successor?.root ?? unlocked.root)
        try connection.run(.putState, binding: octets)
        return Outcome(
            stateBefore: stateBefore, state: octets, generation: generation, buckets: changedBuckets
        )
    }

    private func readBucket(_ number: UInt16) throws(StoreError) -> OpenBucket {
        try OpenBucket(
            opening: VaultProof.record(number, on: connection), number: number, with: unlocked.root)
    }

    /// Seals a bucket and writes its row, or removes the row of a bucket that has become empty. The
    /// state's sum of buckets changes with it.
    private func writeBucket(_ bucket: OpenBucket, number: UInt16) throws(StoreError) {
        if let before = bucket.recordBefore {
            state.buckets.toggle(
                try unlocked.ring.bucketElement(number: number, record: before.span))
        }
        guard bucket.count > 0 else {
            try connection.run(.dropBucket, binding: Int64(number))
            changedBuckets[number] = .removed
            return
        }
        let record = BucketRecord(generation: generation, count: bucket.count, items: bucket.items)
        try putBucket(record.sealed(number: number, with: unlocked.root), number: number)
    }

    private func putBucket(_ record: [UInt8], number: UInt16) throws(StoreError) {
        let element = try unlocked.ring.bucketElement(number: number, record: record.span)
        state.buckets.toggle(element)
        try connection.run(.putBucket, binding: Int64(number), record)
        changedBuckets[number] = .written(SummedRecord(octets: record, element: element))
    }

    /// The highest number in `val`; 0 without rows, so that numbers begin at 1.
    private func readLastValueNumber() throws(StoreError) -> Int64 {
        try connection.withRows(of: .lastValue) { (rows) throws(StoreError) -> Int64 in
            guard try rows.step() else { return 0 }
            return max(0, rows.integer(.only) ?? 0)
        }
    }
}
