// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTesting
import Testing

@Suite("SessionManager: a server's Retry-After holds for all processes", .timeLimit(.minutes(20)))
struct ServerPauseTests {
    /// A session whose server has just asked to wait.
    private func paused(
        _ wait: Duration?, _ code: SessionError.Code = .rateLimited, after age: Int = 3700
    ) async throws -> (ManagerFixture, SessionManager) {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(age))
        fixture.server.failCall(1, with: SessionError(code, retryAfter: wait, "x"))
        _ = await manager.outcome()
        #expect(fixture.server.exchangeCount == 1)
        return (fixture, manager)
    }

    @Test(
        "Twenty programs that start within it ask nothing",
        arguments: [SessionError.Code.rateLimited, .serverFailed])
    func twenty(_ code: SessionError.Code) async throws {
        let (fixture, _) = try await paused(.seconds(2), code)
        for _ in 0..<20 { #expect(await (try fixture.manager()).outcome() == "rateLimited") }
        #expect(fixture.server.exchangeCount == 1)
        fixture.clock.advance(by: .seconds(1))
        let next = try fixture.manager()
        do throws(SessionError) {
            _ = try await next.accessToken()
            Issue.record("the server was asked too early")
        } catch {
            #expect(error.retryAfter == .seconds(1))
        }
        let value = try #require(try await fixture.store.get(ManagerFixture.item))
        #expect(try value.decoded(as: OldDocument.self).refreshToken == "refresh-user-1-1")
        fixture.clock.advance(by: .seconds(1))
        #expect(await (try fixture.manager()).outcome() == "access-user-1-2")
        #expect(!(try await fixture.storedText().contains("pause")))
    }

    @Test("A token that is good still is given meanwhile")
    func goodMeanwhile() async throws {
        let (fixture, manager) = try await paused(.seconds(60), after: 3400)
        #expect(await manager.outcome() == "access-user-1-1")
        #expect(await (try fixture.manager()).outcome() == "access-user-1-1")
        #expect(fixture.server.exchangeCount == 1)
    }

    @Test("It is void when the clock was set to before its begin, and at most an hour long")
    func bounds() async throws {
        let (fixture, _) = try await paused(.seconds(1_000_000))
        let now = fixture.clock.now.secondsSince1970
        fixture.clock.now = NumericDate(secondsSince1970: now + 3599)
        #expect(await (try fixture.manager()).outcome() == "rateLimited")
        fixture.clock.now = NumericDate(secondsSince1970: now - 1)
        #expect(await (try fixture.manager()).outcome() == "access-user-1-2")
        let (other, _) = try await paused(.seconds(1_000_000))
        other.clock.advance(by: .seconds(3600))
        #expect(await (try other.manager()).outcome() == "access-user-1-2")
    }

    @Test("The own pause after a failure without it stays in its process")
    func own() async throws {
        let (fixture, manager) = try await paused(nil, .serverFailed)
        #expect(await manager.outcome() == "serverFailed" && fixture.server.exchangeCount == 1)
        #expect(await (try fixture.manager()).outcome() == "access-user-1-2")
    }

    @Test("One that cannot be written holds in its process")
    func notWritten() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.failCall(1, with: SessionError(.rateLimited, retryAfter: .seconds(60), "x"))
        faulty.failCalls(from: 2, with: .unavailable, onlyWrites: true)
        #expect(await manager.outcome() == "rateLimited")
        faulty.recover()
        fixture.clock.advance(by: .seconds(59))
        #expect(await manager.outcome() == "rateLimited" && fixture.server.exchangeCount == 1)
        fixture.clock.advance(by: .seconds(1))
        #expect(await manager.outcome() == "access-user-1-2")
    }

    @Test("A sign-in ends it, in this process and for the others")
    func signIn() async throws {
        let (fixture, manager) = try await paused(.seconds(3600))
        try await fixture.manager().adopt(fixture.server.signIn("user-2"))
        fixture.clock.advance(by: .seconds(3400))
        #expect(await (try fixture.manager()).outcome() == "access-user-2-2")
        try await until { await manager.outcome() == "access-user-2-2" }
        let used = try await manager.accessToken()
        #expect(try await manager.afterUnauthorized(used)?.exposedText == "access-user-2-3")
    }

    @Test(
        "A damaged one is ignored",
        arguments: [
            #""pauseBegin":1e308,"pauseLength":1e308"#, #""pauseBegin":1,"pauseLength":-5"#,
        ])
    func damaged(_ members: String) async throws {
        let fixture = ManagerFixture()
        _ = try fixture.server.signIn("user-1")
        let text = "{\(members)," + StoredText.session(userID: "user-1").dropFirst()
        try await fixture.store.set(
            SecretValue(bytes: text.utf8, type: .json), for: ManagerFixture.item)
        #expect(await (try fixture.manager()).outcome() == "access-user-1-2")
    }
}
