// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetEmail

extension AccountCheck {
    static let notices = [
        AccountCheck("a notice is there if its change is, five at once and then one") { scope in
            try await FactorScope.run(scope) { own in
                let user = scope.name
                let mailbox = try Mailbox("\(user).notices@example.com")
                let people = People(own.database(0))
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await AccountUsers.add(user, in: transaction)
                    _ = try await people.link(.email(mailbox), to: user, in: transaction)
                }
                let failure = AccountError(.invalidGrant, "An error of the change.")
                for number in 0..<6 {
                    try await scope.expect(.invalidGrant, by: "a change that fails") {
                        try await own.tellOfPassword(on: number, failingWith: failure)
                    }
                }
                _ = try await own.outbox(0).deliver()
                try scope.expect(own.sender.notices.isEmpty, "a change that failed was told")
                _ = try await runAtOnce(12) { number in
                    try await own.tellOfPassword(on: number)
                }
                _ = try await own.outbox(1).deliver()
                try scope.expect(
                    own.sender.notices.count, is: 5, named: "the count of notices at once")
                // After half an hour the limit allows one notice more (`RateLimit.notices`).
                try await own.pass(.seconds(1_801))
                _ = try await own.outbox(0).deliver()
                try scope.expect(
                    own.sender.notices.count, is: 6, named: "the count of notices later")
                try scope.expect(
                    own.sender.notices.map(\.standsForOthers),
                    is: [false, false, false, false, false, true], named: "which stand for others")
                try scope.expect(
                    own.sender.notices.allSatisfy { $0.destination == .email(mailbox) },
                    "a notice went elsewhere")
            }
        },
        AccountCheck("changes of a second factor are told") { scope in
            try await FactorScope.run(scope) { own in
                let user = scope.name
                let mailbox = try Mailbox("\(user).factors@example.com")
                let people = People(own.database(0))
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await AccountUsers.add(user, in: transaction)
                    _ = try await people.link(.email(mailbox), to: user, in: transaction)
                }
                let factors = SecondFactors(own.database(0), secret: own.secret)
                let hotp = try HOTP()
                try await factors.add(.hotp(hotp), for: user)
                // This factor is not confirmed, so its removal is not told.
                try await factors.remove(for: user)
                try await factors.add(.hotp(hotp), for: user)
                let recovery = try await factors.confirm(try hotp.code(at: 0), for: user)
                try await factors.verify(try hotp.code(at: 1), for: user)
                _ = try await factors.recover(recovery[0].exposedText, for: user)
                _ = try await factors.newRecoveryCodes(for: user)
                try await factors.remove(for: user)
                _ = try await own.outbox(1).deliver()
                let told = Set(own.sender.notices.map(\.change.name))
                let expected: [AccountChange] = [
                    .factorAdded, .recoveryCodeUsed, .recoveryCodes, .factorRemoved,
                ]
                try scope.expect(own.sender.notices.count, is: 4, named: "the count of notices")
                try scope.expect(told, is: Set(expected.map(\.name)), named: "what was told")
            }
        },
    ]
}

extension FactorScope {
    /// Tells of a change of the password, in a transaction that then fails if there is an error.
    fileprivate func tellOfPassword(
        on number: Int, failingWith error: AccountError? = nil
    ) async throws(AccountError) {
        let notices = AccountNotices(database(number), secret: secret)
        let user = scope.name
        try await database(number).transaction { (transaction) throws(AccountError) in
            try await notices.tell(.password, of: user, in: transaction)
            if let error { throw error }
        }
    }
}
