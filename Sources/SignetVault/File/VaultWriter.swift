// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Reads and writes a vault in one transaction: what the closure of `FileVault.write(_:)` is
/// given.
///
/// What it has written it reads back at once; others see all of it when the closure has returned,
/// or nothing. A call that throws leaves what it is about as it was, so that the closure may go on
/// after an `alreadyExists`; where that cannot be, nothing of the transaction is kept, even if the
/// error is caught. It is of use inside of the closure only: one that was kept throws
/// `unsupported`.
public final class VaultWriter: VaultReader {
    // All changes share one generation; each bucket touched, and the state, is sealed once, at the
    // end.
    //
    // What was read is opened and believed, never computed again: a row or a bucket that was rolled
    // back leaves the sums wrong for good, it is not absorbed here.
    let now: ItemTime
    /// The state as it will stand there afterwards.
    var state: StateRecord
    /// The generation of everything that this transaction writes.
    let generation: UInt64
    /// The key that rows are sealed with.
    let dataKey: VaultKey
    private var buckets: [UInt16: OpenBucket] = [:]
    private var nextValue: Int64?
    private var isTouched = false
    /// How many rows were begun to be changed.
    private var changeCount = 0
    /// What keeps this transaction from being kept.
    private var failure: StoreError?
    /// The session that goes on when the transaction is committed, where head, slots or ring are
    /// changed.
    private(set) var successor: VaultSession?
    /// What listeners are told when the transaction is committed.
    var changes: [StoreChange] = []
    private var changed: [UInt16: [UInt8]] = [:]

    /// Goes on from what `reader` sees, which has the session of the head that is there, in a
    /// transaction that may write.
    init(_ reader: VaultReader, now: ItemTime) throws(StoreError) {
        let state = try reader.stateBefore().state
        guard state.generation < VaultFormat.maximumInteger,
            let key = reader.session.ring.dataKey(state.activeKeyID.span)
        else { throw .damaged("state", "its generation is the last, or it names no data key") }
        self.now = now
        self.state = state
        generation = state.generation + 1
        dataKey = key
        super.init(
            reader.connection, reader.proof, reader.session, reader.freshness, floor: reader.floor,
            level: reader.level)
        proved = reader.proved
    }

    override func currentState() throws(StoreError) -> StateRecord { state }

    override func openBucket(_ number: UInt16) -> OpenBucket? { buckets[number] }

    /// Runs a call that changes items. One that fails when it has begun to is not to be kept.
    func changing<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        if let failure { throw failure }
        try requireOpen()
        let before = changeCount
        do throws(StoreError) {
            return try body()
        } catch {
            let error = inWords(error)
            if changeCount != before { failure = error }
            throw error
        }
    }

    /// A row is about to be changed.
    func noteChange() { changeCount += 1 }

    /// Has the state name a new head.
    func succeed(_ next: VaultSession) {
        successor = next
        state.headDigest = next.headDigest
        isTouched = true
    }

    /// Seals all buckets under another root key, as they are. Their codes change with it, hence the
    /// state's sum of them.
    func sealBuckets(for root: RootKeys) throws(StoreError) {
        var records: [(number: UInt16, octets: [UInt8])] = []
        try connection.with(.buckets) { (row) throws(StoreError) -> Void in
            while try row.step() {
                let number = UInt16(clamping: try row.integer(0, of: "bucket"))
                records.append(
                    (number, try row.blob(1, count: VaultFormat.bucketByteCount, of: "bucket")))
            }
        }
        state.buckets = Accumulator()
        for (number, octets) in records {
            var bucket = try BucketRecord(opening: octets.span, number: number, with: session.root)
            bucket.generation = generation
            try put(bucket.sealed(number: number, with: root), number)
        }
    }

    /// Takes an element out of, or puts it into, bucket and state.
    ///
    /// - Parameter change: how many items there are more: -1, 0 or 1.
    func toggle(_ element: Accumulator, in id: [UInt8], _ change: Int) throws(StoreError) {
        guard let number = VaultFormat.bucket(ofItem: id.span) else { throw .damaged("item") }
        var bucket: OpenBucket
        if let open = buckets[number] { bucket = open } else { bucket = try read(number) }
        let bucketCount = Int64(bucket.count) + Int64(change)
        guard let newCount = UInt32(exactly: bucketCount),
            let newTotal = Int64(exactly: state.count)?.addingReportingOverflow(Int64(change)),
            !newTotal.overflow, newTotal.partialValue >= 0
        else { throw .damaged("bucket", "it counts fewer items than it has") }
        bucket.count = newCount
        bucket.items.toggle(element)
        buckets[number] = bucket
        state.count = UInt64(newTotal.partialValue)
        state.items.toggle(element)
        isTouched = true
    }

    /// A number for a new row of `val`.
    func newValueNumber() throws(StoreError) -> Int64 {
        var number: Int64
        if let nextValue { number = nextValue } else { number = try lastValueNumber() }
        guard number < Int64.max else {
            throw .damaged("value of an item", "its number is the last")
        }
        number += 1
        nextValue = number
        return number
    }

    /// What a finished transaction leaves to those who remember the state before it.
    struct Outcome {
        /// The state's record before the transaction, and after it.
        let stateBefore: [UInt8]
        let state: [UInt8]
        let generation: UInt64
        /// New records by number; empty for a bucket that is gone.
        let buckets: [UInt16: [UInt8]]
    }

    /// Writes buckets and state. nil when nothing was changed.
    func finish() throws(StoreError) -> Outcome? {
        if let failure { throw failure }
        try requireOpen()
        guard isTouched else { return nil }
        for (number, bucket) in buckets.sorted(by: { $0.key < $1.key }) {
            try write(bucket, number)
        }
        let stateBefore = try stateBefore().octets
        state.generation = generation
        let octets = try state.sealed(with: successor?.root ?? session.root)
        try connection.run(.putState, octets)
        return Outcome(
            stateBefore: stateBefore, state: octets, generation: generation, buckets: changed)
    }

    private func read(_ number: UInt16) throws(StoreError) -> OpenBucket {
        try OpenBucket(
            opening: VaultProof.record(number, on: connection), number: number, with: session.root)
    }

    private func write(_ bucket: OpenBucket, _ number: UInt16) throws(StoreError) {
        if !bucket.before.isEmpty {
            state.buckets.toggle(
                try session.ring.bucketElement(number: number, record: bucket.before.span))
        }
        guard bucket.count > 0 else {
            try connection.run(.dropBucket, Int64(number))
            changed[number] = []
            return
        }
        let record = try BucketRecord(
            generation: generation, count: bucket.count, items: bucket.items
        )
        .sealed(number: number, with: session.root)
        try put(record, number)
    }

    private func put(_ record: [UInt8], _ number: UInt16) throws(StoreError) {
        state.buckets.toggle(try session.ring.bucketElement(number: number, record: record.span))
        try connection.run(.putBucket, Int64(number), record)
        changed[number] = record
    }

    private func lastValueNumber() throws(StoreError) -> Int64 {
        try connection.with(.lastValue) { (row) throws(StoreError) -> Int64 in
            guard try row.step() else { return 0 }
            return max(0, row.integer(0) ?? 0)
        }
    }
}
