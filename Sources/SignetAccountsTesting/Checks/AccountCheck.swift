// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// One check of the contract of an accounts database.
public struct AccountCheck: Sendable, CustomStringConvertible {
    /// What was found to be against the promise.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The name of the check.
        public let check: String
        /// What was found, in a sentence.
        public let message: String

        /// The name and the sentence.
        public var description: String { "\(check): \(message)" }
    }

    /// What is checked, in a few words.
    public let name: String
    private let body: @Sendable (CheckDesk) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (CheckDesk) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Checks a database, whose tables are those of this version (`AccountSchema.migrate`). What
    /// the check writes has random names, and is removed: the database may be shared.
    ///
    /// - Parameters:
    ///   - database: the database to check.
    ///   - other: the same database through another object, where there can be one.
    public func run(
        on database: any AccountDatabase, beside other: (any AccountDatabase)? = nil
    ) async throws(Failure) {
        let desk = CheckDesk(database: database, other: other ?? database)
        do {
            try await desk.makeTable()
            try await body(desk)
            try await desk.removeEverything()
        } catch {
            // What was found matters more than what could not be removed.
            try? await desk.removeEverything()
            throw Failure(
                check: name, message: (error as? CheckFinding)?.message ?? "threw \(error)")
        }
    }

    /// The name.
    public var description: String { name }
}
