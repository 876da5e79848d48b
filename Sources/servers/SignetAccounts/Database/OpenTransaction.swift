// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// A transaction of an engine while its work runs: over when the work is, lost after a statement
/// that failed.
package final class OpenTransaction: AccountTransaction {
    /// Runs a statement where the connection is used, after a check that throws when the
    /// transaction must not go on.
    package typealias Run =
        @Sendable (
            _ text: String, _ values: [SQLValue],
            _ check: @escaping @Sendable () throws(AccountError) -> Void
        ) async throws(AccountError) -> [SQLRow]

    private enum Progress {
        case running, over
        case failed(AccountError)
    }

    private let dialect: SQLDialect
    private let perform: Run
    private let progress = Locked(Progress.running)

    package init(_ dialect: SQLDialect, _ perform: @escaping Run) {
        self.dialect = dialect
        self.perform = perform
    }

    package func run(
        _ statement: SQLStatement, _ values: [SQLValue]
    ) async throws(AccountError) -> [SQLRow] {
        do throws(AccountError) {
            guard !Task.isCancelled else { throw .cancelledTransaction }
            // Asked there, where nothing of the next transaction can have begun.
            return try await perform(statement.text(in: dialect), values) {
                () throws(AccountError) in try self.check()
            }
        } catch {
            progress.withLock { if case .running = $0 { $0 = .failed(error) } }
            throw error
        }
    }

    /// No statement of it runs from now on.
    ///
    /// - Throws: what a statement of it has thrown.
    package func end() throws(AccountError) {
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

extension AccountError {
    package static var cancelledTransaction: AccountError {
        AccountError(.cancelled, "The task was cancelled; nothing was written.")
    }
}
