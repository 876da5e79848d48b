// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Recovery codes.
extension SecondFactors {
    /// Makes ten new recovery codes, to show once; earlier recovery codes are void.
    ///
    /// - Throws: `unknownUser`; the database's errors.
    public func newRecoveryCodes(
        for user: String, in transaction: (any AccountTransaction)? = nil
    ) async throws(AccountError) -> [RecoveryCode] {
        let codes = try RecoveryCode.generate()
        try await database.within(transaction) { (transaction) throws(AccountError) in
            try await replaceRecoveryCodes(of: user, with: codes, in: transaction)
            try await notices.tell(.recoveryCodes, of: user, in: transaction)
        }
        return codes
    }

    /// Removes a user's recovery codes, and stores these in their place.
    func replaceRecoveryCodes(
        of user: String, with codes: [RecoveryCode], in transaction: any AccountTransaction
    ) async throws(AccountError) {
        // Otherwise codes that another transaction is adding would not be seen, and stay.
        guard try await AccountUsers.hold(user, in: transaction) else { throw .unknownUser }
        try await transaction.run(FactorStatements.removeCodes, values: [.text(user)])
        for code in codes {
            try await transaction.run(
                FactorStatements.addCode, values: [.text(user), .bytes(try code.hash())])
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
        // Counted together: an error here would report a used-up code as unused.
        let left = try await database.transaction { (transaction) throws(AccountError) in
            try await recover(code, for: user, in: transaction)
        }
        guard let left else { throw Self.wrongCode }
        return left
    }

    /// Checks a recovery code like ``recover(_:for:)``, in a transaction that does more, such as
    /// beginning the session.
    ///
    /// - Parameters:
    ///   - code: what the person typed.
    ///   - user: the user's identifier.
    ///   - transaction: the transaction that it belongs to.
    /// - Returns: how many recovery codes are left; nil for a code that is wrong or was used.
    ///   **Commit the transaction also then**: it has counted the try.
    /// - Throws: `tooManyRequests` with `retryAfter` for a wrong code at the limit; the database's
    ///   errors.
    public func recover(
        _ code: String, for user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Int? {
        guard (try? AccountUsers.check(user)) != nil else { return nil }
        // A text that cannot be a code counts as a wrong code.
        guard let hash = try RecoveryCode(code)?.hash(),
            try await useUp(hash, of: user, in: transaction)
        else {
            try await limits.take(
                limit, name: Self.nameOfRecoveryLimit, for: .account(user), in: transaction)
            return nil
        }
        try await notices.tell(.recoveryCodeUsed, of: user, in: transaction)
        let counts = try await transaction.run(FactorStatements.countCodes, values: [.text(user)])
        return Int(clamping: try counts.first?.integer(0) ?? 0)
    }

    private static let nameOfRecoveryLimit: StaticString = "recovery codes"

    /// The limit of wrong recovery codes, for a user.
    var limitOfRecoveryCodes: RateLimits.Named {
        RateLimits.Named(limit, name: Self.nameOfRecoveryLimit)
    }

    /// - Returns: whether the user has a recovery code with this hash, which is now used up.
    private func useUp(
        _ hash: [UInt8], of user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        try await !transaction.run(
            FactorStatements.useCode, values: [.text(user), .bytes(hash)]
        ).isEmpty
    }
}
