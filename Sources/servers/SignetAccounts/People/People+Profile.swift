// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

// A user's profile is a row: names, picture, address and number.
//
//     var change = ProfileChange()
//     change.fullName = try PersonName("Ann Example")
//     let user = try await people.change("user-1093", applying: change)
//
// Public calls run in the caller's transaction, or in their own. A change locks the user's row
// (`AccountUsers.hold`), reads the profile, and writes it if it is different (`changeProfile`).
extension People {
    /// A user; nil if the user does not exist, or is unknown to ``People``.
    public func user(
        _ id: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> UserAccount? {
        // A text that cannot be an identifier is no user's.
        guard (try? AccountUsers.check(id)) != nil else { return nil }
        return try await database.reading(within: transaction) {
            (transaction) throws(AccountError) in
            try await findAccount(id, in: transaction)
        }
    }

    /// Makes all of a user's changes, or none.
    ///
    /// - Throws: `nameTaken` (in a transaction of yours, nothing of the change is then written);
    ///   `unknownUser`; `invalidParameter` for a picture that is not https; the database's errors.
    public func change(
        _ id: String, applying change: ProfileChange,
        in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> UserAccount {
        try await database.within(transaction) { (transaction) throws(AccountError) in
            guard try await AccountUsers.hold(id, in: transaction) else { throw .unknownUser }
            return try await changeProfile(of: id, in: transaction) {
                (profile) throws(AccountError) in
                try profile.apply(change)
            }
        }
    }

    /// Whether no user has this name now. Only ``change(_:applying:in:)`` decides who gets it.
    ///
    /// It reveals which names exist: limit how often callers may ask.
    public func isFree(
        _ name: Username, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Bool {
        try await database.reading(within: transaction) { (transaction) throws(AccountError) in
            try await transaction.run(PeopleStatements.findName, values: [.text(name.canonical)])
                .isEmpty
        }
    }

    /// Changes the profile of a user who is held, and writes it if that made a difference.
    func changeProfile(
        of id: String, in transaction: any AccountTransaction,
        _ body: @Sendable (inout Profile) throws(AccountError) -> Void
    ) async throws(AccountError) -> UserAccount {
        let rows = try await transaction.run(PeopleStatements.findProfile, values: [.text(id)])
        guard let row = rows.first else {
            // A user from before there were profiles.
            var profile = Profile(of: id)
            try body(&profile)
            return try await add(profile, in: transaction)
        }
        var profile = try Profile(row)
        try body(&profile)
        // Only the profile's own columns, the first 11, are compared: the times come after them.
        guard !profile.values.isSame(as: row.values) else {
            return try UserAccount(row, requiring: required)
        }
        return try await write(profile, statement: PeopleStatements.updateProfile, in: transaction)
    }

    /// Adds the profile of a new user.
    func add(
        _ profile: Profile, in transaction: any AccountTransaction
    ) async throws(AccountError) -> UserAccount {
        try await write(profile, statement: PeopleStatements.insertProfile, in: transaction)
    }

    private func write(
        _ profile: Profile, statement: SQLStatement, in transaction: any AccountTransaction
    ) async throws(AccountError) -> UserAccount {
        do {
            try await transaction.run(statement, values: profile.values)
        } catch {
            // The user's row is locked, so only the name can conflict.
            guard error.code == .conflict else { throw error }
            throw AccountError(
                .nameTaken, underlying: error, "Another user has this name. Please choose another.")
        }
        guard let user = try await findAccount(profile.userID, in: transaction) else {
            throw AccountError(.corrupt, "The database did not give back a profile.")
        }
        return user
    }

    private func findAccount(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> UserAccount? {
        let rows = try await transaction.run(PeopleStatements.findProfile, values: [.text(id)])
        return try rows.first.map { (row) throws(AccountError) in
            try UserAccount(row, requiring: required)
        }
    }
}

extension [SQLValue] {
    /// Whether the values of two rows agree, byte for byte, as far as the shorter row goes.
    fileprivate func isSame(as others: [SQLValue]) -> Bool {
        zip(self, others).allSatisfy { pair in
            switch pair {
            case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
            case (let a, let b): a == b
            }
        }
    }
}
