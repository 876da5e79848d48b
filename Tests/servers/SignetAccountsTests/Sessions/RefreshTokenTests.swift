// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Refresh tokens on SQLite", .serialized)
struct RefreshTokenTests {
    @Test("Lifetimes and grace periods end to the millisecond, by the database's clock")
    func boundaries() async throws {
        let folder = try PrivateFolder()
        let database = try await ClockedDatabase.open(folder)
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        try await database.add("user")
        let week = Int64(7 * 86_400_000)

        // Idle.
        for (after, isAlive) in [(week - 1, true), (week, false)] {
            let first = try await tokens.begin(for: "user")
            try await database.advance(by: after)
            let list = try await tokens.sessions(of: "user").map(\.id)
            #expect(list.contains(first.session.id) == isAlive)
            await expect(isAlive ? nil : .sessionExpired, tokens, first.refreshToken)
        }
        // Absolute: refreshed each day but the last.
        let day = Int64(86_400_000)
        for (left, code) in [(Int64(1), nil), (0, AccountError.Code.sessionExpired)] {
            var issued = try await tokens.begin(for: "user")
            for _ in 0..<89 {
                try await database.advance(by: day)
                issued = try await tokens.rotate(issued.refreshToken)
            }
            try await database.advance(by: day - left)
            await expect(code, tokens, issued.refreshToken)
        }
        // Grace: later it is a second successor.
        for (after, isSame) in [(Int64(9_999), true), (10_000, false)] {
            let first = try await tokens.begin(for: "user")
            let second = try await tokens.rotate(first.refreshToken)
            try await database.advance(by: after)
            let again = try await tokens.rotate(first.refreshToken)
            #expect((again.refreshToken == second.refreshToken) == isSame)
        }
        // And of a parent whose successor was used.
        for (after, code) in [(Int64(9_999), nil), (10_000, AccountError.Code.refreshTokenReused)] {
            let first = try await tokens.begin(for: "user")
            let second = try await tokens.rotate(first.refreshToken)
            _ = try await tokens.rotate(second.refreshToken)
            try await database.advance(by: after)
            await expect(code, tokens, first.refreshToken)
        }
    }

    @Test("Setting the clock back ends no session and repeats no token")
    func clockSetBack() async throws {
        let folder = try PrivateFolder()
        let database = try await ClockedDatabase.open(folder)
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        try await database.add("user")
        var token = try await tokens.begin(for: "user").refreshToken
        var seen = Set([token])
        for step: Int64 in [-3_600_000, -2 * 86_400_000, 2 * 86_400_000, -5_000, 3_600_000] {
            let parent = token
            token = try await tokens.rotate(parent).refreshToken
            #expect(seen.insert(token).inserted)
            try await database.advance(by: step)
            // Its answer was lost.
            token = try await tokens.rotate(parent).refreshToken
            try await database.advance(by: step)
            seen.insert(token)
            #expect(try await tokens.sessions(of: "user").count == 1)
        }
    }

    @Test("A clock that was once far ahead gives no token an endless grace")
    func clockFarAhead() async throws {
        let folder = try PrivateFolder()
        let database = try await ClockedDatabase.open(folder)
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        try await database.add("user")
        try await database.advance(by: 365 * 86_400_000)
        let first = try await tokens.begin(for: "user")
        let second = try await tokens.rotate(first.refreshToken)
        let other = try await tokens.begin(for: "user")
        _ = try await tokens.rotate(other.refreshToken)
        try await database.advance(by: -365 * 86_400_000)
        _ = try await tokens.rotate(second.refreshToken)
        let error = await accountError { () async throws(AccountError) in
            try await tokens.rotate(first.refreshToken)
        }
        #expect(error?.code == .refreshTokenReused)
        // Of the other session, since the row of this one went with it.
        let left = try await database.run("SELECT session_id FROM signet_used_refresh_tokens")
        #expect(
            try left.map { (row) throws(AccountError) in try row.text(0) } == [other.session.id])
    }

    @Test("The database has no token in it, nor a successor but that of the direct parent")
    func nothingInTheClear() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        try await database.add("user")
        let first = try await tokens.begin(for: "user")
        let second = try await tokens.rotate(first.refreshToken)
        let columns = try await database.run(
            """
            SELECT hash, sealed_successor, family_hash, current_hash
            FROM signet_used_refresh_tokens JOIN signet_sessions ON session_id = id
            """)
        #expect(columns.count == 1)
        let stored = columns.flatMap(\.values).flatMap { value -> [UInt8] in
            if case .bytes(let bytes) = value { bytes } else { [] }
        }
        #expect(stored.count == 156)
        for token in [first, second] {
            let secret = try Base64URLBytes.of(token.refreshToken.dropFirst(4))
            // Any eight consecutive bytes would be a part of it.
            for start in 0...(secret.count - 8) {
                let isThere = contains(stored, Array(secret[start..<start + 8]))
                #expect(!isThere)
            }
        }
        try await database.run("UPDATE signet_used_refresh_tokens SET used_at = used_at - 10000")
        let third = try await tokens.rotate(second.refreshToken)
        let left = try await database.run("SELECT hash FROM signet_used_refresh_tokens")
        #expect(left.count == 1, "only that of the token just used")
        _ = third
    }

    @Test("After a restore from a backup, clients that refreshed since sign in again")
    func restored() async throws {
        let folder = try PrivateFolder()
        let database = try await ClockedDatabase.open(folder)
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        try await database.add("user")
        let refreshed = try await tokens.begin(for: "user")
        let untouched = try await tokens.begin(for: "user")
        let ended = try await tokens.begin(for: "user")
        let kept = try await database.run(
            "SELECT id, family_hash, current_hash FROM signet_sessions")
        let second = try await tokens.rotate(refreshed.refreshToken)
        let third = try await tokens.rotate(second.refreshToken)
        try await tokens.end(ended.session.id, of: "user")
        let younger = try await tokens.begin(for: "user")

        // The rows as they were.
        try await tokens.endAll(of: "user")
        for row in kept {
            try await database.run(
                """
                INSERT INTO signet_sessions
                    (id, user_id, family_hash, current_hash, begun_at, refreshed_at)
                VALUES ($1, 'user', $2, $3, {now}, {now})
                """, values: row.values)
        }
        await expect(.refreshTokenReused, tokens, third.refreshToken)
        await expect(.invalidGrant, tokens, younger.refreshToken)
        await expect(nil, tokens, untouched.refreshToken)
        // What was ended since is back, as ACCOUNT-DATABASES.md says.
        await expect(nil, tokens, ended.refreshToken)
    }

    @Test("Options out of range are refused")
    func options() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let changes: [@Sendable (inout RefreshTokenOptions) -> Void] = [
            { $0.grace = .milliseconds(-1) }, { $0.grace = .seconds(61) },
            { $0.idleLifetime = .seconds(59) }, { $0.idleLifetime = .seconds(367 * 86_400) },
            { $0.absoluteLifetime = .seconds(59) },
            // An access token would outlive it.
            { $0.idleLifetime = .seconds(3599) },
        ]
        for change in changes {
            var options = RefreshTokenOptions()
            change(&options)
            #expect(throws: AccountError(.invalidParameter, "")) {
                try RefreshTokens(
                    database: database, issuer: SessionFixture.issuer(), options: options)
            }
        }
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        #expect(throws: AccountError(.invalidParameter, "")) {
            try tokens.use(SessionFixture.issuer(lifetime: .seconds(30 * 86_400)))
        }
    }

    @Test(
        "Claims that make a token too long begin and end nothing, and say what to do",
        // The second one is too long for the JSON reader, too.
        arguments: [SessionTokenIssuer.maximumTokenByteCount, 300_000])
    func tooLongClaims(_ byteCount: Int) async throws {
        let database = try await SQLiteAccounts.inMemory()
        let count = Locked(10)
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer()) {
            (_, _) async throws(AccountError) in
            ["role": String(repeating: "x", count: count.withLock { $0 })]
        }
        try await database.add("user")
        let first = try await tokens.begin(for: "user")
        count.withLock { $0 = byteCount }
        let errors = [
            await accountError { () throws(AccountError) in try await tokens.begin(for: "user") },
            await accountError { () throws(AccountError) in
                try await tokens.rotate(first.refreshToken)
            },
        ]
        for error in errors {
            #expect(error?.fullCode == "tokenTooLarge.signingFailed.tooLarge")
            let message = error?.message ?? ""
            #expect(message.contains("16384 bytes") && message.contains("`claims`"))
            #expect(!message.contains("xx"))
            #expect(error.map { HTTPRefusal($0).status } == 503)
        }
        #expect(try await tokens.sessions(of: "user") == [first.session])
        count.withLock { $0 = 10 }
        _ = try await tokens.rotate(first.refreshToken)
    }

    private func expect(
        _ code: AccountError.Code?, _ tokens: RefreshTokens, _ token: String
    ) async {
        do throws(AccountError) {
            _ = try await tokens.rotate(token)
            #expect(code == nil)
        } catch {
            #expect(error.code == code)
        }
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}
