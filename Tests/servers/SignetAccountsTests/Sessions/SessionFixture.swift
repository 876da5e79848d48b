// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport

/// What sessions are made of.
enum SessionFixture {
    static func issuer(
        lifetime: Duration = .seconds(3600), clock: TimeSource = .still
    ) throws -> SessionTokenIssuer {
        let key = try HMACKey(
            secret: SecretKey(copying: [UInt8](repeating: 7, count: 32)), algorithm: .hs256,
            keyID: "test")
        return try SessionTokenIssuer(
            issuer: "https://api.example", audience: "session", keys: SessionKeyRing(key),
            lifetime: lifetime, clock: clock)
    }
}

extension AccountDatabase {
    /// One statement in a transaction of its own.
    @discardableResult
    func run(_ statement: SQLStatement, values: [SQLValue] = []) async throws -> [SQLRow] {
        try await transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: values)
        }
    }

    func add(_ user: String) async throws {
        try await transaction { (transaction) throws(AccountError) -> Void in
            try await AccountUsers.add(user, in: transaction)
        }
    }
}

/// A database that is unreachable while a test says so.
struct FlakyDatabase: AccountDatabase {
    let inner: any AccountDatabase
    let failure = Locked<AccountError.Code?>(nil)

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        if let code = failure.withLock({ $0 }) { throw AccountError(code, "As the test wants it.") }
        return try await inner.transaction(work)
    }
}
