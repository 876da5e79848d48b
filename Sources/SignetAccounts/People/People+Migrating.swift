// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSignIn

extension People {
    /// Takes over a user of an earlier system under the identifier that they had there, so that all
    /// that refers to it stays right. The first identity that comes gets the user, and again
    /// whenever it comes; all others are refused, also after the user was deleted.
    ///
    /// A user whom ``AccountUsers/add(_:in:)`` added beforehand, with data, is taken over too; one
    /// who has an identity or a profile is not.
    ///
    /// - Parameters:
    ///   - oldID: **not** checked: that the identity is the one that the old system knew by this
    ///     identifier. The application knows, or asks the old system; a client's word is no
    ///     evidence.
    ///   - identity: as ``findOrAdd(_:profile:in:)``.
    ///   - profile: what the provider says of the person.
    ///   - transaction: the transaction that it belongs to.
    /// - Throws: `alreadyMigrated`; `identityTaken` where the identity has another user already;
    ///   `invalidParameter` for what is no identifier; as the database.
    public func migrate(
        _ oldID: String, as identity: UserIdentity, profile: ProfileValues = .init(),
        in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Found {
        try AccountUsers.check(oldID)
        let told = profile.filled(from: identity.profile)
        return try await within(transaction) { (transaction) throws(AccountError) in
            // It waits for others that claim the same.
            let claims = try await transaction.run(PeopleStatements.migrate, [.text(oldID)])
            if let user = try await known(identity, told, transaction) {
                guard user.id.utf8.elementsEqual(oldID.utf8) else { throw .identityTaken }
                return Found(user: user, isNew: false)
            }
            guard !claims.isEmpty else { throw .alreadyMigrated }
            try await AccountUsers.add(oldID, in: transaction)
            guard try await AccountUsers.hold(oldID, in: transaction) else { throw .unknownUser }
            guard try await user(oldID, in: transaction) == nil,
                try await identities(of: oldID, in: transaction).isEmpty
            else { throw .alreadyMigrated }
            try await attach(identity, oldID, transaction)
            let user = try await change(oldID, transaction) { $0.learn(told) }
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
