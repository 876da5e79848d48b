// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A code of a device. With a factor's identifier it is compared with that one's code, without one
// with those of all the user's factors, and then counts for each.
//
// The calls with `in:` do not throw for a wrong code: the caller's transaction commits the count.
extension SecondFactors {
    /// Confirms a device with its first code. From then on ``isRequired(for:in:)`` is true. The
    /// user's other devices that are not confirmed are removed: somebody else may have added them.
    ///
    /// - Parameters:
    ///   - code: what the person typed.
    ///   - factorID: the factor; nil for whichever of those that are not confirmed has the code.
    ///   - user: the user's identifier.
    /// - Returns: with the user's first factor ten new recovery codes, to show once; with a further
    ///   one none, and the earlier ones stay.
    /// - Throws: `wrongCode`; `tooManyRequests` with `retryAfter`; the database's errors.
    @discardableResult
    public func confirm(
        _ code: String, of factorID: String? = nil, for user: String
    ) async throws(AccountError) -> [RecoveryCode] {
        let codes = try RecoveryCode.generate()
        let shown = try await database.transaction {
            (transaction) throws(AccountError) -> [RecoveryCode]? in
            // Held: of two that are confirmed at once, one is the first.
            guard try await AccountUsers.hold(user, in: transaction) else { return nil }
            let isFirst = try await !isRequired(for: user, in: transaction)
            let confirmed = try await confirm(code, of: factorID, for: user, in: transaction)
            guard confirmed != nil else { return nil }
            guard isFirst else { return [] }
            try await replaceRecoveryCodes(of: user, with: codes, in: transaction)
            return codes
        }
        guard let shown else { throw Self.wrongCode }
        return shown
    }

    /// Confirms a device with its first code, like ``confirm(_:of:for:)``, in a transaction that
    /// does more. It makes no recovery codes: see ``newRecoveryCodes(for:in:)``.
    ///
    /// - Parameters:
    ///   - code: what the person typed.
    ///   - factorID: the factor; nil for whichever of those that are not confirmed has the code.
    ///   - user: the user's identifier.
    ///   - transaction: the transaction that it belongs to.
    /// - Returns: the factor; nil for a wrong code. **Commit the transaction also then**: it has
    ///   counted the try.
    /// - Throws: `tooManyRequests` with `retryAfter`; the database's errors.
    public func confirm(
        _ code: String, of factorID: String? = nil, for user: String,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Factor? {
        guard try await AccountUsers.hold(user, in: transaction) else { return nil }
        let factor = try await use(
            code, of: factorID, for: user, isConfirmed: false, in: transaction)
        guard let factor else { return nil }
        try await transaction.run(FactorStatements.removeUnconfirmed, values: [.text(user)])
        try await notices.tell(.factorAdded, of: user, in: transaction)
        return factor
    }

    /// Checks a code of a confirmed device, and uses it up.
    ///
    /// - Parameters:
    ///   - code: what the person typed.
    ///   - factorID: the factor; nil for whichever of the user's has the code.
    ///   - user: the user's identifier.
    /// - Throws: `wrongCode`, also if the user has no such device; `tooManyRequests` with
    ///   `retryAfter`, also for a right code; the database's errors.
    public func verify(
        _ code: String, of factorID: String? = nil, for user: String
    ) async throws(AccountError) {
        let used = try await database.transaction { (transaction) throws(AccountError) in
            try await verify(code, of: factorID, for: user, in: transaction)
        }
        guard used != nil else { throw Self.wrongCode }
    }

    /// Checks a code of a confirmed device, and uses it up, in a transaction that does more, such as
    /// beginning the session.
    ///
    /// - Parameters:
    ///   - code: what the person typed.
    ///   - factorID: the factor; nil for whichever of the user's has the code.
    ///   - user: the user's identifier.
    ///   - transaction: the transaction that it belongs to.
    /// - Returns: the factor; nil for a wrong code. **Commit the transaction also then**: it has
    ///   counted the try.
    /// - Throws: `tooManyRequests` with `retryAfter`, also for a right code; the database's errors.
    public func verify(
        _ code: String, of factorID: String? = nil, for user: String,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Factor? {
        try await verify(code, of: factorID, for: user, by: nil, in: transaction)
    }

    /// Checks a code like ``verify(_:of:for:in:)``, for a client whose wrong codes count apart from
    /// those of others: a thief of the password who guesses must not lock it out.
    ///
    /// - Parameter client: a client that has shown this factor before
    ///   (`find(device:afterFactor:of:in:)` of ``KnownClients``); nil for every other one.
    package func verify(
        _ code: String, of factorID: String?, for user: String, by client: KnownClients.Client?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Factor? {
        try await use(
            code, of: factorID, for: user, isConfirmed: true, by: client, in: transaction)
    }

    /// A factor as it is stored, to compare a code with.
    private struct Row {
        let id: String
        let sealed: [UInt8]
        let lastStep: Int64
        /// The database's clock in milliseconds.
        let now: Int64

        init(_ row: SQLRow) throws(AccountError) {
            id = try row.text(0)
            sealed = try row.bytes(6)
            lastStep = try row.integer(7)
            now = try row.integer(8)
        }
    }

    /// Checks a code and uses up its step: the number of a code (`Device.step`). Codes of this step
    /// and of earlier steps are wrong from then on. A try counts against each factor that it is
    /// compared with, and is given back if the code was right.
    ///
    /// - Parameters:
    ///   - isConfirmed: whether the device must be confirmed, or must not be.
    ///   - client: a client that has a limit of its own.
    private func use(
        _ code: String, of factorID: String?, for user: String, isConfirmed: Bool,
        by client: KnownClients.Client? = nil, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Factor? {
        guard (try? AccountUsers.check(user)) != nil else { return nil }
        let found = try await transaction.run(
            FactorStatements.find, values: [.text(user), .integer(isConfirmed ? 1 : 0)])
        var counted: [Row] = []
        var reached: AccountError?
        var factor: Factor?
        for row in found where factor == nil {
            let row = try Row(row)
            if let factorID, !row.id.utf8.elementsEqual(factorID.utf8) { continue }
            do throws(AccountError) {
                try await limits.take(
                    limit, name: Self.nameOfLimit, for: Self.subject(row, by: client),
                    in: transaction)
            } catch {
                // Without a row to compare with, this is the answer.
                guard error.code == .tooManyRequests else { throw error }
                reached = reached ?? error
                continue
            }
            counted.append(row)
            factor = try await use(code, of: row, user: user, in: transaction)
        }
        guard let factor else {
            if counted.isEmpty, let reached { throw reached }
            return nil
        }
        for row in counted {
            try await limits.giveBack(
                limit, name: Self.nameOfLimit, for: Self.subject(row, by: client), in: transaction)
        }
        return factor
    }

    /// Compares a code with a factor's, and uses up its step; nil for a wrong code.
    private func use(
        _ code: String, of row: Row, user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Factor? {
        let device = try Device(
            bytes: try secret.open(
                row.sealed, label: "factor", bound: Self.bound(row.id, user: user)))
        guard let step = try device.step(of: code, at: row.now, after: row.lastStep) else {
            return nil
        }
        let used = try await transaction.run(
            FactorStatements.useStep, values: [.integer(step), .text(row.id)])
        return try used.first.map { (row) throws(AccountError) in try Factor(row) }
    }

    private static let nameOfLimit: StaticString = "second factor"

    /// The limit of wrong codes, for a factor or a client that has shown one.
    var limitOfCodes: RateLimits.Named { RateLimits.Named(limit, name: Self.nameOfLimit) }

    /// Whose limit a wrong code counts against.
    private static func subject(
        _ row: Row, by client: KnownClients.Client?
    ) -> RateLimits.Subject {
        if let client { .known(client) } else { .account(row.id) }
    }

    static var wrongCode: AccountError {
        AccountError(.wrongCode, "This code is wrong, or was used before.")
    }
}
