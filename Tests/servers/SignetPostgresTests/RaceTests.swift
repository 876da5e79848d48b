// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import SignetAccounts
import SignetBase
import SignetCrypto
import SignetEmail
import SignetPostgres
import SignetSignIn
import TestSupport
import Testing

/// What SQLite's single writer makes right, and READ COMMITTED alone does not. Each test holds a
/// row in a transaction, lets another one wait for it, and then commits.
@Suite("Races that SQLite does not have", .needsPostgreSQL, .serialized, .timeLimit(.minutes(20)))
struct RaceTests {
    /// Runs `statement` in a transaction that is committed once `other` waits for a lock.
    private func holding<Value: Sendable>(
        _ server: PostgresServer, _ schema: String, _ database: any AccountDatabase,
        _ statement: SQLStatement,
        _ values: [SQLValue], _ other: @escaping @Sendable () async throws(AccountError) -> Value
    ) async throws -> Result<Value, AccountError> {
        let (held, go) = (Signal(), Signal())
        let holder = Task {
            try await database.transaction { (transaction) throws(AccountError) -> Void in
                try await transaction.run(statement, values: values)
                held.give()
                await go.wait()
            }
        }
        await held.wait()
        let task = Task { await Result(of: other) }
        try await server.waitForBlocked(in: schema)
        go.give()
        try await holder.value
        return await task.value
    }

    @Test("A session that is refreshed during a sweep stays")
    func swept() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8) { $0.lockTimeout = .seconds(2) }
        let tokens = try RefreshTokens.test(database)
        try await database.add("user")
        let issued = try await tokens.begin(for: "user")
        try await database.run("UPDATE signet_sessions SET refreshed_at = 1")
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run("UPDATE signet_sessions SET refreshed_at = {now}", values: [])
            // It would wait for this transaction, and fail.
            try await tokens.sweep()
        }
        _ = try await tokens.rotate(issued.refreshToken)
        await database.close()
    }

    @Test("A sign-in that waits for a ban is refused, and a ban ends what it waits for")
    func bans() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let tokens = try RefreshTokens.test(database)
        let support = AccountSupport(tokens, factors: SecondFactors(database, secret: try .test()))
        try await database.add("user")
        let first = try await tokens.begin(for: "user")
        let late = try await holding(
            server, schema, database,
            "UPDATE signet_users SET banned_until = {now} + 3600000 WHERE id = $1", [.text("user")]
        ) { () async throws(AccountError) in try await tokens.begin(for: "user") }
        #expect(late.error?.code == .userBanned)
        try await support.liftBan(of: "user", by: "kim", reason: "a test")
        // The first one was beside a ban. As a refresh of this session does:
        let second = try await tokens.begin(for: "user")
        let ban = try await holding(
            server, schema, database,
            "UPDATE signet_sessions SET refreshed_at = {now} WHERE user_id = $1", [.text("user")]
        ) { () async throws(AccountError) -> Bool in
            try await support.ban(
                "user", until: AccountSupport.endless, by: "kim", reason: "a test")
            return true
        }
        #expect(ban.error == nil)
        #expect(try await tokens.sessions(of: "user").isEmpty)
        for issued in [first, second] {
            let ended = await accountError { () async throws(AccountError) in
                try await tokens.rotate(issued.refreshToken)
            }
            #expect(ended?.code == .invalidGrant)
        }
        await database.close()
    }

    @Test("A sweep waits for no one, and leaves rows that others have locked")
    func sweepWaitsForNobody() async throws {
        let server = try PostgresServer.shared()
        let database = try await server.open { $0.lockTimeout = .seconds(2) }
        let (codes, limits) = (
            OneTimeCodes(database, secret: try .test()), RateLimits(database, secret: try .test())
        )
        try await database.run(
            """
            INSERT INTO signet_limits (key, full_until)
            SELECT convert_to(i::text, 'UTF8'), 1 FROM generate_series(1, 1203) AS i
            """)
        try await database.run(
            """
            INSERT INTO signet_codes
                (challenge, key, client, asker, known, code, sent_at, ends_at, tries, used)
            SELECT convert_to(i::text, 'UTF8'), '', '', '', 0, '', 1, 1, 0, 0
            FROM generate_series(1, 1203) AS i
            """)
        try await database.run(
            """
            INSERT INTO signet_outbox (key, message, sealed, due_at, ends_at, tries)
            SELECT convert_to(i::text, 'UTF8'), '', '', 1, 1, 0 FROM generate_series(1, 1203) AS i
            """)
        let phone = CodeDestination.phone(try PhoneNumber("+14155550100"))
        _ = try await codes.send(to: phone, for: .signIn, from: nil)
        let secret = try AccountSecret.test()
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            for statement: SQLStatement in [
                "UPDATE signet_limits SET full_until = 1 WHERE full_until = 1 AND key = '1'",
                "UPDATE signet_codes SET tries = 1 WHERE challenge = '1'",
                "UPDATE signet_outbox SET tries = 1 WHERE key = '1'",
            ] { try await transaction.run(statement, values: []) }
            try await limits.sweep()
            try await codes.sweep()
            _ = try await Outbox(
                database, secret: secret, sender: NoSender(), concurrentSendCount: 2
            ).deliver()
        }
        var left: [Int64] = []
        for statement: SQLStatement in [
            "SELECT count(*) FROM signet_limits WHERE full_until = 1",
            "SELECT count(*) FROM signet_codes WHERE ends_at = 1",
            "SELECT count(*) FROM signet_outbox",
        ] { left.append(try await database.run(statement)[0].integer(0)) }
        #expect(left == [1, 1, 1])
        await database.close()
    }

    @Test("A guest who gets an identity or a session in a transaction under way is not deleted")
    func guestInHand() async throws {
        let server = try PostgresServer.shared()
        let database = try await server.open { $0.lockTimeout = .seconds(2) }
        let (tokens, people) = (try RefreshTokens.test(database), People(database))
        let guests = [
            try await people.addGuest().id, try await people.addGuest().id,
            try await people.addGuest().id,
        ]
        try await database.run("UPDATE signet_users SET added_at = 1")
        let sweep = AccountSweep(
            tokens, codes: OneTimeCodes(database, secret: try .test()),
            limits: RateLimits(database, secret: try .test()),
            guests: try GuestRetention(.seconds(3_600)))
        let phone = UserIdentity.phone(try PhoneNumber("+14155550101"))
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            _ = try await people.link(phone, to: guests[0], in: transaction)
            _ = try await tokens.begin(for: guests[1], in: transaction)
            try await sweep.sweep()
        }
        #expect(try await people.user(guests[0])?.isGuest == false)
        #expect(try await tokens.sessions(of: guests[1]).count == 1)
        #expect(try await people.user(guests[2]) == nil)
        await database.close()
    }

    @Test("A message that another transaction has locked delays no other message")
    func heldMessage() async throws {
        let server = try PostgresServer.shared()
        let database = try await server.open { $0.lockTimeout = .seconds(2) }
        let codes = OneTimeCodes(database, secret: try .test())
        let secret = try AccountSecret.test()
        for number in 0..<3 {
            let phone = CodeDestination.phone(try PhoneNumber("+1415555010\(number)"))
            _ = try await codes.send(to: phone, for: .signIn, from: nil)
        }
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run(
                """
                UPDATE signet_outbox SET tries = tries
                WHERE key = (SELECT key FROM signet_outbox ORDER BY due_at LIMIT 1)
                """, values: [])
            let outbox = try Outbox(
                database, secret: secret, sender: NoSender(), concurrentSendCount: 2)
            #expect(try await outbox.deliver() == 2)
        }
        let last = try Outbox(database, secret: secret, sender: NoSender())
        #expect(try await last.deliver() == 1)
        await database.close()
    }

    @Test("A session that is refreshed while a late token is checked stays")
    func lateToken() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let tokens = try RefreshTokens.test(database)
        try await database.add("user")
        let first = try await tokens.begin(for: "user")
        let second = try await tokens.rotate(first.refreshToken)
        // As it was just before its end: the running exchange extends it.
        try await database.run("UPDATE signet_sessions SET refreshed_at = 1")
        let retried = try await holding(
            server, schema, database, "UPDATE signet_sessions SET refreshed_at = {now}", []
        ) { () async throws(AccountError) in try await tokens.rotate(first.refreshToken) }.get()
        #expect(retried.refreshToken == second.refreshToken)
        _ = try await tokens.rotate(second.refreshToken)
        await database.close()
    }

    @Test("A refresh during a sign-out does not count as reuse")
    func signOut() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let tokens = try RefreshTokens.test(database)
        try await database.add("user")
        let first = try await tokens.begin(for: "user")
        _ = try await tokens.rotate(first.refreshToken)
        try await database.run("UPDATE signet_used_refresh_tokens SET used_at = 1")
        let late = try await holding(server, schema, database, "DELETE FROM signet_sessions", []) {
            () async throws(AccountError) in try await tokens.rotate(first.refreshToken)
        }
        #expect(late.error?.code == .invalidGrant)
        await database.close()
    }

    @Test("Of a code and its link, the one that waits for the other is refused")
    func codeAndLink() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let codes = OneTimeCodes(database, secret: try .test())
        let email = CodeDestination.email(try Mailbox("ann@company.example"))
        let page = "https://app.example/confirm"
        for linkIsFirst in [true, false] {
            let sender = LastSender()
            _ = try await codes.send(
                to: email, for: .signIn, from: nil,
                linkingTo: LinkPage(page, allowedBy: RedirectURIs([page])))
            try await Outbox(database, secret: .test(), sender: sender).deliver()
            let message = try #require(sender.last.withLock { $0 })
            let text = try #require(message.link?.split(separator: "token_hash=").last)
            let token = try #require(LinkToken(String(text)))
            let (held, go) = (Signal(), Signal())
            let wait = { @Sendable () async -> Void in
                held.give()
                await go.wait()
            }
            let useLink = {
                @Sendable (work: @escaping @Sendable () async -> Void) async throws(AccountError) in
                try await codes.verify(link: token, for: .signIn) {
                    (_, _, _) throws(AccountError) in
                    await work()
                }
            }
            let useCode = {
                @Sendable (work: @escaping @Sendable () async -> Void) async throws(AccountError) in
                try await codes.verify(message.code, sentTo: email, for: .signIn) {
                    (_, _) throws(AccountError) in
                    await work()
                }
            }
            let first = Task {
                await Result(of: { () async throws(AccountError) in
                    if linkIsFirst { try await useLink(wait) } else { try await useCode(wait) }
                })
            }
            await held.wait()
            let second = Task {
                await Result(of: { () async throws(AccountError) in
                    if linkIsFirst { try await useCode({}) } else { try await useLink({}) }
                })
            }
            try await server.waitForBlocked(in: schema)
            go.give()
            #expect(await first.value.error == nil)
            #expect(await second.value.error?.code == .wrongCode)
        }
        await database.close()
    }

    @Test("A code confirms its own device, and none that replaced it")
    func replacedDevice() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let factors = SecondFactors(database, secret: try .test())
        try await database.add("user")
        func device(_ byte: UInt8) throws -> HOTP {
            try HOTP(key: SecretKey(copying: [UInt8](repeating: byte, count: 20)))
        }
        let other = try await factors.add(.hotp(device(2)), for: "user")
        let sealed = try await database.run("SELECT sealed FROM signet_second_factors")[0].bytes(0)
        for isConfirmed in [false, true] {
            try await factors.remove(for: "user")
            let one = try device(1)
            try await factors.add(.hotp(one), for: "user")
            if isConfirmed { _ = try await factors.confirm(one.code(at: 0), for: "user") }
            // What another server does meanwhile: the device is removed, and another one added.
            let code = try one.code(at: 1)
            let result = try await holding(
                server, schema, database,
                """
                UPDATE signet_second_factors SET confirmed = 0, last_step = -1, sealed = $1, id = $2
                WHERE user_id = 'user'
                """, [.bytes(sealed), .text(other.id)]
            ) { () async throws(AccountError) in
                if isConfirmed {
                    try await factors.verify(code, for: "user")
                } else {
                    _ = try await factors.confirm(code, for: "user")
                }
            }
            #expect(result.error != nil)
            #expect(try await !factors.isRequired(for: "user"))
        }
        await database.close()
    }

    @Test("The new table of factors waits for a sign-up of the version before, which goes on")
    func newTableOfFactors() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        for statement: SQLStatement in [
            "DROP TABLE signet_second_factors",
            """
            CREATE TABLE signet_factors (
                user_id TEXT NOT NULL PRIMARY KEY
                    REFERENCES signet_users (id) ON DELETE CASCADE,
                sealed {bytes} NOT NULL, confirmed {integer} NOT NULL,
                last_step {integer} NOT NULL) {strict}
            """,
            "DELETE FROM signet_schema_steps WHERE name IN ('factors.2', 'factors.3')",
        ] { try await database.run(statement) }
        let (held, go) = (Signal(), Signal())
        let signUp = Task {
            try await database.transaction { (transaction) throws(AccountError) -> Int in
                try await AccountUsers.add("user", in: transaction)
                held.give()
                await go.wait()
                // Had the step locked the factors first, each would wait for the other now.
                return try await transaction.run(
                    "SELECT user_id FROM signet_factors", values: []
                ).count
            }
        }
        await held.wait()
        let step = Task {
            await Result(of: { () async throws(AccountError) in
                try await AccountSchema.migrate(database)
            })
        }
        try await server.waitForBlocked(in: schema)
        go.give()
        #expect(try await signUp.value == 0)
        #expect(await step.value.error == nil)
        #expect(try await database.run("SELECT id FROM signet_second_factors").isEmpty)
        await database.close()
    }

    @Test("Of sets of recovery codes made at once, one is valid")
    func recoveryCodes() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let factors = SecondFactors(database, secret: try .test())
        try await database.add("user")
        _ = try await factors.newRecoveryCodes(for: "user")
        for _ in 0..<10 {
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { _ = try await factors.newRecoveryCodes(for: "user") }
                }
                try await group.waitForAll()
            }
            let count = try await database.run("SELECT count(*) FROM signet_recovery_codes")
            #expect(try count[0].integer(0) == 10)
        }
        await database.close()
    }

    @Test("Four processes that start at once create the tables once")
    func migrations() async throws {
        let server = try PostgresServer.shared()
        for _ in 0..<3 {
            let place = try server.place()
            let folder = try PrivateFolder()
            let told = try await KilledServers(place, folder: folder.path, clients: 0)
                .play(servers: 4, kills: 0, exchanges: 0, ready: 6)
            #expect(told.errors.isEmpty, "\(told.errors)")
            let database = try await place.open()
            #expect(try await database.users().isEmpty)
            await (database as? PostgresAccounts)?.close()
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// Takes every message, and does nothing with it.
private struct NoSender: MessageSender {
    func send(_ message: CodeMessage) async throws(AccountError) {}
    func send(_ notice: NoticeMessage) async throws(AccountError) {}
}

/// Keeps the message that it was given last.
private struct LastSender: MessageSender {
    let last = Locked<CodeMessage?>(nil)

    func send(_ message: CodeMessage) async throws(AccountError) { last.withLock { $0 = message } }
    func send(_ notice: NoticeMessage) async throws(AccountError) {}
}
