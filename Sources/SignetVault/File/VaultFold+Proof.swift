// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SystemBridge

extension VaultFold {
    /// Proves that the log is this file's.
    ///
    /// It is when the file alone is whole, the vault read through the log is whole, and the
    /// generations follow from each other by the number of transactions in the log (or the file
    /// holds them all already). Otherwise, after a fold that was killed for example, the vault read
    /// through the log must verify completely. In a mixture of a restored file and another file's
    /// log, neither holds.
    ///
    /// - Throws: `corrupt` for a log that is not; `rootReplaced`; `busy` when that takes a
    ///   verification and it may not.
    func prove(
        _ session: VaultSession, _ connection: VaultConnection, mayTakeLong: Bool
    ) throws(StoreError) {
        let isProved = try connection.transaction(.begin) { () throws(StoreError) -> Bool in
            let current = try session.current(on: connection)
            if let whole = try? Self.wholeState(connection, current), isContinued(to: whole, current) {
                return true
            }
            guard mayTakeLong else { return false }
            let report = try VaultVerifier(connection: connection, session: current).report()
            guard let finding = report.findings.first else { return true }
            throw StoreError(
                .corrupt,
                "\(SystemFailure.quoted(file.path)) and its log (-wal) do not belong together, or are damaged (\(finding.place)): \(finding.problem) Nothing was written. Restore a backup, or salvage what is whole."
            )
        }
        guard isProved else {
            throw StoreError(.busy, "The log must be verified before it is folded, which takes longer.")
        }
    }

    /// The state, if all buckets are those over which it was made.
    private static func wholeState(
        _ connection: VaultConnection, _ session: VaultSession
    ) throws(StoreError) -> (octets: [UInt8], record: StateRecord) {
        let octets = try VaultTables.state(of: connection)
        let record = try session.state(octets)
        try VaultProof().proveBuckets(octets, record, session, on: connection)
        return (octets, record)
    }

    /// Whether the log leads from the file alone to this state. Others may fold or write meanwhile;
    /// what is read then does not fit, and a verification decides.
    private func isContinued(
        to whole: (octets: [UInt8], record: StateRecord), _ session: VaultSession
    ) -> Bool {
        guard let commits = VaultPlace.commitCount(inLogOf: file.path),
            let connection = try? file.connectToFileAlone()
        else { return false }
        defer { connection.close() }
        guard
            let alone = try? connection.transaction(
                .begin,
                { () throws(StoreError) -> (octets: [UInt8], record: StateRecord) in
                    try Self.wholeState(connection, session.current(on: connection))
                })
        else { return false }
        let (sum, overflow) = alone.record.generation.addingReportingOverflow(commits)
        return alone.octets == whole.octets || !overflow && sum == whole.record.generation
    }
}
