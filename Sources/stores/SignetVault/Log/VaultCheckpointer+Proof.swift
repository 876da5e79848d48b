// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

// The proof that a log belongs to a vault's file. SQLite appends each write to the log, a file with
// the suffix `-wal`, and reads the vault from file and log together.
//
// The proof compares two things that claim to be the same vault: the file alone, without its log,
// and the vault that a connection reads through the log. In each, the sealed *state* has the
// *generation*, which each transaction raises by one, and a sum over the *buckets*, the sealed
// records of the 4,096 parts of the items. For example, a file of generation 7 and a log of two
// transactions must give a vault of generation 9.

extension VaultCheckpointer {
    /// Proves that the log belongs to this file. Called before the first write or checkpoint.
    ///
    /// The log belongs to the file (`continued`) if the buckets of each match its state, and
    /// - their states are equal: the file already holds all of the log; or
    /// - the generations differ by the number of transactions in the log, and the buckets that
    ///   these did not write are equal.
    ///
    /// The log does not belong to the file (`foreign`) if the vault cannot follow from the file: a
    /// file was restored beside another file's log. In every remaining case (`unclear`), for
    /// example after a killed checkpoint, the vault read through the log must verify completely.
    ///
    /// - Parameter mayTakeLong: whether the whole vault may be verified.
    /// - Throws: `corrupt` for another file's log; `rootReplaced`; `busy` if a verification is
    ///   needed and not allowed.
    func prove(
        _ unlocked: UnlockedKeys, on connection: VaultConnection, mayTakeLong: Bool
    ) throws(StoreError) {
        try connection.transaction(.begin) { () throws(StoreError) in
            let current = try unlocked.current(on: connection)
            switch relationOfFile(toVaultWith: current, on: connection) {
            case .continued: return
            case .foreign: throw foreignLogError()
            case .unclear:
                guard mayTakeLong else {
                    throw StoreError(
                        .busy,
                        "The log must be verified before it is checkpointed, which takes longer.")
                }
                try verifyWholeVault(with: current, on: connection)
            }
        }
    }

    private func verifyWholeVault(
        with unlocked: UnlockedKeys, on connection: VaultConnection
    ) throws(StoreError) {
        let report = try VaultVerifier(connection: connection, unlocked: unlocked).report()
        guard let finding = report.findings.first else { return }
        throw StoreError(
            .corrupt,
            "\(path: file.path) and its log (-wal) do not belong together, or are damaged "
                + "(\(shown: finding.place): \(reported: finding.problem)) Nothing was written. "
                + "Restore a backup, or salvage what is whole.")
    }

    /// Rejects a log of another history: every later read would return what that log holds. Called
    /// at an unlock that finds a log.
    ///
    /// It returns without a proof if the vault cannot be read at once: the first write or
    /// checkpoint must prove the log in any case.
    func refuseForeignLog(_ unlocked: UnlockedKeys) throws(StoreError) {
        guard !isLogProved, !file.isReadOnly else { return }
        guard
            let connection = try? file.connect(
                for: .reading, atMostMilliseconds: VaultCheckpointer.WaitLimit.short.milliseconds)
        else { return }
        defer { connection.close() }
        // After an error nothing is known, as for `unclear`.
        let found = try? connection.transaction(.begin) { () throws(StoreError) -> FileRelation in
            relationOfFile(toVaultWith: try unlocked.current(on: connection), on: connection)
        }
        if found == .foreign { throw foreignLogError() }
    }

    private func foreignLogError() -> StoreError {
        StoreError(
            .corrupt,
            "\(path: file.path) and its log (-wal) are of different histories: a file was put in "
                + "place of the one that the log belongs to. Nothing was written. To use the file, "
                + "copy it alone to another name.")
    }

    /// Compares the file alone with the vault that `connection` reads through the log.
    ///
    /// Other processes may checkpoint or write in the meantime. A checkpoint puts no more into the
    /// file than this read sees through the log, and after a partial checkpoint the file's buckets
    /// do not match its state.
    ///
    /// - Returns: `unclear` also after an error.
    private func relationOfFile(
        toVaultWith unlocked: UnlockedKeys, on connection: VaultConnection
    ) -> FileRelation {
        guard let commitCount = PrivatePlace.commitCount(inLogOf: file.path),
            let vault = try? ProvedContents(of: connection, keys: unlocked),
            let fileConnection = try? file.connectToFileAlone()
        else { return .unclear }
        defer { fileConnection.close() }
        let found = try? fileConnection.transaction(.begin) {
            () throws(StoreError) -> FileRelation in
            let head = try HeadRecord(parsing: VaultTables.head(of: fileConnection))
            guard head.vaultID == unlocked.head.vaultID else { return .foreign }
            let contents = try ProvedContents(
                of: fileConnection, keys: unlocked.current(on: fileConnection))
            return Self.relation(of: contents, to: vault, commitCount: commitCount)
        }
        return found ?? .unclear
    }

    /// Compares contents that were proved.
    ///
    /// - Parameters:
    ///   - file: what is read without the log.
    ///   - vault: what is read through the log.
    ///   - commitCount: the number of transactions in the log.
    private static func relation(
        of file: ProvedContents, to vault: ProvedContents, commitCount: UInt64
    ) -> FileRelation {
        if file.stateOctets == vault.stateOctets { return .continued }
        let (generationAfterLog, overflow) =
            file.generation.addingReportingOverflow(commitCount)
        guard !overflow else { return .foreign }
        let possibleGenerations = file.generation...generationAfterLog
        guard possibleGenerations.contains(vault.generation) else { return .foreign }
        guard vault.hasOnlyNewChanges(since: file) else { return .foreign }
        // With fewer generations than transactions, the file holds a part of the log already.
        return vault.generation == generationAfterLog ? .continued : .unclear
    }

    /// How the file without its log relates to the vault that is read through the log.
    private enum FileRelation {
        /// The log continues the file, or the file holds all of the log already.
        case continued
        /// The file belongs to another vault or history than the log.
        case foreign
        /// Nothing is proved: something cannot be read, or the file's parts do not fit, for example
        /// after a checkpoint was killed.
        case unclear
    }

    /// A state, and the buckets that it covers, which were proved to match it: of the file alone,
    /// or of the vault.
    private struct ProvedContents {
        let stateOctets: [UInt8]
        let generation: UInt64
        /// The buckets' records by their numbers.
        let bucketRecords: [Int: [UInt8]]

        /// - Throws: if the buckets do not match the state.
        init(of connection: VaultConnection, keys: UnlockedKeys) throws(StoreError) {
            stateOctets = try VaultTables.state(of: connection)
            let state = try keys.state(stateOctets)
            try VaultProof().proveBuckets(stateOctets, state: state, keys: keys, on: connection)
            generation = state.generation
            bucketRecords = try Self.bucketRecords(of: connection)
        }

        private static func bucketRecords(
            of connection: VaultConnection
        ) throws(StoreError) -> [Int: [UInt8]] {
            try connection.withRows(of: .buckets) { (row) throws(StoreError) -> [Int: [UInt8]] in
                var records: [Int: [UInt8]] = [:]
                while try row.step() {
                    let number = Int(clamping: try row.integer(.rowKey, of: "bucket"))
                    records[number] = try row.blob(
                        .record, count: VaultFormat.bucketByteCount, of: "bucket")
                }
                return records
            }
        }

        /// Whether each bucket was written after the generation of `earlier`, or is unchanged.
        func hasOnlyNewChanges(since earlier: ProvedContents) -> Bool {
            bucketRecords.allSatisfy { number, record in
                // A bucket's record begins with its generation: 8 bytes, big-endian.
                let generation = record.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                let isNew = generation > earlier.generation
                return isNew || record == earlier.bucketRecords[number]
            }
        }
    }
}
