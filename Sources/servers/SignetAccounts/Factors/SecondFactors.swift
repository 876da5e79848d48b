// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Users' second factors in a database: an authenticator for each, and recovery codes.
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
/// it at once. Wrong codes count against a limit for each user: 20 at once, then 1 every 72
/// minutes. Time is the database's. The user is told of each change, where ``People`` knows an
/// address (``AccountNotices``): run an ``Outbox``.
public struct SecondFactors: Sendable {
    /// The source of a user's codes.
    public enum Device: Sendable {
        /// An authenticator app.
        case totp(TOTP)
        /// A token with a button.
        case hotp(HOTP)
    }

    private let database: any AccountDatabase
    private let secret: AccountSecret
    private let limits: RateLimits
    private let limit: RateLimit
    private let notices: AccountNotices

    /// Second factors in a database.
    ///
    /// - Parameters:
    ///   - database: where the rows are kept.
    ///   - secret: the key for hashing and sealing, the same for all servers.
    ///   - limit: wrong codes of a user, device codes and recovery codes together.
    public init(
        _ database: any AccountDatabase, secret: AccountSecret, limit: RateLimit = .wrongCodes
    ) {
        self.database = database
        self.secret = secret
        self.limit = limit
        limits = RateLimits(database, secret: secret)
        notices = AccountNotices(database, secret: secret)
    }

    /// Stores a device that the user has been shown, until its first code confirms it. It replaces
    /// an unconfirmed device.
    ///
    /// Call it only for a user who has just signed in: it decides who gets in from now on.
    ///
    /// - Throws: `conflict` if the user has a confirmed device (see ``remove(for:)``) or does not
    ///   exist; the database's errors.
    public func add(_ device: Device, for user: String) async throws(AccountError) {
        // Bound to the user: sealed data that are moved to another user's row do not open.
        let sealed = try secret.seal(device.bytes, label: "factor", bound: [Array(user.utf8)])
        let rows = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(Self.addStatement, values: [.text(user), .bytes(sealed)])
        }
        guard !rows.isEmpty else {
            throw AccountError(
                .conflict, "This user has a confirmed second factor. Remove it first.")
        }
    }

    /// Confirms the device with its first code. From then on ``isRequired(for:)`` is true.
    ///
    /// - Returns: ten new recovery codes, to show once; earlier recovery codes are void.
    /// - Throws: `wrongCode`; `tooManyRequests` with `retryAfter`; the database's errors.
    public func confirm(_ code: String, for user: String) async throws(AccountError)
        -> [RecoveryCode]
    {
        let codes = try RecoveryCode.generate()
        try await useDeviceCode(code, for: user, isConfirmed: false) {
            (transaction) throws(AccountError) in
            try await notices.tell(.factorAdded, of: user, in: transaction)
            try await Self.replace(codes, for: user, in: transaction)
        }
        return codes
    }

    /// Whether a user has a confirmed device. If so, require ``verify(_:for:)`` or
    /// ``recover(_:for:)`` at each sign-in.
    public func isRequired(for user: String) async throws(AccountError) -> Bool {
        let rows = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(Self.confirmed, values: [.text(user)])
        }
        return !rows.isEmpty
    }

    /// Checks a code of the confirmed device, and uses it up.
    ///
    /// - Throws: `wrongCode`, also if the user has no device; `tooManyRequests` with `retryAfter`,
    ///   also for a right code; the database's errors.
    public func verify(_ code: String, for user: String) async throws(AccountError) {
        try await useDeviceCode(code, for: user, isConfirmed: true) { (_) throws(AccountError) in }
    }

    /// Removes device and recovery codes: for a user who has just shown the second factor, or whose
    /// identity was checked in a different way.
    public func remove(for user: String) async throws(AccountError) {
        try await database.transaction { (transaction) throws(AccountError) in
            _ = try await AccountUsers.hold(user, in: transaction)
            if try await !transaction.run(Self.confirmed, values: [.text(user)]).isEmpty {
                try await notices.tell(.factorRemoved, of: user, in: transaction)
            }
            try await transaction.run(Self.removeCodes, values: [.text(user)])
            try await transaction.run(Self.removeStatement, values: [.text(user)])
        }
    }

    /// Checks a code of the user's device, uses up its step, and then runs `work`, in one
    /// transaction. The step is the number of a code (`Device.step`): codes of this step and of
    /// earlier steps are wrong from then on.
    ///
    /// - Parameter isConfirmed: whether the device must be confirmed, or must not be.
    private func useDeviceCode(
        _ code: String, for user: String, isConfirmed: Bool,
        then work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        try await countTry(for: user) { (transaction) throws(AccountError) -> Bool in
            let rows = try await transaction.run(
                Self.find, values: [.text(user), .integer(isConfirmed ? 1 : 0)])
            guard let row = rows.first else { return false }
            let device = try Device(
                bytes: try secret.open(
                    try row.bytes(0), label: "factor", bound: [Array(user.utf8)]))
            let last = try row.integer(1)
            guard
                let step = try device.step(of: code, at: try row.integer(2), after: last)
            else { return false }
            let used = try await transaction.run(
                Self.useStep, values: [.integer(step), .text(user)])
            guard !used.isEmpty else { return false }
            try await work(transaction)
            return true
        }
    }

    /// Counts a try against the user's limit before `check`, and gives it back if the code was
    /// right, all in one transaction.
    ///
    /// - Throws: `wrongCode`, after the transaction has committed the count.
    private func countTry(
        for user: String,
        _ check: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Bool
    ) async throws(AccountError) {
        let isRight = try await database.transaction {
            (transaction) throws(AccountError) -> Bool in
            try await limits.take(
                limit, name: "second factor", for: .account(user), in: transaction)
            guard try await check(transaction) else { return false }
            try await limits.giveBack(
                limit, name: "second factor", for: .account(user), in: transaction)
            return true
        }
        guard isRight else { throw Self.wrongCode }
    }

    private static var wrongCode: AccountError {
        AccountError(.wrongCode, "This code is wrong, or was used before.")
    }
}

// Recovery codes.
extension SecondFactors {
    /// Makes ten new recovery codes, to show once; earlier recovery codes are void.
    ///
    /// - Throws: `conflict` if the user does not exist; the database's errors.
    public func newRecoveryCodes(for user: String) async throws(AccountError) -> [RecoveryCode] {
        let codes = try RecoveryCode.generate()
        try await database.transaction { (transaction) throws(AccountError) in
            try await Self.replace(codes, for: user, in: transaction)
            try await notices.tell(.recoveryCodes, of: user, in: transaction)
        }
        return codes
    }

    /// Removes a user's recovery codes, and stores these in their place.
    private static func replace(
        _ codes: [RecoveryCode], for user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        // Otherwise codes that another transaction is adding would not be seen, and stay.
        _ = try await AccountUsers.hold(user, in: transaction)
        try await transaction.run(removeCodes, values: [.text(user)])
        for code in codes {
            try await transaction.run(addCode, values: [.text(user), .bytes(try code.hash())])
        }
    }

    /// Checks a recovery code in place of a device's code, and uses it up. A right recovery code is
    /// never refused, however many codes were wrong: its 120 bits cannot be guessed, and a thief of
    /// the password must not lock the user out.
    ///
    /// - Returns: how many recovery codes are left.
    /// - Throws: `wrongCode` for a code that is wrong or was used; `tooManyRequests` with
    ///   `retryAfter` for a wrong code at the limit; the database's errors.
    @discardableResult
    public func recover(_ code: String, for user: String) async throws(AccountError) -> Int {
        let hash = try RecoveryCode(code)?.hash()
        // Counted together: an error here would report a used-up code as unused.
        let left = try await database.transaction { (transaction) throws(AccountError) -> Int? in
            // A text that cannot be a code counts as a wrong code.
            guard let hash, try await Self.useUp(hash, of: user, in: transaction) else {
                try await limits.take(
                    limit, name: "second factor", for: .account(user), in: transaction)
                return nil
            }
            try await notices.tell(.recoveryCodeUsed, of: user, in: transaction)
            let counts = try await transaction.run(Self.countCodes, values: [.text(user)])
            return Int(clamping: try counts.first?.integer(0) ?? 0)
        }
        guard let left else { throw Self.wrongCode }
        return left
    }

    /// - Returns: whether the user has a recovery code with this hash, which is now used up.
    private static func useUp(
        _ hash: [UInt8], of user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        try await !transaction.run(useCode, values: [.text(user), .bytes(hash)]).isEmpty
    }
}

// `{now}` is the database's clock in milliseconds; `{lock}` holds the row until the transaction's
// end.
extension SecondFactors {
    private static let addStatement: SQLStatement = """
        INSERT INTO signet_factors (user_id, sealed, confirmed, last_step) VALUES ($1, $2, 0, -1)
        ON CONFLICT (user_id) DO UPDATE SET sealed = $2, last_step = -1
        WHERE signet_factors.confirmed = 0
        RETURNING confirmed
        """
    private static let find: SQLStatement = """
        SELECT sealed, last_step, {now} FROM signet_factors
        WHERE user_id = $1 AND confirmed = $2 {lock}
        """
    private static let confirmed: SQLStatement =
        "SELECT confirmed FROM signet_factors WHERE user_id = $1 AND confirmed = 1"
    private static let useStep: SQLStatement = """
        UPDATE signet_factors SET last_step = $1, confirmed = 1
        WHERE user_id = $2 AND last_step < $1
        RETURNING last_step
        """
    private static let removeStatement: SQLStatement =
        "DELETE FROM signet_factors WHERE user_id = $1"
    private static let addCode: SQLStatement =
        "INSERT INTO signet_recovery_codes (user_id, hash) VALUES ($1, $2)"
    private static let useCode: SQLStatement =
        "DELETE FROM signet_recovery_codes WHERE user_id = $1 AND hash = $2 RETURNING user_id"
    private static let countCodes: SQLStatement =
        "SELECT count(*) FROM signet_recovery_codes WHERE user_id = $1"
    private static let removeCodes: SQLStatement =
        "DELETE FROM signet_recovery_codes WHERE user_id = $1"
}
