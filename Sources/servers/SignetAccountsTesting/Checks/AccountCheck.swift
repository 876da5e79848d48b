// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// A check of a promise that an accounts database must keep.
public struct AccountCheck: Sendable, CustomStringConvertible {
    /// A broken promise of `AccountDatabase`, or of the code that is built on it.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The name of the check.
        public let check: String
        /// The finding, in a sentence.
        public let message: String

        /// The name and the sentence.
        public var description: String { "\(check): \(message)" }
    }

    /// The promise that is checked, in a few words.
    public let name: String
    private let body: @Sendable (AccountCheckScope) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (AccountCheckScope) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Checks a database that has the tables of this version (`AccountSchema.migrate`). The check
    /// writes rows with random names only, and removes them, so the database may be shared.
    ///
    /// - Parameters:
    ///   - database: the database to check.
    ///   - other: the same database through a second object; nil if there can be none.
    /// - Throws: the finding, or the error that ended the check.
    public func run(
        on database: any AccountDatabase, beside other: (any AccountDatabase)? = nil
    ) async throws(Failure) {
        let scope = AccountCheckScope(database: database, other: other ?? database)
        do {
            try await scope.makeTable()
            try await body(scope)
            try await scope.removeEverything()
        } catch {
            // The finding matters more than an error of the clean-up.
            try? await scope.removeEverything()
            throw Failure(
                check: name, message: (error as? AccountFinding)?.message ?? "threw \(error)")
        }
    }

    /// The name.
    public var description: String { name }
}
