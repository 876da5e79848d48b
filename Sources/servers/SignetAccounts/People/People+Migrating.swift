// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSignIn

extension People {
    /// Takes over a user of an earlier system under the old identifier, so references to it stay
    /// valid. The first identity that claims the identifier gets the user, then and later. Every
    /// other identity is refused, even after the user was deleted.
    ///
    /// A user whom ``AccountUsers/add(_:in:)`` added beforehand, with data, is taken over too; a
    /// user with an identity or a profile is not.
    ///
    /// - Parameters:
    ///   - oldID: **not** checked: that the old system knew the identity by this identifier. The
    ///     application must know, or ask the old system; a client's statement is no evidence.
    ///   - identity: **not** checked here, like that of ``findOrAdd(_:profile:in:)``.
    ///   - profile: the provider's data about the person.
    ///   - transaction: the transaction to use.
    /// - Throws: `alreadyMigrated`; `identityTaken` if the identity already has another user;
    ///   `invalidParameter` for an invalid identifier; the database's errors.
    public func migrate(
        _ oldID: String, as identity: UserIdentity, profile: ProfileValues = .init(),
        in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Found {
        try AccountUsers.check(oldID)
        let provided = profile.filled(from: identity.profile)
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            // Waits for concurrent claims of the same identifier. A row for the first claim only.
            let claims = try await transaction.run(
                PeopleStatements.claimOldIdentifier, values: [.text(oldID)])
            if let user = try await findUser(of: identity, profile: provided, in: transaction) {
                guard user.id.utf8.elementsEqual(oldID.utf8) else { throw .identityTaken }
                return Found(user: user, isNew: false)
            }
            guard !claims.isEmpty else { throw .alreadyMigrated }
            try await AccountUsers.add(oldID, in: transaction)
            guard try await AccountUsers.hold(oldID, in: transaction) else { throw .unknownUser }
            guard try await user(oldID, in: transaction) == nil,
                try await identities(of: oldID, in: transaction).isEmpty
            else { throw .alreadyMigrated }
            try await attach(identity, to: oldID, in: transaction)
            let user = try await changeProfile(of: oldID, in: transaction) { $0.learn(provided) }
            return Found(user: user, isNew: true)
        }
    }
}

extension AccountError {
    fileprivate static var alreadyMigrated: AccountError {
        AccountError(
            .alreadyMigrated, "Another user already has this identifier of the earlier system.")
    }
}
