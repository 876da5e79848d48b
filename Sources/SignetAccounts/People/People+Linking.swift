// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

extension People {
    /// An identity of a user.
    public struct Linked: Sendable {
        /// The identity.
        public let identity: UserIdentity
        /// Since when.
        public let linkedAt: NumericDate
    }

    /// The identities of a user, the first one first; at most 1 000. None for a guest.
    public func identities(
        of id: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> [Linked] {
        guard (try? AccountUsers.check(id)) != nil else { return [] }
        return try await within(transaction) { (transaction) throws(AccountError) in
            let rows = try await transaction.run(PeopleStatements.identities, [.text(id)])
            return try rows.map { (row) throws(AccountError) in
                let identity = UserIdentity(issuer: try row.text(0), subject: try row.text(1))
                return Linked(identity: identity, linkedAt: try row.time(2))
            }
        }
    }

    /// Gives a user one more way to sign in; a guest becomes an account so. One that the user has
    /// already is no error. Sessions go on, and the profile gets what it did not have.
    ///
    /// Only for a user who is signed in and proves the identity in the same breath: it opens the
    /// account from now on.
    ///
    /// - Throws: `identityTaken` where another user has it: nothing is joined, and the application
    ///   asks whether to sign in as that user and leave this one; `unknownUser`; as the database.
    public func link(
        _ identity: UserIdentity, profile: ProfileValues = .init(), to id: String,
        in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> UserAccount {
        let told = profile.filled(from: identity.profile)
        return try await within(transaction) { (transaction) throws(AccountError) in
            guard try await AccountUsers.hold(id, in: transaction) else { throw .unknownUser }
            try await attach(identity, id, transaction)
            return try await change(id, transaction) { $0.fill(from: told) }
        }
    }

    /// Takes a way to sign in from a user, never the last one. Sessions that began with it go on:
    /// ``RefreshTokens/endAll(of:except:)`` ends them.
    ///
    /// - Returns: whether the user had it.
    /// - Throws: `lastIdentity`; `unknownUser`; as the database.
    @discardableResult
    public func unlink(
        _ identity: UserIdentity, from id: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Bool {
        try await within(transaction) { (transaction) throws(AccountError) in
            guard try await AccountUsers.hold(id, in: transaction) else { throw .unknownUser }
            let rows = try await transaction.run(
                PeopleStatements.unlink, identity.values + [.text(id)])
            guard rows.isEmpty else {
                _ = try await change(id, transaction) { $0.forget(identity) }
                return true
            }
            guard try await owner(of: identity, transaction).isSame(id) else { return false }
            throw AccountError(
                .lastIdentity, "It is the only way to sign in to this account. Add another first.")
        }
    }

    /// Links an identity to a user who is held.
    func attach(
        _ identity: UserIdentity, _ id: String, _ transaction: any AccountTransaction
    ) async throws(AccountError) {
        for _ in 0..<Self.rounds {
            let values = identity.values + [.text(id)]
            let rows = try await transaction.run(PeopleStatements.link, values)
            guard rows.isEmpty else { return }
            // Nil where it went in between.
            guard let owner = try await owner(of: identity, transaction) else { continue }
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
