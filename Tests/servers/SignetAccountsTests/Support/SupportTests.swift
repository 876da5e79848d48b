// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetCrypto
import SignetEmail
import SignetSignIn
import Testing

/// What holds on each engine is a check of the kit (`AccountDatabaseChecks.support`).
@Suite("What support does for users", .serialized, .timeLimit(.minutes(20)))
struct SupportTests {
    private struct Scene {
        let database: any AccountDatabase
        let sessions: RefreshTokens
        let factors: SecondFactors
        let codes: OneTimeCodes
        let support: AccountSupport

        init(_ database: any AccountDatabase) throws {
            self.database = database
            sessions = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
            factors = SecondFactors(database, secret: try .test())
            codes = OneTimeCodes(database, secret: try .test())
            support = AccountSupport(
                sessions, factors: factors, codes: codes,
                limits: [.init(.passwordTries, name: "passwords")])
        }

        /// A database with the user `ann`.
        init() async throws {
            try self.init(try await SQLiteAccounts.inMemory())
            try await database.add("ann")
        }

        func find(_ id: String = "ann") async throws -> AccountSupport.User? {
            try await support.user(id, by: "kim", reason: "a test")
        }

        /// The code of the error with which a ban ends; nil where it is there.
        func ban(until end: NumericDate = AccountSupport.endless) async -> AccountError.Code? {
            await accountError { () throws(AccountError) in
                try await support.ban("ann", until: end, by: "kim", reason: "a test")
                return true
            }?.code
        }

        /// The codes of the errors of all calls that change a user; nil where one succeeds.
        func changes(
            _ id: String, by actor: String = "kim", reason: String = "a test"
        ) async -> [AccountError.Code?] {
            let banned = await accountError { () throws(AccountError) in
                try await support.ban(
                    id, until: AccountSupport.endless, by: actor, reason: reason)
                return true
            }
            let lifted = await accountError { () throws(AccountError) in
                try await support.liftBan(of: id, by: actor, reason: reason)
                return true
            }
            let ended = await accountError { () throws(AccountError) in
                try await support.endSessions(of: id, by: actor, reason: reason)
            }
            let reset = await accountError { () throws(AccountError) in
                try await support.reset([.limits], of: id, by: actor, reason: reason)
                return true
            }
            return [banned, lifted, ended, reset].map { $0?.code }
        }

        /// The code of the error with which a sign-in ends; nil where a session began.
        func begin() async -> AccountError.Code? {
            await accountError { () throws(AccountError) in
                try await sessions.begin(for: "ann")
            }?.code
        }
    }

    @Test("A look-up shows what support needs, no secret, and prints no address")
    func looksUp() async throws {
        let scene = try await Scene()
        let people = People(scene.database)
        let number = try PhoneNumber("+14155551234")
        _ = try await people.link(.phone(number), to: "ann")
        // As a provider has told it.
        try await scene.database.run("UPDATE signet_profiles SET email = 'ann@provider.example'")
        _ = try await scene.sessions.begin(for: "ann", device: "Pixel 9")
        try await scene.factors.add(.totp(TOTP()), named: "phone", for: "ann")
        let user = try #require(
            try await scene.support.user(with: .phone(number), by: "kim", reason: "a test"))
        #expect(user.id == "ann" && user.bannedUntil == nil && !user.hasPassword)
        #expect(user.identities.map(\.identity.issuer) == ["phone"])
        #expect(user.addresses.map(\.exposedText) == [number.e164, "ann@provider.example"])
        #expect(user.addresses.map(\.isConfirmed) == [true, false])
        #expect(user.addresses.map(\.isPhone) == [true, false])
        #expect(user.sessions.map(\.device) == ["Pixel 9"] && user.recoveryCodeCount == 0)
        #expect(user.factors.map(\.name) == ["phone"])
        let page = try await scene.support.users(by: "kim", reason: "a test")
        #expect(page.users.map(\.email) == ["ann@provider.example"] && page.next == nil)
        var dumped = ""
        dump(user, to: &dumped)
        for printed in ["\(user)", dumped, "\(user.addresses[0])", "\(page.users[0])"] {
            #expect(!printed.contains("4155551234") && !printed.contains("provider"))
        }
    }

    @Test("A look-up by address adds nobody, and no event has an address")
    func addsNobody() async throws {
        let scene = try await Scene()
        for identity in [
            UserIdentity.email(try Mailbox("bob@company.example")),
            UserIdentity(issuer: "https://idp.example", subject: "a\0b"),
        ] {
            let found = try await scene.support.user(with: identity, by: "kim", reason: "a test")
            #expect(found == nil)
        }
        #expect(try await scene.database.run("SELECT id FROM signet_users").count == 1)
        let events = try await scene.support.events()
        #expect(events.map(\.act) == [.lookedUp, .lookedUp])
        #expect(events.allSatisfy { $0.userID == nil && $0.reason == "a test" })
    }

    @Test("Absent users, and texts that name none, are nobody")
    func nobody() async throws {
        let scene = try await Scene()
        let support = scene.support
        for id in ["bob", "", "a\0", String(repeating: "x", count: 256)] {
            #expect(try await scene.find(id) == nil)
            #expect(try await support.events(of: id).isEmpty)
            let codes = await scene.changes(id)
            #expect(codes.allSatisfy { $0 == .unknownUser } && codes.count == 4)
        }
        // Those who looked are on record, and what was not done is not.
        #expect(
            try await support.events().map(\.act.name) == .init(repeating: "looked-up", count: 4))
    }

    @Test("Who acts and why are asked for, bounded, and clean, before anything is done")
    func notes() async throws {
        let scene = try await Scene()
        let support = scene.support
        let long = String(repeating: "x", count: AccountSupport.maximumReasonByteCount)
        let name = String(repeating: "k", count: AccountSupport.maximumActorByteCount)
        let refused = [
            ("kim", ""), ("", "a test"), ("kim", "   "), ("kim", "a\0b"), ("k\0", "a test"),
            ("kim", "a\nb"), ("kim", "a\u{7f}"), ("kim", long + "x"), (name + "k", "a test"),
            // C1 controls, ends of a line and of a paragraph, and turned directions.
            ("kim", "a\u{85}b"), ("k\u{9b}2J", "a test"), ("kim", "a\u{2028}b"),
            ("kim", "a\u{2029}b"), ("kim\u{202e}", "a test"), ("kim", "a\u{2066}b"),
        ]
        for (actor, reason) in refused {
            var codes = await scene.changes("ann", by: actor, reason: reason)
            let found = await accountError { () throws(AccountError) in
                try await support.user("ann", by: actor, reason: reason)
            }
            let listed = await accountError { () throws(AccountError) in
                try await support.users(by: actor, reason: reason)
            }
            codes += [found?.code, listed?.code]
            #expect(codes.allSatisfy { $0 == .invalidParameter } && codes.count == 6)
            #expect(found?.message.contains(long) == false)
        }
        #expect(try await support.events().isEmpty)
        #expect(await scene.begin() == nil)
        let written = "Grüße\u{200c}\u{1f469}\u{200d}\u{1f373}" + long.dropLast(21)
        try await support.liftBan(of: "ann", by: name, reason: written)
        let event = try #require(try await support.events().first)
        #expect(event.actor == name && event.reason == written && event.act == .banLifted)
    }

    @Test("Counts, pages and parts outside their bounds are refused")
    func bounds() async throws {
        let scene = try await Scene()
        let support = scene.support
        for count in [Int.min, 0, 501, .max] {
            let users = await accountError { () throws(AccountError) in
                try await support.users(count: count, by: "kim", reason: "a test")
            }
            let events = await accountError { () throws(AccountError) in
                try await support.events(count: count)
            }
            #expect([users, events].allSatisfy { $0?.code == .invalidParameter }, "\(count)")
        }
        let after = await accountError { () throws(AccountError) in
            try await support.users(after: "a\0", by: "kim", reason: "a test")
        }
        let parts = await accountError { () throws(AccountError) in
            try await support.reset([], of: "ann", by: "kim", reason: "a test")
            return true
        }
        #expect([after, parts].allSatisfy { $0?.code == .invalidParameter })
    }

    @Test("A list has each user once, a page at a time, and events the latest first")
    func pages() async throws {
        let scene = try await Scene()
        for number in 0..<6 { try await scene.database.add("user \(number)") }
        var listed: [String] = []
        var last: String?
        repeat {
            let page = try await scene.support.users(
                after: last, count: 3, by: "kim", reason: "page \(listed.count)")
            listed += page.users.map(\.id)
            last = page.next
        } while last != nil
        #expect(listed == ["ann"] + (0..<6).map { "user \($0)" })
        var events: [AccountSupport.Event] = []
        while true {
            let next = try await scene.support.events(before: events.last, count: 2)
            guard !next.isEmpty else { break }
            events += next
        }
        #expect(Set(events.map(\.reason)) == ["page 0", "page 3", "page 6"])
        #expect(events.allSatisfy { $0.act == .listed && $0.userID == nil } && events.count == 3)
    }

    @Test("A ban counts until its end, to the millisecond, and one in the past is refused")
    func ends() async throws {
        let moments = try Moments()
        let start = Double(Moments.start) / 1000
        let first = try Scene(try await moments.after(0))
        try await first.database.add("ann")
        for past in [start, start - 1, 0, -Double.infinity] {
            #expect(await first.ban(until: .init(secondsSince1970: past)) == .invalidParameter)
        }
        #expect(try await first.find()?.bannedUntil == nil)
        #expect(await first.begin() == nil)
        #expect(await first.ban(until: .init(secondsSince1970: start + 60)) == nil)
        #expect(try await first.find()?.bannedUntil?.secondsSince1970 == start + 60)
        for (time, code) in [
            (Int64(59_999), AccountError.Code.userBanned), (60_000, nil), (60_001, nil),
        ] {
            let later = try Scene(try await moments.after(time))
            #expect(await later.begin() == code, "\(time)")
            #expect(try await later.find()?.bannedUntil == nil || code != nil)
        }
        #expect(await first.ban(until: .init(secondsSince1970: .nan)) == nil)
        #expect(try await first.find()?.bannedUntil == AccountSupport.endless)
        #expect(await (try Scene(try await moments.after(1 << 42))).begin() == .userBanned)
        await moments.close()
    }

    @Test("The event of a ban says until when, and that of an earlier server does not")
    func untilWhen() async throws {
        let scene = try await Scene()
        // Rounded up to the millisecond, as the ban itself.
        for end in [AccountSupport.endless, .init(secondsSince1970: 253_402_300_000.0004)] {
            #expect(await scene.ban(until: end) == nil)
        }
        try await scene.support.liftBan(of: "ann", by: "kim", reason: "a test")
        let events = try await scene.support.events(of: "ann")
        #expect(Set(events.map(\.act)) == [.banned, .banLifted] && events.count == 3)
        #expect(
            events.compactMap(\.bannedUntil).map(\.secondsSince1970).sorted()
                == [253_402_300_000.001, AccountSupport.endless.secondsSince1970])
        let acts = ["banned", "banned/", "banned/x", "banned/9999999999999999999", "banned-x/1"]
        for act in acts {
            try await scene.database.run(
                "UPDATE signet_support_events SET act = $1", values: [.text(act)])
            let read = try await scene.support.events(of: "ann")
            #expect(read.allSatisfy { $0.act.name == act && $0.bannedUntil == nil })
        }
    }

    @Test("A ban that is lifted between the two statements of a sign-in lets it in")
    func liftedBetween() async throws {
        let inner = try await SQLiteAccounts.inMemory()
        let scene = try Scene(LiftingDatabase(inner: inner))
        try await inner.add("ann")
        #expect(await scene.ban() == nil)
        #expect(await scene.begin() == nil)
        #expect(await scene.begin() == nil)
        #expect(try await scene.sessions.sessions(of: "ann").count == 2)
    }

    @Test("A ban ends the sessions, and one that fails ends none")
    func together() async throws {
        let scene = try await Scene()
        let issued = try await scene.sessions.begin(for: "ann")
        #expect(await scene.ban(until: .init(secondsSince1970: 1)) == .invalidParameter)
        let next = try await scene.sessions.rotate(issued.refreshToken)
        #expect(await scene.ban() == nil)
        #expect(try await scene.sessions.sessions(of: "ann").isEmpty)
        for token in [issued, next] {
            await #expect(throws: AccountError(.invalidGrant, "")) {
                try await scene.sessions.rotate(token.refreshToken)
            }
        }
        try await scene.database.transaction { (transaction) throws(AccountError) in
            let isBanned = try await AccountUsers.isBanned("ann", in: transaction)
            #expect(isBanned)
            for other in ["bob", "a\0"] {
                #expect(try await !AccountUsers.isBanned(other, in: transaction))
            }
        }
        try await scene.support.liftBan(of: "ann", by: "kim", reason: "a test")
        #expect(await scene.begin() == nil)
        #expect(
            try await scene.support.endSessions(of: "ann", by: "kim", reason: "a test") == 1)
        #expect(
            Set(try await scene.support.events(of: "ann").map(\.act))
                == [.banned, .banLifted, .sessionsEnded])
    }

    @Test("Limits of codes and passwords that strangers have used up are given back")
    func limits() async throws {
        let scene = try await Scene()
        let phone = CodeDestination.phone(try PhoneNumber("+14155551234"))
        _ = try await People(scene.database).link(UserIdentity(phone), to: "ann")
        let limits = RateLimits(scene.database, secret: try .test())
        func askedFor() async -> AccountError.Code? {
            await accountError { () throws(AccountError) in
                try await scene.codes.send(to: phone, for: .signIn, from: nil)
            }?.code
        }
        func tried(_ subject: RateLimits.Subject) async -> AccountError.Code? {
            await accountError { () throws(AccountError) in
                try await limits.take(.passwordTries, name: "passwords", for: subject)
                return true
            }?.code
        }
        while await askedFor() == nil {}
        // Its own codes are in nobody's way any more.
        try await scene.database.run("UPDATE signet_codes SET sent_at = 1, ends_at = 1")
        for subject in [RateLimits.Subject.destination(phone), .account("ann")] {
            for _ in 0..<10 { #expect(await tried(subject) == nil) }
            #expect(await tried(subject) == .tooManyRequests)
        }
        #expect(await askedFor() == .tooManyRequests)
        try await scene.support.reset([.limits], of: "ann", by: "kim", reason: "a test")
        #expect(await askedFor() == nil)
        #expect(await tried(.destination(phone)) == nil)
        #expect(await tried(.account("ann")) == nil)
    }

    @Test("The person is told of a removed password and factor, and of none that was not there")
    func notices() async throws {
        let scene = try await Scene()
        _ = try await People(scene.database).link(
            .email(try Mailbox("ann@company.example")), to: "ann")
        let sender = RecordingSender()
        let outbox = try Outbox(scene.database, secret: .test(), sender: sender)
        try await scene.support.reset(
            [.password, .secondFactors], of: "ann", by: "kim", reason: "a test")
        try await outbox.deliver()
        #expect(sender.notices.isEmpty)
        let hash = try await PasswordHasher(.scrypt(logCost: 4), concurrency: 1).hash(
            Password("correct horse"))
        try await scene.database.transaction { (transaction) throws(AccountError) in
            try await StoredPasswords.set(hash, of: "ann", in: transaction)
        }
        #expect(try await scene.find()?.hasPassword == true)
        try await scene.support.reset([.password], of: "ann", by: "kim", reason: "a test")
        try await outbox.deliver()
        #expect(sender.notices.map(\.change) == [.passwordRemoved])
        #expect(try await scene.find()?.hasPassword == false)
    }

    @Test("A database of the version before gets what bans need, and its servers go on")
    func upgrade() async throws {
        let scene = try await Scene()
        for statement: SQLStatement in [
            "ALTER TABLE signet_users DROP COLUMN banned_until", "DROP TABLE signet_support_events",
            "DELETE FROM signet_schema_steps WHERE name IN ('users.2', 'support.1')",
        ] { try await scene.database.run(statement) }
        try await AccountSchema.migrate(scene.database)
        #expect(await scene.begin() == nil)
        #expect(await scene.ban() == nil)
        // As a server of the version before adds a user.
        try await scene.database.run("INSERT INTO signet_users (id, added_at) VALUES ('bob', 1)")
        let added = try #require(try await scene.find("bob"))
        #expect(added.bannedUntil == nil)
    }

    @Test("Events outlive their user, and are swept after 400 days")
    func kept() async throws {
        let moments = try Moments()
        let scene = try Scene(try await moments.after(0))
        try await scene.database.add("ann")
        #expect(await scene.ban() == nil)
        try await scene.database.transaction { (transaction) throws(AccountError) -> Void in
            try await AccountUsers.delete("ann", in: transaction)
        }
        let day: Int64 = 86_400_000
        for (time, count) in [(400 * day - 1, 1), (400 * day, 0)] {
            let later = try Scene(try await moments.after(time))
            try await AccountSweep(later.sessions).sweep()
            #expect(try await later.support.events(of: "ann").count == count)
        }
        await moments.close()
    }
}

/// A database in which a ban is lifted after the first sign-in that finds it.
private struct LiftingDatabase: AccountDatabase {
    private struct Transaction: AccountTransaction {
        let inner: any AccountTransaction

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            let rows = try await inner.run(statement, values: values)
            if rows.isEmpty, statement.source.description.contains("INSERT INTO signet_sessions") {
                try await inner.run("UPDATE signet_users SET banned_until = NULL", values: [])
            }
            return rows
        }
    }

    let inner: any AccountDatabase

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await inner.transaction { (transaction) throws(AccountError) in
            try await work(Transaction(inner: transaction))
        }
    }
}
