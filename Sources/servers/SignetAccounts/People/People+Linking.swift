// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

// An identity is a way to sign in: a provider's account, a phone or a mailbox. A user may have
// several, and an identity has one user:
//
//     let user = try await people.link(.email(mailbox), to: user.id)
//     try await people.unlink(.phone(number), from: user.id)
//
// A change first locks the user's row (`AccountUsers.hold`, which is false for an unknown user), so
// that concurrent changes of the user wait. `identity.values` are issuer and subject, for SQL.
extension People {
    /// An identity of a user.
    public struct Linked: Sendable {
        /// The identity.
        public let identity: UserIdentity
        /// When it was linked.
        public let linkedAt: NumericDate
    }

    /// A user's identities, the earliest first, at most 1,000. A guest has none.
    public func identities(
        of id: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> [Linked] {
        // A text that cannot be an identifier is no user's.
        guard (try? AccountUsers.check(id)) != nil else { return [] }
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            let rows = try await transaction.run(
                PeopleStatements.listIdentities, values: [.text(id)])
            return try rows.map { (row) throws(AccountError) in
                let identity = UserIdentity(issuer: try row.text(0), subject: try row.text(1))
                return Linked(identity: identity, linkedAt: try row.time(2))
            }
        }
    }

    /// Gives a user a further way to sign in, which makes a guest an account. Linking an identity
    /// again is not an error. Sessions go on, and missing profile data are filled in.
    ///
    /// Call it only for a signed-in user who proves the identity at the same time: the identity
    /// opens the account from now on.
    ///
    /// - Throws: `identityTaken` if another user has the identity: nothing is merged, and the
    ///   application asks whether to sign in as that user and leave this user; `unknownUser`; the
    ///   database's errors.
    public func link(
        _ identity: UserIdentity, profile: ProfileValues = .init(), to id: String,
        in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> UserAccount {
        // An identity brings its own address or number to the profile.
        let provided = profile.filled(from: identity.profile)
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            guard try await AccountUsers.hold(id, in: transaction) else { throw .unknownUser }
            try await attach(identity, to: id, in: transaction)
            return try await changeProfile(of: id, in: transaction) { $0.fill(from: provided) }
        }
    }

    /// Removes a way to sign in, but never the last. Profile data that go with it are filled in
    /// from the identities that stay. Sessions that began with it go on: end them with
    /// ``RefreshTokens/endAll(of:except:)``.
    ///
    /// - Returns: whether the user had the identity.
    /// - Throws: `lastIdentity`; `unknownUser`; the database's errors.
    @discardableResult
    public func unlink(
        _ identity: UserIdentity, from id: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Bool {
        try await database.within(transaction) { (transaction) throws(AccountError) in
            guard try await AccountUsers.hold(id, in: transaction) else { throw .unknownUser }
            let rows = try await transaction.run(
                PeopleStatements.removeIdentityUnlessLast, values: identity.values + [.text(id)])
            guard !rows.isEmpty else {
                // The statement removes no identity of others, and no last identity.
                let isOwn = try await owner(of: identity, in: transaction).isSame(id)
                guard isOwn else { return false }
                throw AccountError(
                    .lastIdentity,
                    "It is the only way to sign in to this account. Add another first.")
            }
            let others = try await identities(of: id, in: transaction)
            _ = try await changeProfile(of: id, in: transaction) { profile in
                profile.forget(identity)
                for other in others { profile.fill(from: other.identity.profile) }
            }
            return true
        }
    }

    /// Links an identity to a user whose row is locked in the transaction.
    func attach(
        _ identity: UserIdentity, to id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        for _ in 0..<Self.rounds {  // again only after a concurrent change
            let values = identity.values + [.text(id)]
            let rows = try await transaction.run(PeopleStatements.addIdentity, values: values)
            guard rows.isEmpty else { return }
            // Someone has the identity, or had it: without an owner it was removed in between.
            guard let owner = try await owner(of: identity, in: transaction) else { continue }
            guard owner.utf8.elementsEqual(id.utf8) else { throw .identityTaken }
            return
        }
        throw Self.contended
    }
}

extension AccountError {
    static var identityTaken: AccountError {
        AccountError(
            .identityTaken, "Another account signs in so. Sign in to that one, or choose another.")
    }
}
