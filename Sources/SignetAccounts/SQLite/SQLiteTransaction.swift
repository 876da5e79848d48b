// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// A transaction while its work runs.
final class SQLiteTransaction: AccountTransaction {
    private enum Progress {
        case running, over
        case failed(AccountError)
    }

    private let lane: SQLiteLane
    private let dialect: SQLDialect
    private let progress = Locked(Progress.running)

    init(_ lane: SQLiteLane, _ dialect: SQLDialect) {
        self.lane = lane
        self.dialect = dialect
    }

    func run(_ statement: SQLStatement, _ values: [SQLValue]) async throws(AccountError) -> [SQLRow]
    {
        do throws(AccountError) {
            guard !Task.isCancelled else { throw .cancelledTransaction }
            let text = statement.text(in: dialect)
            return try await lane.run { (connection) throws(AccountError) in
                // Asked here, where nothing of the next transaction can have begun.
                try self.check()
                return try connection.run(text, values)
            }
        } catch {
            progress.withLock { if case .running = $0 { $0 = .failed(error) } }
            throw error
        }
    }

    /// No statement of it runs from now on.
    ///
    /// - Throws: what a statement of it has thrown.
    func end() throws(AccountError) {
        let was = progress.withLock { progress in
            defer { progress = .over }
            return progress
        }
        if case .failed(let error) = was { throw error }
    }

    private func check() throws(AccountError) {
        switch progress.withLock({ $0 }) {
        case .running: return
        case .failed(let error): throw error
        case .over: throw AccountError(.invalidParameter, "The transaction is over.")
        }
    }
}
