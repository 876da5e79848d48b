// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
internal import SignetSignIn

extension AccountSupport {
    /// A user as the support sees one: no secret, and nothing that grants access. Printing shows only
    /// the identifier.
    public struct User: Sendable, Redacted {
        /// The identifier.
        public let id: String
        /// When the user was added.
        public let addedAt: NumericDate
        /// When the user's ban ends; nil for a user who is not banned now.
        public let bannedUntil: NumericDate?
        /// The addresses: of codes, which are confirmed, and those of the profile.
        public let addresses: [Address]
        /// The ways to sign in, the earliest first: mailboxes, phones, and accounts at providers.
        public let identities: [People.Linked]
        /// Whether there is a password.
        public let hasPassword: Bool
        /// The live sessions, the last used first, at most 1,000.
        public let sessions: [AccountSession]
        /// The second factors.
        public let factors: [SecondFactors.Factor]
        /// How many recovery codes are left.
        public let recoveryCodeCount: Int

        /// The identifier.
        public var description: String { "User(\(id))" }
    }

    /// An address of a user. Printing shows nothing.
    public struct Address: Sendable, Redacted {
        /// The mailbox, or the number with its `+`.
        public let exposedText: String
        /// Whether it is a phone number.
        public let isPhone: Bool
        /// Whether a code was entered that was sent there, or a provider has verified it.
        public let isConfirmed: Bool
    }

    /// A user in a list. Printing shows only the identifier.
    public struct Listed: Sendable, Redacted {
        /// The identifier.
        public let id: String
        /// When the user was added.
        public let addedAt: NumericDate
        /// When the user's ban ends; nil for a user who is not banned now.
        public let bannedUntil: NumericDate?
        /// The e-mail address of the profile.
        public let email: String?
        /// Whether a code or a provider has confirmed that address.
        public let isEmailVerified: Bool
        /// The phone number of the profile.
        public let phone: String?

        /// Reads `id`, `added_at`, `banned_until`, `email`, `email_verified` and `phone`.
        init(_ row: SQLRow) throws(AccountError) {
            id = try row.text(0)
            addedAt = try row.time(1)
            bannedUntil = row.isNull(2) ? nil : try row.time(2)
            email = row.isNull(3) ? nil : try row.text(3)
            isEmailVerified = row.isNull(4) ? false : try row.integer(4) != 0
            phone = row.isNull(5) ? nil : try row.text(5)
        }

        /// The identifier.
        public var description: String { "Listed(\(id))" }
    }

    /// A page of a list.
    public struct Page: Sendable {
        /// The users.
        public let users: [Listed]
        /// The argument `after` of the next page; nil if there is none.
        public let next: String?
    }

    /// A user with all that the support sees; nil if there is none.
    func read(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> User? {
        // A text that cannot be an identifier is no user's.
        guard (try? AccountUsers.check(id)) != nil,
            let row = try await transaction.run(SupportStatements.find, values: [.text(id)]).first
        else { return nil }
        let identities = try await people.identities(of: id, in: transaction)
        return User(
            id: id, addedAt: try row.time(0),
            bannedUntil: row.isNull(1) ? nil : try row.time(1),
            addresses: try await addresses(of: id, with: identities, in: transaction),
            identities: identities, hasPassword: try row.integer(2) > 0,
            sessions: try await sessions.sessions(of: id, in: transaction),
            factors: try await factors.factors(of: id, in: transaction),
            recoveryCodeCount: Int(clamping: try row.integer(3)))
    }

    /// The addresses of identities, and those of the profile that are none.
    private func addresses(
        of id: String, with identities: [People.Linked], in transaction: any AccountTransaction
    ) async throws(AccountError) -> [Address] {
        var found = identities.compactMap { linked -> Address? in
            let identity = linked.identity
            let isPhone = identity.isOf(UserIdentity.phoneIssuer)
            guard isPhone || identity.isOf(UserIdentity.emailIssuer) else { return nil }
            return Address(exposedText: identity.subject, isPhone: isPhone, isConfirmed: true)
        }
        let profile = try await people.user(id, in: transaction)
        let others = [
            profile?.email.map {
                Address(
                    exposedText: $0, isPhone: false, isConfirmed: profile?.isEmailVerified == true)
            },
            // A provider's word, which nothing has confirmed.
            profile?.phone.map { Address(exposedText: $0, isPhone: true, isConfirmed: false) },
        ]
        for address in others.compactMap({ $0 })
        where !found.contains(where: {
            $0.isPhone == address.isPhone
                && $0.exposedText.utf8.elementsEqual(address.exposedText.utf8)
        }) {
            found.append(address)
        }
        return found
    }
}
