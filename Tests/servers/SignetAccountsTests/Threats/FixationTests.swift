// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetIdentity
import Testing

@Suite("Session fixation", .serialized)
struct FixationTests {
    @Test("A new database has no users, and so no default one")
    func empty() async throws {
        let database = try await SQLiteAccounts.inMemory()
        #expect(try await database.run("SELECT id FROM signet_users").isEmpty)
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        for name in ["admin", "root", "sa", ""] {
            await #expect(throws: AccountError(.unknownUser, "")) {
                try await tokens.begin(for: name)
            }
        }
    }

    @Test("Each sign-in gives new tokens and a new session")
    func fresh() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await database.add("ann")
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        var seen = Set<String>()
        for _ in 0..<50 {
            let issued = try await tokens.begin(for: "ann")
            for text in [
                issued.refreshToken, issued.accessToken, issued.session.id, issued.access.tokenID,
            ] { #expect(seen.insert(text).inserted) }
            // 256 bits, and a handle of 128.
            #expect(issued.refreshToken.utf8.count == 68)
        }
    }

    @Test("A made-up refresh token starts nothing")
    func madeUp() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await database.add("ann")
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        let own = try await tokens.begin(for: "ann")
        let text = own.refreshToken
        for token in [
            "srt_" + String(repeating: "A", count: 64), "", "srt_", own.session.id,
            own.accessToken, " " + text, text + "\n", text.uppercased(), text + "=",
            "SRT_" + text.dropFirst(4), String(text.dropLast()) + "é",
        ] {
            let error = await accountError { () throws(AccountError) in
                try await tokens.rotate(token)
            }
            #expect(error?.code == .invalidGrant, "\(token)")
        }
        #expect(try await tokens.sessions(of: "ann").count == 1)
        _ = try await tokens.rotate(text)
    }
}
