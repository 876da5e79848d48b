// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import SignetVaultTesting
import Testing

@Suite("SessionManager: lifetimes that a server does not state", .timeLimit(.minutes(20)))
struct LifetimeTests {
    /// `exp` 1000 and `iat` 400.
    static let tenMinutes = "e30.eyJleHAiOjEwMDAsImlhdCI6NDAwfQ.c2ln"

    private func grant(
        _ token: String, stated seconds: Int?
    ) throws(SessionError) -> SessionGrant {
        try SessionGrant(
            accessToken: AccessToken(token), refreshToken: RefreshToken("r-\(token)"),
            lifetime: .seconds(seconds ?? 3600), isLifetimeStated: seconds != nil, userID: "u")
    }

    /// The lifetime of the session after a sign-in, and then after a refresh, each in a program of
    /// its own.
    private func lifetimes(
        _ first: (String, Int?), _ next: [(String, Int?)]
    ) async throws -> [Double] {
        let fixture = ManagerFixture()
        func manager(_ answer: (String, Int?)) throws -> SessionManager {
            let server = FixedServer { _ throws(SessionError) in
                try grant(answer.0, stated: answer.1)
            }
            var options = SessionOptions()
            options.refreshesAhead = false
            return try SessionManager(
                store: fixture.store, service: "api.example", backend: server, options: options,
                clock: fixture.clock.source)
        }
        var found: [Double] = []
        let signedIn = try manager(first)
        try await signedIn.adopt(grant(first.0, stated: first.1))
        let expiry = try #require(await signedIn.expiry)
        found.append(expiry.secondsSince1970 - fixture.clock.now.secondsSince1970)
        for answer in next {
            fixture.clock.advance(by: .seconds(4000))
            let manager = try manager(answer)
            _ = try await manager.accessToken()
            let expiry = try #require(await manager.expiry)
            found.append(expiry.secondsSince1970 - fixture.clock.now.secondsSince1970)
        }
        return found
    }

    @Test("The last one that the server stated holds until it states another")
    func stated() async throws {
        let found = try await lifetimes(
            ("a", 4), [("b", nil), (Self.tenMinutes, nil), ("d", 9), ("e", nil)])
        #expect(found == [4, 4, 4, 9, 9])
    }

    @Test("Without one, a JWT's own exp minus iat counts, also at the sign-in")
    func ofToken() async throws {
        #expect(try await lifetimes((Self.tenMinutes, nil), []) == [600])
        #expect(
            try await lifetimes(("a", nil), [(Self.tenMinutes, nil), ("c", nil)])
                == [3600, 600, 3600])
        #expect(try await lifetimes((Self.tenMinutes, 60), []) == [60])
    }

    @Test("A JWT that says never counts as a year")
    func never() async throws {
        // exp 1e300, iat 1
        #expect(
            try await lifetimes(("e30.eyJleHAiOjFlMzAwLCJpYXQiOjF9.c2ln", nil), [])
                == [SessionGrant.maximumLifetime / .seconds(1)])
    }

    @Test(
        "A token that names none has the assumed one",
        arguments: [
            "opaque", "a.b", "e30.e30.c2ln", "e30.eyJleHAiOjQwMCwiaWF0IjoxMDAwfQ.c2ln",
            "e30.eyJleHAiOjEwMDB9.c2ln", "e30.eyJleHAiOiIxMDAwIiwiaWF0Ijo0MDB9.c2ln",
            "e30.eyJleHAiOjEwMDAsImV4cCI6MTAwMCwiaWF0Ijo0MDB9.c2ln",
            "e30.!.c2ln",
            "e30.eyJleHAiOjEwMDAsImlhdCI6NDAwfQ.x.y.z",
        ])
    func assumed(_ token: String) async throws {
        #expect(try await lifetimes((token, nil), []) == [3600])
    }

    @Test("An item of an older program, which does not say, keeps its own until a refresh")
    func oldItem() async throws {
        let fixture = ManagerFixture()
        let text = StoredText.session(userID: "u", lifetime: "4")
        try await fixture.store.set(
            SecretValue(bytes: text.utf8, type: .json), for: ManagerFixture.item)
        let server = FixedServer { _ throws(SessionError) in try grant("b", stated: nil) }
        let manager = try SessionManager(
            store: fixture.store, service: "api.example", backend: server,
            clock: fixture.clock.source)
        _ = try await manager.accessToken()
        let expiry = try #require(await manager.expiry)
        #expect(expiry.secondsSince1970 - fixture.clock.now.secondsSince1970 == 3600)
    }
}
