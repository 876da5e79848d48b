// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

/// The users: how each signs in, and a profile, over any ``AccountDatabase``.
///
/// ```swift
/// let people = People(accounts, requiring: [.fullName, .username])
/// // The code was right: the user is found or added, and signed in, together or not at all.
/// let (user, issued) = try await accounts.transaction { (transaction) throws(AccountError) in
///     let found = try await people.findOrAdd(.phone(number), in: transaction)
///     let issued = try await sessions.begin(for: found.user.id, in: transaction)
///     return (found.user, issued)
/// }
/// print(user.displayName, user.needsProfile)
/// ```
///
/// A user is a row of ``AccountUsers``, to which the user's other rows refer: deleting it deletes
/// those rows too. Each call is one transaction, or runs in a given transaction, for example
/// together with using up a code or beginning a session.
public struct People: Sendable {
    /// A part of the profile that an application may require.
    public enum ProfilePart: Sendable, CaseIterable {
        /// A full name.
        case fullName
        /// A username.
        case username
    }

    /// The user that a sign-in found.
    public struct Found: Sendable {
        /// The user.
        public let user: UserAccount
        /// Whether this is the identity's first sign-in, which created the user.
        public let isNew: Bool
    }

    let database: any AccountDatabase
    let required: Set<ProfilePart>

    /// People in a database.
    ///
    /// - Parameters:
    ///   - database: where the rows are kept.
    ///   - required: `UserAccount.needsProfile` is true if any of them is missing.
    public init(_ database: any AccountDatabase, requiring required: Set<ProfilePart> = []) {
        self.database = database
        self.required = required
    }

    /// The user of an identity. If there is none, adds user, identity and profile, or none of the
    /// three. If several first sign-ins run at once, one adds the user, and all others find it.
    ///
    /// New data of a known user's sign-in are kept; missing data, and what the user wrote, stay. A
    /// user who is deleted in the meantime is not restored: the sign-in makes a new user, without
    /// the old user's data.
    ///
    /// - Parameters:
    ///   - identity: **not** checked here: take it from a verified token, or a correct code.
    ///   - profile: further data of the sign-in.
    ///   - transaction: the transaction to use.
    /// - Throws: the database's errors.
    public func findOrAdd(
        _ identity: UserIdentity, profile: ProfileValues = .init(),
        in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Found {
        try await findOrAdd(identity, profile: profile, newID: nil, in: transaction)
    }

    /// The user of an identity, like ``findOrAdd(_:profile:in:)``.
    ///
    /// - Parameter newID: the identifier of a user who is added; nil for a new one.
    package func findOrAdd(
        _ identity: UserIdentity, profile: ProfileValues = .init(), newID: String?,
        in transaction: (any AccountTransaction)?
    ) async throws(AccountError) -> Found {
        let provided = profile.filled(from: identity.profile)
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            // A second round only if a concurrent call added, unlinked or deleted the identity in
            // between.
            for _ in 0..<Self.rounds {
                if let user = try await findUser(of: identity, profile: provided, in: transaction) {
                    return Found(user: user, isNew: false)
                }
                let added = try await addUser(
                    with: identity, profile: provided, newID: newID, in: transaction)
                if let user = added {
                    return Found(user: user, isNew: true)
                }
            }
            throw Self.contended
        }
    }

    /// Adds a guest, who has only a session and cannot sign in again until
    /// ``link(_:profile:to:in:)`` adds an identity. The identifier then stays the same, and so does
    /// everything that refers to it.
    public func addGuest(
        in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> UserAccount {
        try await addGuest(newID: nil, in: transaction)
    }

    /// Adds a guest, like ``addGuest(in:)``.
    ///
    /// - Parameter newID: the identifier; nil for a new one.
    package func addGuest(
        newID: String?, in transaction: (any AccountTransaction)?
    ) async throws(AccountError) -> UserAccount {
        let id = if let newID { newID } else { try Self.newIdentifier() }
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            try await AccountUsers.add(id, in: transaction)
            return try await add(Profile(of: id), in: transaction)
        }
    }

    /// How often a call looks again, because a concurrent call changed the identity in between.
    static let rounds = 8

    static var contended: AccountError {
        AccountError(.unavailable, "Too many others change this identity at once. Ask again.")
    }

    /// The user who has the identity, held until the end of the transaction; nil if no user has it.
    func findUser(
        of identity: UserIdentity, profile provided: ProfileValues,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> UserAccount? {
        guard let id = try await owner(of: identity, in: transaction) else { return nil }
        // Locks the user's row. The user may have been deleted in between.
        let isLocked = try await AccountUsers.hold(id, in: transaction)
        guard isLocked else { return nil }
        // The identity may have been taken from the user before the lock.
        guard try await owner(of: identity, in: transaction).isSame(id) else { return nil }
        return try await changeProfile(of: id, in: transaction) { $0.learn(provided) }
    }

    /// The identifier of the user who has the identity; nil if no user has it. It adds no user, so
    /// a sign-in by password or a recovery begins with it.
    ///
    /// **Not** held: a concurrent transaction may link the identity to a different user, or delete
    /// the user. If that matters, call ``AccountUsers/hold(_:in:)`` in the same transaction, and
    /// then this again: the identity then stays this user's until the transaction ends. A client
    /// must not learn whether there is a user: take the same time with and without
    /// (``PasswordHasher``).
    ///
    /// - Parameters:
    ///   - identity: **not** checked here. An identity that a person has only typed must sign
    ///     nobody in.
    ///   - transaction: the transaction that reads.
    /// - Throws: the database's errors.
    public func owner(
        of identity: UserIdentity, in transaction: any AccountTransaction
    ) async throws(AccountError) -> String? {
        let rows = try await transaction.run(PeopleStatements.findOwner, values: identity.values)
        return try rows.first.map { (row) throws(AccountError) in try row.text(0) }
    }

    /// Adds a user with the identity; nil if a concurrent sign-in has added the identity.
    private func addUser(
        with identity: UserIdentity, profile provided: ProfileValues, newID: String?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> UserAccount? {
        let id = if let newID { newID } else { try Self.newIdentifier() }
        try await AccountUsers.add(id, in: transaction)
        let values = identity.values + [.text(id)]
        // Waits for concurrent sign-ins that add the same identity. No row if one of them did.
        guard try await !transaction.run(PeopleStatements.addIdentity, values: values).isEmpty
        else {
            try await AccountUsers.delete(id, in: transaction)
            return nil
        }
        var profile = Profile(of: id)
        profile.learn(provided)
        return try await add(profile, in: transaction)
    }

    /// A random UUID (RFC 9562, section 5.4), in lower case.
    static func newIdentifier() throws(AccountError) -> String {
        var bytes = try [UInt8].random(count: 16)
        // The version, 4, and the variant.
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        var groups = [Substring]()
        var rest = bytes.hexDigits[...]
        for count in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return groups.joined(separator: "-")
    }
}
