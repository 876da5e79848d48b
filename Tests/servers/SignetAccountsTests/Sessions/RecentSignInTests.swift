// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("A recent sign-in", .serialized)
struct RecentSignInTests {
    let database: ClockedDatabase
    let tokens: RefreshTokens
    let people: People
    private let folder: PrivateFolder

    init() async throws {
        folder = try PrivateFolder()
        database = try await ClockedDatabase.open(folder)
        tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        people = People(database)
        try await database.add("user")
    }

    private func session(_ issued: IssuedTokens) throws -> VerifiedSession {
        try tokens.issuer.verify(issued.accessToken)
    }

    /// Why it is refused; nil where it is not.
    private func refusal(
        _ session: VerifiedSession, within window: Duration = .seconds(600),
        exceptGuestsOf people: People? = nil
    ) async throws -> AccountError.Code? {
        do throws(AccountError) {
            try await database.transaction { (transaction) throws(AccountError) in
                try await tokens.requireRecentSignIn(
                    session, within: window, exceptGuestsOf: people, in: transaction)
            }
            return nil
        } catch { return error.code }
    }

    @Test("It ends to the millisecond by the database's clock, and a refresh does not extend it")
    func boundary() async throws {
        for (after, code) in [(Int64(599_999), nil), (600_000, AccountError.Code.signInTooOld)] {
            let first = try await tokens.begin(for: "user")
            try await database.advance(by: after)
            let next = try await tokens.rotate(first.refreshToken)
            for issued in [first, next] {
                #expect(try await refusal(session(issued)) == code, "\(after)")
            }
        }
        let issued = try await tokens.begin(for: "user")
        try await database.advance(by: 60_000)
        #expect(try await refusal(session(issued), within: .seconds(60)) == .signInTooOld)
        #expect(try await refusal(session(issued), within: .seconds(61)) == nil)
        for window: Duration in [.zero, .seconds(-1), .seconds(86_401)] {
            #expect(try await refusal(session(issued), within: window) == .invalidParameter)
        }
    }

    @Test("The answer to an old sign-in says how long ago it may be")
    func window() async throws {
        let issued = try await tokens.begin(for: "user")
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            let phone = try? UserIdentity.phone(PhoneNumber("+14155551234"))
            if let phone { _ = try await people.link(phone, to: "user", in: transaction) }
        }
        try await database.advance(by: 86_400_000)
        let session = try session(issued)
        for (window, age) in [(Duration.seconds(600), 600), (.milliseconds(1_999), 1)] {
            for people in [nil, people] {
                let error = await #expect(throws: AccountError.self) {
                    try await database.transaction { (transaction) throws(AccountError) in
                        try await tokens.requireRecentSignIn(
                            session, within: window, exceptGuestsOf: people, in: transaction)
                    }
                }
                let answer = HTTPRefusal(try #require(error))
                #expect(answer == .insufficientAuthentication(maximumAge: .seconds(age)))
                #expect(
                    answer.challenge
                        == "Bearer error=\"insufficient_user_authentication\", max_age=\(age)")
            }
        }
        #expect(
            HTTPRefusal.insufficientAuthentication(maximumAge: .seconds(-1))
                == .insufficientAuthentication)
    }

    @Test("Setting the clock back keeps no session recent for longer")
    func clockSetBack() async throws {
        for (back, code) in [(Int64(60_000), nil), (60_001, AccountError.Code.signInTooOld)] {
            let issued = try await tokens.begin(for: "user")
            try await database.advance(by: -back)
            #expect(try await refusal(session(issued)) == code, "\(back)")
        }
    }

    @Test("A session that has ended, or is another user's, does not count")
    func ended() async throws {
        let issued = try await tokens.begin(for: "user")
        try await database.add("other")
        for (user, id) in [
            ("other", issued.session.id), ("user", "none"), ("us\0er", issued.session.id),
        ] {
            let token = try tokens.issuer.issue(subject: user, sessionID: id).token
            let code = try await refusal(tokens.issuer.verify(token), exceptGuestsOf: people)
            #expect(code == .sessionEnded)
        }
        #expect(try await refusal(session(issued)) == nil)
        try await tokens.end(issued.session.id, of: "user")
        #expect(try await refusal(session(issued), exceptGuestsOf: people) == .sessionEnded)
        let idle = try await tokens.begin(for: "user")
        try await database.advance(by: 7 * 86_400_000)
        #expect(try await refusal(session(idle), exceptGuestsOf: people) == .sessionEnded)
    }

    @Test(
        "A guest passes where the application allows it, and only one of two first links succeeds")
    func guests() async throws {
        let guest = try await people.addGuest()
        let issued = try await tokens.begin(for: guest.id)
        try await database.advance(by: 86_400_000)
        let session = try session(issued)
        #expect(try await refusal(session) == .signInTooOld)
        #expect(try await refusal(session, exceptGuestsOf: people) == nil)
        let (database, tokens, people) = (database, tokens, people)
        let linked = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                let phone = try PhoneNumber("+1415555123\(number)")
                group.addTask {
                    do throws(AccountError) {
                        return try await database.transaction {
                            (transaction) throws(AccountError) in
                            try await tokens.requireRecentSignIn(
                                session, exceptGuestsOf: people, in: transaction)
                            _ = try await people.link(.phone(phone), to: guest.id, in: transaction)
                            return 1
                        }
                    } catch {
                        guard error.code == .signInTooOld else { throw error }
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(linked == 1)
        #expect(try await refusal(session, exceptGuestsOf: people) == .signInTooOld)
    }
}
