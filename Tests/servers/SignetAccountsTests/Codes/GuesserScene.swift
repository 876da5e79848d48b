// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetSignIn
import TestSupport

/// A destination under attack, on a clock that the test sets. It counts the guesses that were
/// really compared with a code.
struct GuesserScene {
    /// What a client has after it asked for a code.
    struct Issued {
        let challenge: CodeChallenge
        let code: OneTimeCode
        let address: ClientAddress
        let purpose: CodePurpose
    }

    private struct Counting: AccountDatabase {
        private struct Transaction: AccountTransaction {
            let inner: any AccountTransaction
            let count: Locked<Int>

            func run(
                _ statement: SQLStatement, values: [SQLValue]
            ) async throws(AccountError) -> [SQLRow] {
                let rows = try await inner.run(statement, values: values)
                if statement.source.description.contains("RETURNING used") {
                    count.withLock { $0 += rows.count }
                }
                return rows
            }
        }

        let inner: ClockedDatabase
        let count: Locked<Int>

        var dialect: SQLDialect { inner.dialect }

        func transaction<Value: Sendable>(
            _ work:
                @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
        ) async throws(AccountError) -> Value {
            let count = count
            return try await inner.transaction { (transaction) throws(AccountError) in
                try await work(Transaction(inner: transaction, count: count))
            }
        }
    }

    let codes: OneTimeCodes
    let phone: CodeDestination
    private let clock: ClockedDatabase
    /// Removed with the scene.
    private let folder: PrivateFolder
    private let compared = Locked(0)
    private let addresses = Locked(UInt32(0))
    private let secret: AccountSecret

    init(_ policy: CodePolicy = .standard) async throws {
        folder = try PrivateFolder()
        clock = try await ClockedDatabase.open(folder)
        secret = try .test()
        codes = OneTimeCodes(
            Counting(inner: clock, count: compared), secret: secret, policy: policy)
        phone = try CodeScene.destination()
    }

    /// How many guesses were compared with a code so far.
    var comparedCount: Int { compared.withLock { $0 } }

    func pass(_ time: Duration) async throws {
        try await clock.advance(by: Int64(time / .milliseconds(1)))
    }

    /// An address that no one had before.
    func newAddress() -> ClientAddress? {
        let number = addresses.withLock { number in
            number += 1
            return number
        }
        return ClientAddress("10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)")
    }

    /// The owner signs in: the client is known from now on.
    func signIn(_ user: String, from address: ClientAddress) async throws -> DeviceSecret {
        let (phone, clients) = (phone, KnownClients(secret: secret))
        return try await clock.transaction { (transaction) throws(AccountError) in
            try await AccountUsers.add(user, in: transaction)
            return try await clients.remember(
                device: nil, address: address, at: phone, of: user, in: transaction)
        }
    }

    /// Asks for a code. Nil if a limit refuses it.
    func ask(
        _ address: ClientAddress, for purpose: CodePurpose = .signIn,
        device: DeviceSecret? = nil
    ) async throws -> Issued? {
        do throws(AccountError) {
            let issued = try await codes.issue(
                to: phone, for: purpose, from: address, device: device)
            return Issued(
                challenge: issued.sent.challenge, code: issued.code, address: address,
                purpose: purpose)
        } catch {
            guard error.code == .tooManyRequests else { throw error }
            return nil
        }
    }

    /// Hands in a code. Nil if it was right.
    func error(
        of code: OneTimeCode, _ purpose: CodePurpose = .signIn, showing challenge: CodeChallenge?,
        from address: ClientAddress
    ) async -> AccountError.Code? {
        await accountError { () throws(AccountError) in
            try await codes.verify(
                code, sentTo: phone, for: purpose, challenge: challenge, from: address)
            return true
        }?.code
    }

    /// Guesses at a code of one's own until nothing is compared any more.
    func guess(at issued: Issued, showsChallenge: Bool) async throws {
        for step in 1...10 {
            let before = comparedCount
            _ = await error(
                of: try CodeScene.wrong(issued.code, step), issued.purpose,
                showing: showsChallenge ? issued.challenge : nil, from: issued.address)
            guard comparedCount > before else { return }
        }
    }

    /// Guesses without a code of one's own until that is refused.
    func guessAtAnything(_ purpose: CodePurpose = .signIn) async throws {
        guard let address = newAddress() else { return }
        let guess = try OneTimeCode("000000")
        for _ in 0..<50 {
            let before = comparedCount
            _ = await error(of: guess, purpose, showing: nil, from: address)
            guard comparedCount > before else { return }
        }
    }
}
