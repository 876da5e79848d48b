// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension VaultCheckpointer {
    /// A state, and the buckets that it covers.
    private struct Whole {
        let octets: [UInt8]
        let generation: UInt64
        let buckets: [Int: [UInt8]]

        /// - Throws: if the buckets do not match the state.
        init(_ connection: VaultConnection, keys unlocked: UnlockedKeys) throws(StoreError) {
            octets = try VaultTables.state(of: connection)
            let record = try unlocked.state(octets)
            try VaultProof().proveBuckets(octets, state: record, keys: unlocked, on: connection)
            generation = record.generation
            buckets = try connection.withRows(of: .buckets) {
                (row) throws(StoreError) -> [Int: [UInt8]] in
                var rows: [Int: [UInt8]] = [:]
                while try row.step() {
                    rows[Int(clamping: try row.integer(0, of: "bucket"))] =
                        try row.blob(1, count: VaultFormat.bucketByteCount, of: "bucket")
                }
                return rows
            }
        }

        /// Whether every bucket that was not written since that generation is unchanged.
        func follows(_ earlier: Whole) -> Bool {
            buckets.allSatisfy { number, record in
                // gen, the first 8 bytes of a bucket's record, big-endian.
                let written = record.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                return written > earlier.generation || earlier.buckets[number] == record
            }
        }
    }

    /// How the file alone relates to the state read through the log.
    private enum Relation {
        case leadsThere
        /// The file is whole, and belongs to a different vault or history.
        case foreign
        /// The file's parts do not fit, for example after a checkpoint was killed.
        case unclear
    }

    /// Proves that the log belongs to this file.
    ///
    /// The log belongs to the file if the file alone is whole, the vault read through the log is
    /// whole, the generations differ by the number of transactions in the log (or the file already
    /// holds them all), and buckets not written since are equal. It does not if the two are whole
    /// and neither can follow from its counterpart: a restored file beside another file's log. In
    /// every remaining case, for example after a killed checkpoint, the vault read through the log
    /// must verify completely.
    ///
    /// - Throws: `corrupt` for another file's log; `rootReplaced`; `busy` if a verification is
    ///   needed and not allowed.
    func prove(
        _ unlocked: UnlockedKeys, on connection: VaultConnection, mayTakeLong: Bool
    ) throws(StoreError) {
        let isProved = try connection.transaction(.begin) { () throws(StoreError) -> Bool in
            let current = try unlocked.current(on: connection)
            switch relation(of: current, on: connection) {
            case .leadsThere: return true
            case .foreign: throw foreignLogError()
            case .unclear: break
            }
            guard mayTakeLong else { return false }
            let report = try VaultVerifier(connection: connection, unlocked: current).report()
            guard let finding = report.findings.first else { return true }
            throw StoreError(
                .corrupt,
                "\(path: file.path) and its log (-wal) do not belong together, or "
                    + "are damaged "
                    + "(\(shown: finding.place): \(reported: finding.problem)) Nothing was written. Restore a "
                    + "backup, or "
                    + "salvage what is whole.")
        }
        guard isProved else {
            throw StoreError(
                .busy, "The log must be verified before it is checkpointed, which takes longer.")
        }
    }

    /// Rejects a log of another history, which would supply every answer. Used at an unlock that
    /// finds a log.
    func refuseForeignLog(_ unlocked: UnlockedKeys) throws(StoreError) {
        guard !isTrusted, !file.isReadOnly,
            let connection = try? file.connect(
                for: .reading, atMostMilliseconds: VaultCheckpointer.WaitLimit.short.milliseconds)
        else { return }
        defer { connection.close() }
        let isForeign = try? connection.transaction(.begin) { () throws(StoreError) -> Bool in
            relation(of: try unlocked.current(on: connection), on: connection) == .foreign
        }
        if isForeign == true { throw foreignLogError() }
    }

    private func foreignLogError() -> StoreError {
        StoreError(
            .corrupt,
            "\(path: file.path) and its log (-wal) are of different histories: a "
                + "file was "
                + "put in place of the one that the log belongs to. Nothing was written. To use "
                + "the file, copy "
                + "it alone to another name.")
    }

    /// Other processes may checkpoint or write in the meantime. A checkpoint puts no more into the
    /// file than this read sees through the log, and after a partial checkpoint the file is not
    /// whole.
    private func relation(of unlocked: UnlockedKeys, on connection: VaultConnection) -> Relation {
        guard let commits = PrivatePlace.commitCount(inLogOf: file.path),
            let through = try? Whole(connection, keys: unlocked),
            let alone = try? file.connectToFileAlone()
        else { return .unclear }
        defer { alone.close() }
        let relation = try? alone.transaction(.begin) { () throws(StoreError) -> Relation in
            let head = try HeadRecord(parsing: VaultTables.head(of: alone))
            guard head.vaultID == unlocked.head.vaultID else { return .foreign }
            let before = try Whole(alone, keys: unlocked.current(on: alone))
            if before.octets == through.octets { return .leadsThere }
            let (latest, overflow) = before.generation.addingReportingOverflow(commits)
            guard before.generation <= through.generation, !overflow, through.generation <= latest,
                through.follows(before)
            else { return .foreign }
            return through.generation == latest ? .leadsThere : .unclear
        }
        return relation ?? .unclear
    }
}
