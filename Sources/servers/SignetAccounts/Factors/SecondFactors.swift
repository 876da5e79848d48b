// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Users' second factors in a database: up to ten devices for each, and recovery codes.
///
/// ```swift
/// let factors = SecondFactors(accounts, secret: secret)
/// let app = try TOTP()
/// try await factors.add(.totp(app), for: "user-1093")
/// let address = try app.exposedAddress(issuer: "Example", account: "ann@example.com")
/// print("bytes of the address:", address.utf8.count)
/// let first = try app.code(at: TimeSource.system.now())
/// let recovery = try await factors.confirm(first, for: "user-1093")
/// ```
///
/// Keys are sealed under the application's secret. A code works once, even if several servers check
/// it at once. Wrong codes count against a limit for each factor, and wrong recovery codes against
/// one for the user: 20 at once, then 1 every 72 minutes. Time is the database's. The user is told
/// of each change, where ``People`` knows an address (``AccountNotices``): run an ``Outbox``.
///
/// With `in:` a call is part of the caller's transaction, so that a factor is used and a session
/// begins in one step, or neither.
public struct SecondFactors: Sendable {
    /// How many factors a user has at most, with those that are not confirmed.
    public static let maximumCount = 10
    /// The longest name of a factor, in bytes.
    public static let maximumNameByteCount = 255

    let database: any AccountDatabase
    let secret: AccountSecret
    let limits: RateLimits
    let limit: RateLimit
    let notices: AccountNotices

    /// Second factors in a database.
    ///
    /// - Parameters:
    ///   - database: where the rows are kept.
    ///   - secret: the key for hashing and sealing, the same for all servers.
    ///   - limit: wrong codes of a factor, and wrong recovery codes of a user.
    public init(
        _ database: any AccountDatabase, secret: AccountSecret, limit: RateLimit = .wrongCodes
    ) {
        self.database = database
        self.secret = secret
        self.limit = limit
        limits = RateLimits(database, secret: secret)
        notices = AccountNotices(database, secret: secret)
    }

    /// Stores a device that the user has been shown, until its first code confirms it. Without that
    /// it ends after ten minutes.
    ///
    /// Call it only for a user who has just signed in, with a factor if
    /// ``isRequired(for:in:)``: it decides who gets in from now on.
    ///
    /// A factor that is not confirmed gives way, because somebody else may have added it: one of
    /// the same name, and with ten others the oldest.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - name: what the user calls it: up to 255 bytes without control characters. Empty for
    ///     none; no confirmed factor of the user may have the same.
    ///   - besideOthers: whether the user may have a confirmed factor already. True only for a user
    ///     who has just shown it.
    ///   - user: the user's identifier.
    ///   - transaction: the transaction to use.
    /// - Throws: `conflict` if the user has a confirmed factor, unless `besideOthers`;
    ///   `tooManyFactors`; `factorNameTaken`; `unknownUser`; `invalidParameter` for a name outside
    ///   these bounds; the database's errors.
    @discardableResult
    public func add(
        _ device: Device, named name: String = "", besideOthers: Bool = false, for user: String,
        in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Factor {
        try Self.check(name: name)
        let id = try People.newIdentifier()
        let sealed = try secret.seal(
            device.bytes, label: "factor", bound: Self.bound(id, user: user))
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            guard try await AccountUsers.hold(user, in: transaction) else { throw .unknownUser }
            try await transaction.run(FactorStatements.removeEnded, values: [.text(user)])
            let others = try await factors(of: user, in: transaction)
            guard besideOthers || !others.contains(where: \.isConfirmed) else {
                throw AccountError(
                    .conflict,
                    "This user has a confirmed second factor. Let the user show it first.")
            }
            try await makeRoom(for: name, of: user, among: others, in: transaction)
            let rows = try await transaction.run(
                FactorStatements.add,
                values: [
                    .text(id), .text(user), .text(name), .text(Factor.Kind.code.name),
                    .bytes(sealed),
                ])
            guard let row = rows.first else {
                throw AccountError(.corrupt, "The database did not give back a new factor.")
            }
            return try Factor(row)
        }
    }

    /// Removes the factor that gives way to a new one, if one has to.
    private func makeRoom(
        for name: String, of user: String, among others: [Factor],
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let same =
            name.isEmpty ? nil : others.first { $0.name.utf8.elementsEqual(name.utf8) }
        guard same?.isConfirmed != true else {
            throw AccountError(.factorNameTaken, "This user has a second factor of this name.")
        }
        guard same != nil || others.count >= Self.maximumCount else { return }
        guard let unconfirmed = same ?? others.first(where: { !$0.isConfirmed }) else {
            throw AccountError(
                .tooManyFactors,
                "This user has \(Self.maximumCount) second factors. Remove one first.")
        }
        try await transaction.run(
            FactorStatements.remove, values: [.text(unconfirmed.id), .text(user)])
    }

    /// A user's factors, the earliest first: confirmed, or added in the last ten minutes.
    public func factors(
        of user: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> [Factor] {
        // A text that cannot be an identifier is no user's.
        guard (try? AccountUsers.check(user)) != nil else { return [] }
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            let rows = try await transaction.run(FactorStatements.list, values: [.text(user)])
            return try rows.map { (row) throws(AccountError) in try Factor(row) }
        }
    }

    /// Whether a user has a confirmed factor. If so, require ``verify(_:of:for:)`` or
    /// ``recover(_:for:)`` at each sign-in.
    public func isRequired(
        for user: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Bool {
        guard (try? AccountUsers.check(user)) != nil else { return false }
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            try await !transaction.run(FactorStatements.confirmed, values: [.text(user)]).isEmpty
        }
    }

    /// Removes a factor; with the last confirmed one also the recovery codes, which stand in for
    /// it. Call it for a user who has just shown a factor.
    ///
    /// - Returns: the factor; nil if the user has none with this identifier.
    /// - Throws: the database's errors.
    @discardableResult
    public func remove(
        _ factorID: String, for user: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> Factor? {
        guard (try? AccountUsers.check(factorID)) != nil else { return nil }
        return try await database.within(transaction) { (transaction) throws(AccountError) in
            guard try await AccountUsers.hold(user, in: transaction) else { return nil }
            let rows = try await transaction.run(
                FactorStatements.remove, values: [.text(factorID), .text(user)])
            guard let row = rows.first else { return nil }
            let factor = try Factor(row)
            guard factor.isConfirmed else { return factor }
            try await notices.tell(.factorRemoved, of: user, in: transaction)
            if try await !isRequired(for: user, in: transaction) {
                try await transaction.run(FactorStatements.removeCodes, values: [.text(user)])
            }
            return factor
        }
    }

    /// Removes all factors and recovery codes: for a user who has just shown a factor, or whose
    /// identity was checked in a different way.
    public func remove(
        for user: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) {
        try await database.within(transaction) { (transaction) throws(AccountError) in
            guard try await AccountUsers.hold(user, in: transaction) else { return }
            if try await isRequired(for: user, in: transaction) {
                try await notices.tell(.factorRemoved, of: user, in: transaction)
            }
            try await transaction.run(FactorStatements.removeCodes, values: [.text(user)])
            try await transaction.run(FactorStatements.removeAll, values: [.text(user)])
        }
    }

    /// What the sealed data of a factor are bound to: in another row they do not open.
    static func bound(_ id: String, user: String) -> [[UInt8]] {
        // A factor from before users had several.
        guard !id.utf8.elementsEqual(user.utf8) else { return [Array(user.utf8)] }
        return [Array(user.utf8), Array(id.utf8)]
    }

    private static func check(name: String) throws(AccountError) {
        guard name.utf8.count <= maximumNameByteCount else {
            throw AccountError(
                .invalidParameter,
                "The name of a factor has at most \(maximumNameByteCount) bytes, not "
                    + "\(name.utf8.count).")
        }
        guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw AccountError(.invalidParameter, "The name of a factor has a control character.")
        }
    }
}
