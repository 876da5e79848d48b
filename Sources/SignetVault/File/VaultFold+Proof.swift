// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension VaultFold {
    /// A state, and the buckets over which it was made.
    private struct Whole {
        let octets: [UInt8]
        let generation: UInt64
        let buckets: [Int: [UInt8]]

        /// - Throws: where the buckets are not those of the state.
        init(_ connection: VaultConnection, _ session: VaultSession) throws(StoreError) {
            octets = try VaultTables.state(of: connection)
            let record = try session.state(octets)
            try VaultProof().proveBuckets(octets, record, session, on: connection)
            generation = record.generation
            buckets = try connection.with(.buckets) { (row) throws(StoreError) -> [Int: [UInt8]] in
                var rows: [Int: [UInt8]] = [:]
                while try row.step() {
                    rows[Int(clamping: try row.integer(0, of: "bucket"))] =
                        try row.blob(1, count: VaultFormat.bucketByteCount, of: "bucket")
                }
                return rows
            }
        }

        /// Whether every bucket that has not been written since that generation is as it was then.
        func isOf(_ earlier: Whole) -> Bool {
            buckets.allSatisfy { number, record in
                let written = record.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                return written > earlier.generation || earlier.buckets[number] == record
            }
        }
    }

    /// How the file alone stands to the state that is read through the log.
    private enum Relation {
        case leadsThere
        /// It is whole, and of another vault or another history.
        case foreign
        /// It is in parts that do not fit: a fold was killed, for example.
        case unclear
    }

    /// Proves that the log is this file's.
    ///
    /// It is when the file alone is whole, the vault read through the log is whole, and the
    /// generations follow from each other by the number of transactions in the log (or the file
    /// holds them all already), with equal buckets where neither has been written since. It is not
    /// where both are whole and cannot follow from each other: a restored file beside another
    /// file's log. Otherwise, after a fold that was killed for example, the vault read through the
    /// log must verify completely.
    ///
    /// - Throws: `corrupt` for a log that is not; `rootReplaced`; `busy` when that takes a
    ///   verification and it may not.
    func prove(
        _ session: VaultSession, _ connection: VaultConnection, mayTakeLong: Bool
    ) throws(StoreError) {
        let isProved = try connection.transaction(.begin) { () throws(StoreError) -> Bool in
            let current = try session.current(on: connection)
            switch relation(of: current, on: connection) {
            case .leadsThere: return true
            case .foreign: throw foreign()
            case .unclear: break
            }
            guard mayTakeLong else { return false }
            let report = try VaultVerifier(connection: connection, session: current).report()
            guard let finding = report.findings.first else { return true }
            throw StoreError(
                .corrupt,
                "\(SystemFailure.quoted(file.path)) and its log (-wal) do not belong together, or "
                    + "are damaged "
                    + "(\(finding.place): \(finding.problem)) Nothing was written. Restore a "
                    + "backup, or "
                    + "salvage what is whole.")
        }
        guard isProved else {
            throw StoreError(
                .busy, "The log must be verified before it is folded, which takes longer.")
        }
    }

    /// At an unlock that has found a log: refuses one of another history, of which every answer
    /// would be.
    func refuseForeignLog(_ session: VaultSession) throws(StoreError) {
        guard !isTrusted, !file.isReadOnly,
            let connection = try? file.connect(
                for: .reading, atMostMilliseconds: VaultFold.Patience.short.milliseconds)
        else { return }
        defer { connection.close() }
        let isForeign = try? connection.transaction(.begin) { () throws(StoreError) -> Bool in
            relation(of: try session.current(on: connection), on: connection) == .foreign
        }
        if isForeign == true { throw foreign() }
    }

    private func foreign() -> StoreError {
        StoreError(
            .corrupt,
            "\(SystemFailure.quoted(file.path)) and its log (-wal) are of different histories: a "
                + "file was "
                + "put in place of the one that the log belongs to. Nothing was written. To use "
                + "the file, copy "
                + "it alone to another name.")
    }

    /// Others may fold or write meanwhile. A fold puts no more into the file than what is read
    /// through the log here, and what it has put there in part is not whole.
    private func relation(of session: VaultSession, on connection: VaultConnection) -> Relation {
        guard let commits = VaultPlace.commitCount(inLogOf: file.path),
            let through = try? Whole(connection, session),
            let alone = try? file.connectToFileAlone()
        else { return .unclear }
        defer { alone.close() }
        let relation = try? alone.transaction(.begin) { () throws(StoreError) -> Relation in
            let head = try HeadRecord(parsing: VaultTables.head(of: alone))
            guard head.vaultID == session.head.vaultID else { return .foreign }
            let before = try Whole(alone, session.current(on: alone))
            if before.octets == through.octets { return .leadsThere }
            let (latest, overflow) = before.generation.addingReportingOverflow(commits)
            guard before.generation <= through.generation, !overflow, through.generation <= latest,
                through.isOf(before)
            else { return .foreign }
            return through.generation == latest ? .leadsThere : .unclear
        }
        return relation ?? .unclear
    }
}
