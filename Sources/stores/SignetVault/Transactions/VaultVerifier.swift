// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// Verifies a whole vault in one snapshot, and reports each damage. It continues after damage.
/// A finding names the place and the problem, such as "bucket": "An item of it is missing, older,
/// or was put back." The steps of ``report()``:
/// 1. the schema of the database;
/// 2. the head, a record with a code over the key slots and the ring of keys; and the state, a
///    sealed record with the number and the sum of all items, and the sum of all buckets;
/// 3. the buckets, 4,096 parts of the items, each with the number and the sum of its items;
/// 4. the items with their values. Each is taken out of its bucket's sum, so nothing may be left;
/// 5. values without an item, and SQLite's own check.
///
/// Rows are read in sequence, so memory does not grow with the vault.
struct VaultVerifier {
    static let maximumFindingCount = 1000

    let connection: VaultConnection
    let unlocked: UnlockedKeys
    /// Receives the items verified, and the items in all.
    var progress: ((Int, Int) -> Void)?

    /// Verifies everything; the caller has begun a transaction.
    func report() throws(StoreError) -> VaultReport {
        var report = VaultReport()
        try reportDamage(of: "schema", in: &report) { (_) throws(StoreError) in
            try VaultSchema.check(connection)
        }
        let state = try verifyHeadAndState(&report)
        var buckets = try verifyBuckets(against: state, report: &report)
        try verifyItems(against: state, buckets: &buckets, report: &report)
        // The items were taken out of their buckets' sums: what is left shows damage.
        for (number, sums) in buckets.enumerated() where sums != BucketSums() {
            var octets: [UInt8] = []
            octets.appendBigEndian(UInt16(clamping: number))
            report.add(
                "bucket", id: octets, problem: "An item of it is missing, older, or was put back.")
        }
        try findOrphanValues(&report)
        try checkDatabase(&report)
        return report
    }

    /// - Returns: the state; nil if it is damaged, or if the head is.
    private func verifyHeadAndState(_ report: inout VaultReport) throws(StoreError) -> StateRecord?
    {
        var state: StateRecord?
        try reportDamage(of: "head", in: &report) { (report) throws(StoreError) in
            let tables = try VaultTables.read(from: connection)
            report.slotCount = tables.slotRecords.count
            report.byteCount += tables.slotRecords.reduce(tables.head.count) { $0 + $1.bytes.count }
            // Authenticates head, slots and ring against the root key again, even if they did not
            // change.
            let current = try UnlockedKeys(tables, root: unlocked.root)
            report.dataKeyCount = current.ring.dataKeys.count
            report.byteCount += tables.ring.reduce(0) { $0 + $1.sealed.count }
            try reportDamage(of: "state", in: &report) { (report) throws(StoreError) in
                state = try current.state(tables.state)
                report.generation = state?.generation ?? 0
                report.byteCount += tables.state.count
            }
        }
        return state
    }

    /// Runs `body`; damage becomes a finding, and other errors are thrown. `body` gets the report,
    /// because the caller's is in use meanwhile.
    func reportDamage(
        of place: String, id identifier: [UInt8] = [], item: ItemKey? = nil,
        in report: inout VaultReport, _ body: (inout VaultReport) throws(StoreError) -> Void
    ) throws(StoreError) {
        do {
            try body(&report)
        } catch {
            // `unknownDataKey`: a row names a key that the ring lacks.
            guard error.kind == .corrupt || error == .unknownDataKey else { throw error }
            report.add(place, id: identifier, item: item, problem: "\(messageOf: error)")
        }
    }

    /// SQLite's own check: its one row is "ok", or each row has a damage.
    private func checkDatabase(_ report: inout VaultReport) throws(StoreError) {
        try reportDamage(of: "database", in: &report) { (report) throws(StoreError) in
            try connection.withRows(of: .integrity) { (row) throws(StoreError) in
                while try row.step() {
                    let line = row.text(.only) ?? ""
                    if line != "ok" { report.add("database", id: [], problem: Self.shown(line)) }
                }
            }
        }
    }

    /// SQLite's text about its pages: only numbers and names of tables come through.
    private static func shown(_ line: String) -> ErrorMessage { "SQLite: \(shown: line)." }
}

extension VaultReport {
    mutating func add(
        _ place: String, id identifier: [UInt8], item: ItemKey? = nil, problem: ErrorMessage
    ) {
        findings.add(place, id: identifier, item: item, problem: problem)
    }
}

extension [VaultReport.Finding] {
    /// Adds a finding, up to the limit.
    mutating func add(
        _ place: String, id identifier: [UInt8], item: ItemKey?, problem: ErrorMessage
    ) {
        guard count < VaultVerifier.maximumFindingCount else { return }
        append(
            Element(
                place: place, identifier: identifier.hexadecimal, item: item,
                problem: problem.description))
    }
}
