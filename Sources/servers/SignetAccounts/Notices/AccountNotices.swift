// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJSON
internal import SignetSignIn

/// Tells people of changes of their accounts, at the addresses and numbers that were there before.
///
/// ```swift
/// let notices = AccountNotices(accounts, secret: secret)
/// try await accounts.transaction { (transaction) throws(AccountError) in
///     try await notices.tell(.email, of: user.id, in: transaction)
///     _ = try await people.link(.email(mailbox), to: user.id, in: transaction)
/// }
/// ```
///
/// The notice is written in the transaction of the change, so neither exists without the other, and
/// an ``Outbox`` sends it within a day. ``SecondFactors`` and the service of `SignetGoTrue` tell of
/// their own changes.
///
/// An account is told of five changes at once, and then gets one notice every half hour. Further
/// changes wait for that time and share a notice, so a flood of changes does not hide any, and
/// nobody can flood a mailbox.
public struct AccountNotices: Sendable {
    /// How long a notice waits to be sent: a day, in which the mail server may be away.
    private static let lifetime = Duration.seconds(86_400)
    /// At so many addresses and numbers an account is told at most.
    private static let maximumDestinationCount = 8
    /// The length of a notice's name.
    private static let nameByteCount = 16

    private let people: People
    private let secret: AccountSecret
    private let limits: RateLimits

    /// Notices in a database.
    ///
    /// - Parameters:
    ///   - database: where the rows are kept.
    ///   - secret: the key for hashing and sealing, the same for all servers.
    public init(_ database: any AccountDatabase, secret: AccountSecret) {
        people = People(database)
        self.secret = secret
        limits = RateLimits(database, secret: secret)
    }

    /// Tells of one change. Call it **before** the change, in its transaction: it reads where the
    /// account can be reached from ``People``.
    ///
    /// The notice goes to the account's mailboxes; for a new or removed number also to its phones.
    /// Without a mailbox it goes to the phones. If only a provider has told an address, and it is verified,
    /// the notice goes there. A guest, and a user of whom ``People`` knows no address, get no
    /// notice.
    ///
    /// - Parameters:
    ///   - change: what is about to change.
    ///   - user: the account's identifier.
    ///   - transaction: the transaction of the change.
    /// - Throws: the database's errors.
    public func tell(
        _ change: AccountChange, of user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let destinations = try await destinations(of: user, for: change, in: transaction)
        guard !destinations.isEmpty else { return }
        let wait = try await takeLimit(of: user, in: transaction)
        for destination in destinations {
            let notice = NoticeMessage(
                id: Base64URL.encode(try [UInt8].random(count: Self.nameByteCount)),
                destination: destination, change: change, standsForOthers: wait != nil)
            try await put(notice, of: user, after: wait, in: transaction)
        }
    }

    /// Puts a notice into the outbox, to be sent at once or after `wait`. The keys of rows are
    /// HMACs (`secret.code`).
    private func put(
        _ notice: NoticeMessage, of user: String, after wait: Duration?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let row = OutboxRow(notice: notice)
        guard let wait else {
            let key = try secret.code("notice", over: [Array(notice.id.utf8)])
            return try await row.insert(
                key: key, lifetime: Self.lifetime, secret: secret, in: transaction)
        }
        // One key for the user and destination: the notice replaces one that waits there already.
        let key = try secret.code(
            "late notice", over: [Array(user.utf8), notice.destination.bytes])
        try await row.insert(
            key: key, after: wait, lifetime: Self.lifetime, secret: secret, in: transaction)
    }

    /// Tells of an identity that is about to be linked, unless it is the user's already.
    ///
    /// - Returns: whether it is new to the user.
    /// - Throws: the database's errors.
    @discardableResult
    public func tell(
        _ change: AccountChange, of user: String, ifNew identity: UserIdentity,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let owner = try await people.owner(of: identity, in: transaction)
        guard owner?.utf8.elementsEqual(user.utf8) != true else { return false }
        try await tell(change, of: user, in: transaction)
        return true
    }

    /// Takes the limit of a user's notices.
    ///
    /// - Returns: how long the limit holds a notice back; nil where it does not.
    private func takeLimit(
        of user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Duration? {
        do {
            try await limits.take(.notices, name: "notices", for: .account(user), in: transaction)
            return nil
        } catch {
            // A limit that refuses has written nothing.
            guard error.code == .tooManyRequests, let wait = error.retryAfter else { throw error }
            return wait
        }
    }

    /// Where the account is told of the change, by the rules of ``tell(_:of:in:)``.
    private func destinations(
        of user: String, for change: AccountChange, in transaction: any AccountTransaction
    ) async throws(AccountError) -> [CodeDestination] {
        let identities = try await people.identities(of: user, in: transaction).map(\.identity)
        let mailboxes = identities.filter { $0.isOf(UserIdentity.emailIssuer) }
        let phones = identities.filter { $0.isOf(UserIdentity.phoneIssuer) }
        let isOfPhone = change == .phone || change == .phoneRemoved
        let told = mailboxes.isEmpty || isOfPhone ? mailboxes + phones : mailboxes
        let found = told.prefix(Self.maximumDestinationCount).compactMap(CodeDestination.init)
        guard found.isEmpty, let profile = try await people.user(user, in: transaction),
            profile.isEmailVerified, let email = profile.email,
            let mailbox = CodeDestination(
                UserIdentity(issuer: UserIdentity.emailIssuer, subject: email))
        else { return found }
        return [mailbox]
    }
}

extension CodeDestination {
    /// The destination of a phone's or a mailbox's identity; nil for a provider's identity.
    init?(_ identity: UserIdentity) {
        let kind: UInt8
        if identity.isOf(UserIdentity.phoneIssuer) {
            kind = Self.phoneKind
        } else if identity.isOf(UserIdentity.emailIssuer) {
            kind = Self.emailKind
        } else {
            return nil
        }
        self.init(bytes: ([kind] + Array(identity.subject.utf8))[...])
    }
}
