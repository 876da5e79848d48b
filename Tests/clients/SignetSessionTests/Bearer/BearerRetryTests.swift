// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCurl
import SignetIdentity
import SignetSessionTesting
import SignetSignIn
import TestSupport
import Testing

@Suite("BearerClient: 401", .timeLimit(.minutes(20)))
struct BearerRetryTests {
    @Test("A 401 causes one exchange and one retry, for every method (S1-13)")
    func retry() async throws {
        let fixture = try await BearerFixture()
        for (round, method) in [TransportRequest.Method.get, .post, .put, .delete].enumerated() {
            try await fixture.set("/thing", accepting: [round + 2])
            let body = method == .get ? nil : Array("{}".utf8)
            try await fixture.client.send(fixture.request("/thing", method: method, body: body))
            let facts = try await fixture.api.facts("/thing")
            #expect(facts.count == 2 * (round + 1) && facts.last?.body == (body == nil ? "" : "{}"))
            #expect(fixture.managers.server.exchangeCount == round + 1)
            // The next minute.
            fixture.managers.clock.advance(by: .seconds(61))
        }
        #expect(fixture.manager.state.isSignedIn)
    }

    @Test("A second 401 is the request's error, after the session's server was asked once")
    func secondRefusal() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [])
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        #expect(error.code == .unauthorized && error.status == 401)
        #expect(fixture.managers.server.exchangeCount == 2 && fixture.manager.state.isSignedIn)
        #expect(try await fixture.api.facts("/thing").count == 2)
        // An API that is set up wrongly causes no more questions in this minute.
        for _ in 0..<50 {
            #expect(await fixture.failure(try fixture.request("/thing"))?.code == .unauthorized)
        }
        #expect(fixture.managers.server.exchangeCount == 2)
        #expect(try await fixture.api.facts("/thing").count == 52)
        fixture.managers.clock.advance(by: .seconds(61))
        #expect(await fixture.failure(try fixture.request("/thing"))?.code == .unauthorized)
        #expect(fixture.managers.server.exchangeCount == 4 && fixture.manager.state.isSignedIn)
    }

    @Test("Only the authentication server's refusal signs out (S1-13, S2-35)")
    func refusal() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [])
        fixture.managers.server.endSessions(of: "user-1")
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        #expect(error.code == .notSignedIn && error.sessionError?.code == .refused)
        #expect(error.message == "Session expired. Please sign in again.")
        #expect(fixture.manager.state == .signedOut(.endedByServer))
        #expect(try await fixture.managers.store.get(ManagerFixture.item) == nil)
        #expect(try await fixture.api.facts("/thing").count == 1)
        #expect(await fixture.failure(try fixture.request("/thing"))?.code == .notSignedIn)
        #expect(try await fixture.api.facts("/thing").count == 1)
    }

    @Test("A refusal at the second exchange signs out too")
    func lateRefusal() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [])
        // The first exchange works, the second is refused as the session is over.
        fixture.managers.server.failCall(2, with: SessionError(.refused, "x"))
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        #expect(error.code == .notSignedIn)
        #expect(fixture.manager.state == .signedOut(.endedByServer))
        #expect(fixture.managers.server.exchangeCount == 2)
    }

    @Test("An unreachable authentication server ends nothing")
    func unreachable() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [2])
        fixture.managers.server.failCall(1, with: SessionError(.unreachable, "x"))
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        #expect(error.code == .offline && fixture.manager.state.isSignedIn)
        // During the pause nothing is asked, and after it the request succeeds.
        #expect(await fixture.failure(try fixture.request("/thing"))?.code == .offline)
        #expect(fixture.managers.server.exchangeCount == 1)
        fixture.managers.clock.advance(by: .seconds(2))
        #expect(await fixture.failure(try fixture.request("/thing")) == nil)
        #expect(fixture.managers.server.exchangeCount == 2)
    }

    @Test("A second 401 during an outage of the authentication server is the request's error")
    func unreachableLater() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [])
        fixture.managers.server.failCall(2, with: SessionError(.serverFailed, "x"))
        #expect(await fixture.failure(try fixture.request("/thing"))?.code == .unauthorized)
        #expect(fixture.manager.state.isSignedIn && fixture.managers.server.exchangeCount == 2)
    }

    @Test("A hundred requests with two 401s cause two exchanges in all")
    func burst() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [])
        let request = try fixture.request("/thing")
        let codes = await withTaskGroup(of: APIError.Code?.self) { group in
            for _ in 0..<100 { group.addTask { await fixture.failure(request)?.code } }
            return await group.reduce(into: [String: Int]()) {
                $0[$1?.rawValue ?? "", default: 0] += 1
            }
        }
        #expect(codes == ["unauthorized": 100])
        #expect(fixture.managers.server.exchangeCount <= 2 && fixture.manager.state.isSignedIn)
        let count = try await fixture.api.facts("/thing").count
        #expect((101...200).contains(count))
        print(
            "bearer: 100 requests, \(count) sent, \(fixture.managers.server.exchangeCount) exchanges"
        )
    }

    @Test("Requests that start while others wait cause no more exchanges")
    func staggered() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [])
        let request = try fixture.request("/thing")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<150 {
                group.addTask {
                    try await Task.sleep(for: .milliseconds(index * 3))
                    #expect(await fixture.failure(request)?.code == .unauthorized)
                }
            }
            try await group.waitForAll()
        }
        #expect(fixture.managers.server.exchangeCount <= 2 && fixture.manager.state.isSignedIn)
    }

    @Test(
        "A hundred requests with a withdrawn token cause one exchange, and all succeed"
    )
    func withdrawn() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [2])
        let request = try fixture.request("/thing")
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { await fixture.failure(request) == nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(good == 100 && fixture.managers.server.exchangeCount == 1)
    }

    @Test("A request that one person began is not sent with the token of another (S1-30)")
    func anotherPerson() async throws {
        let fixture = try await BearerFixture()
        try await fixture.api.set(
            "/thing",
            Behaviour("{}") {
                $0.hold = "gate"
                $0.accepting = BearerFixture.fields([1], of: "user-2")
            })
        let request = try fixture.request("/thing", method: .post, body: [])
        let task = Task { await fixture.failure(request)?.code }
        try await fixture.api.wait("/thing") { $0.count == 1 }
        try await fixture.manager.adopt(fixture.managers.server.signIn("user-2"))
        try await fixture.api.release("gate")
        #expect(await task.value == .unauthorized)
        let facts = try await fixture.api.facts("/thing")
        #expect(facts.count == 1 && fixture.managers.server.exchangeCount == 0)
        // What they ask themselves is theirs.
        #expect(await fixture.failure(request) == nil)
    }

    @Test("Two clients in one process do not mix (S1-30)")
    func twoClients() async throws {
        let (first, second) = (try await BearerFixture(), try await BearerFixture())
        try await second.manager.adopt(second.managers.server.signIn("user-2"))
        for fixture in [first, second] {
            try await fixture.api.set("/thing", Behaviour("{}"))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                for fixture in [first, second] {
                    group.addTask { try await fixture.client.send(fixture.request("/thing")) }
                }
            }
            try await group.waitForAll()
        }
        for (fixture, field) in [
            (first, "Bearer access-user-1-1"), (second, "Bearer access-user-2-1"),
        ] {
            let last = try #require(try await fixture.api.facts("/thing").last)
            #expect(last.values(of: "authorization") == [field])
        }
        #expect(first.managers.server.exchangeCount + second.managers.server.exchangeCount == 0)
    }

    @Test("Cancelling during an exchange does not stop it for the others")
    func cancelled() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [2])
        fixture.managers.server.hold()
        let request = try fixture.request("/thing")
        let tasks = (0..<2).map { _ in Task { await fixture.failure(request)?.code } }
        try await until { fixture.managers.server.waitingCount == 1 }
        try await fixture.api.wait("/thing") { $0.count == 2 }
        tasks[0].cancel()
        #expect(await tasks[0].value == .cancelled)
        fixture.managers.server.release()
        #expect(await tasks[1].value == nil)
        #expect(fixture.managers.server.exchangeCount == 1)
    }

    @Test("A server that repeats the same token causes no retry and no second exchange")
    func sameToken() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [])
        let same = FixedServer { _ throws(SessionError) in
            try SessionGrant(
                accessToken: AccessToken("same"), refreshToken: RefreshToken("r"),
                lifetime: .seconds(3600), userID: "u")
        }
        let manager = try SessionManager(
            store: fixture.managers.store, service: "same.example", backend: same,
            options: Self.options,
            clock: fixture.managers.clock.source)
        try await manager.adopt(same.refresh(RefreshToken("r")))
        let client = try BearerClient(
            manager: manager, transport: .curl, origins: [EndpointURL(fixture.api.url("/"))])
        let request = try fixture.request("/thing")
        for _ in 0..<20 {
            await #expect(throws: APIError(.unauthorized, status: 401, "")) {
                try await client.send(request)
            }
        }
        // The first one was the sign-in.
        #expect(same.exchanges == 2 && manager.state.isSignedIn)
        #expect(try await fixture.api.facts("/thing").count == 20)
    }

    @Test("Without a refresh token a 401 is the request's error")
    func noRefreshToken() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", accepting: [])
        let manager = try SessionManager(
            store: fixture.managers.store, service: "none.example",
            backend: fixture.managers.server,
            options: Self.options, clock: fixture.managers.clock.source)
        try await manager.adopt(
            SessionGrant(
                accessToken: AccessToken("only"), refreshToken: nil, lifetime: .seconds(3600),
                userID: "u"))
        let client = try BearerClient(
            manager: manager, transport: .curl, origins: [EndpointURL(fixture.api.url("/"))])
        await #expect(throws: APIError(.unauthorized, status: 401, "")) {
            try await client.send(fixture.request("/thing"))
        }
        #expect(fixture.managers.server.exchangeCount == 0 && manager.state.isSignedIn)
    }

    private static var options: SessionOptions {
        var options = SessionOptions()
        options.refreshesAhead = false
        return options
    }

    @Test("A locked store does not count as a sign-out")
    func locked() async throws {
        let fixture = try await BearerFixture()
        let faulty = FaultyStore(fixture.managers.store)
        let manager = try fixture.managers.manager(over: faulty)
        faulty.failCalls(on: ManagerFixture.item, with: .locked)
        let client = try BearerClient(
            manager: manager, transport: .curl, origins: [EndpointURL(fixture.api.url("/"))])
        do throws(APIError) {
            try await client.send(try Self.plain(fixture))
            Issue.record("sent")
        } catch {
            #expect(error.code == .sessionUnavailable && error.sessionError?.code == .locked)
        }
        #expect(try await fixture.api.facts("/thing").count == 0)
    }

    private static func plain(_ fixture: BearerFixture) throws(APIError) -> TransportRequest {
        do { return try fixture.request("/thing") } catch { throw APIError(.invalidRequest, "") }
    }

    @Test("The retry works over OAuth and HTTP")
    func oauth() async throws {
        let api = try await KeyServer()
        try await api.set("/thing", Behaviour("{}") { $0.accepting = ["Bearer second"] })
        let json = [["Content-Type", "application/json"]]
        let answer =
            #"{"access_token":"second","token_type":"bearer","refresh_token":"r2"}"#
        try await api.set("/token", Behaviour(answer) { $0.fields = json })
        let endpoint = try TokenEndpoint(
            url: EndpointURL(api.url("/token")), clientID: "c", authentication: .none,
            transport: .curl, timeout: .seconds(60))
        var options = SessionOptions()
        options.refreshesAhead = false
        let manager = try SessionManager(
            store: InMemoryStore(), service: "api.example",
            backend: OAuthBackend(endpoint) { _ in "u" }, options: options, clock: .still)
        try await manager.adopt(
            SessionGrant(
                accessToken: AccessToken("first"), refreshToken: RefreshToken("r1"),
                lifetime: .seconds(3600), userID: "u"))
        let client = try BearerClient(
            manager: manager, transport: .curl, origins: [EndpointURL(api.url("/"))])
        let request = TransportRequest(
            url: try EndpointURL(api.url("/thing")), timeout: .seconds(3_600))
        #expect(try await client.send(request).status == 200)
        #expect(
            try await api.facts("/token").last?.body
                == "grant_type=refresh_token&refresh_token=r1&client_id=c")
        // invalid_grant is the definite refusal.
        try await api.set("/thing", Behaviour("{}") { $0.accepting = [] })
        try await api.set(
            "/token",
            Behaviour(#"{"error":"invalid_grant"}"#) { ($0.status, $0.fields) = (400, json) })
        do throws(APIError) {
            try await client.send(request)
            Issue.record("sent")
        } catch {
            #expect(error.code == .notSignedIn)
        }
        #expect(manager.state == .signedOut(.endedByServer))
    }
}
