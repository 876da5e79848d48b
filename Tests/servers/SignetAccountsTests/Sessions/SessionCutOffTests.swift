// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("A cut-off during an outage", .serialized)
struct SessionCutOffTests {
    private let clock = ManualClock()
    private let database: FlakyDatabase
    private let tokens: RefreshTokens

    init() async throws {
        database = FlakyDatabase(inner: try await SQLiteAccounts.inMemory())
        tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        try await database.add("user")
    }

    @Test(
        "A session seen lately passes during an outage, for the configured time only",
        arguments: [AccountError.Code.unavailable, .outcomeUnknown])
    func staleness(_ code: AccountError.Code) async throws {
        let cutOff = try SessionCutOff(tokens, clock: clock.source)
        let seen = try await tokens.begin(for: "user").accessToken
        let unseen = try await tokens.begin(for: "user").accessToken
        _ = try await cutOff.verify(seen)
        database.failure.withLock { $0 = code }
        clock.advance(by: .seconds(30))
        #expect(try await cutOff.verify(seen).subject == "user")
        await #expect(throws: AccountError(code, "")) { try await cutOff.verify(unseen) }
        // An outage makes no session more recent.
        clock.advance(by: .milliseconds(1))
        await #expect(throws: AccountError(code, "")) { try await cutOff.verify(seen) }
        database.failure.withLock { $0 = nil }
        _ = try await cutOff.verify(seen)
        _ = try await cutOff.verify(unseen)
        // Without a cut-off, a token is valid in any case.
        #expect(try tokens.issuer.verify(seen).subject == "user")
    }

    @Test("A refused token keeps the reason of its verifier")
    func reasons() async throws {
        let cutOff = try SessionCutOff(tokens, clock: clock.source)
        let good = try await tokens.begin(for: "user").accessToken
        let parts = good.split(separator: ".")
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        for (token, reason) in [
            ("abc", TokenError.Code.malformed), ("\(none).\(parts[1]).", .algorithmNotAllowed),
            ("\(parts[0]).\(parts[1]).\(parts[1])", .signatureInvalid),
            (String(repeating: "a", count: 20_000), .tooLarge),
        ] {
            let error = await #expect(throws: AccountError.self) {
                try await cutOff.verify(token)
            }
            #expect(error?.code == .invalidToken)
            #expect((error?.underlying as? TokenError)?.code == reason)
            #expect(error?.fullCode == "invalidToken.\(reason)")
        }
    }

    @Test("A session known to have ended never passes")
    func ended() async throws {
        let cutOff = try SessionCutOff(tokens, clock: clock.source)
        let issued = try await tokens.begin(for: "user")
        _ = try await cutOff.verify(issued.accessToken)
        try await tokens.end(issued.session.id, of: "user")
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await cutOff.verify(issued.accessToken)
        }
        database.failure.withLock { $0 = .unavailable }
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await cutOff.verify(issued.accessToken)
        }
    }

    @Test("Damage is not reported as an outage")
    func damage() async throws {
        let cutOff = try SessionCutOff(tokens, clock: clock.source)
        let issued = try await tokens.begin(for: "user")
        _ = try await cutOff.verify(issued.accessToken)
        database.failure.withLock { $0 = .corrupt }
        await #expect(throws: AccountError(.corrupt, "")) {
            try await cutOff.verify(issued.accessToken)
        }
    }

    @Test(
        "Memory is bounded, and a forgotten session is refused during an outage"
    )
    func bounded() async throws {
        let cutOff = try SessionCutOff(tokens, capacity: 8, clock: clock.source)
        var issued: [IssuedTokens] = []
        for _ in 0..<40 {
            let tokens = try await tokens.begin(for: "user")
            _ = try await cutOff.verify(tokens.accessToken)
            issued.append(tokens)
        }
        for tokens in issued.prefix(20) {
            try await self.tokens.end(tokens.session.id, of: "user")
            await #expect(throws: AccountError(.sessionEnded, "")) {
                try await cutOff.verify(tokens.accessToken)
            }
        }
        database.failure.withLock { $0 = .unavailable }
        var passed: [Int] = []
        for (number, tokens) in issued.enumerated()
        where (try? await cutOff.verify(tokens.accessToken)) != nil {
            passed.append(number)
        }
        #expect((4...8).contains(passed.count))
        #expect(passed.allSatisfy { $0 >= 32 })
    }

    @Test("Another user's session of the same name does not count")
    func otherUser() async throws {
        let cutOff = try SessionCutOff(tokens, clock: .still)
        let issued = try await tokens.begin(for: "user")
        for user in ["another", "a\0b"] {
            let forged = try tokens.issuer.issue(subject: user, sessionID: issued.session.id)
            await #expect(throws: AccountError(.sessionEnded, "")) {
                try await cutOff.verify(forged.token)
            }
        }
        _ = try await cutOff.verify(issued.accessToken)
    }

    @Test("Options out of range are refused")
    func options() async throws {
        for (staleness, capacity) in [(-1, 100), (301, 100), (30, 1), (30, 10_000_001)] {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try SessionCutOff(
                    tokens, staleness: .seconds(staleness), capacity: capacity, clock: .still)
            }
        }
    }
}
