// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTesting
import Testing

@Suite("SessionManager: exchanges", .timeLimit(.minutes(20)))
struct ExchangeTests {
    /// A lifetime, and the last moment at which the token is not exchanged (S3-24, S3-25).
    static let boundaries: [(Int, Int)] = [
        (60, 29), (300, 149), (600, 299), (601, 300), (3600, 3299), (86_400, 86_099),
    ]

    @Test(
        "An exchange is due 300 s before the end, or at half a short lifetime",
        arguments: boundaries
    )
    func due(_ lifetime: Int, _ last: Int) async throws {
        let fixture = ManagerFixture(lifetime: .seconds(lifetime))
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(last))
        #expect(try await manager.accessToken().exposedText == "access-user-1-1")
        fixture.clock.advance(by: .seconds(1))
        #expect(try await manager.accessToken().exposedText == "access-user-1-2")
        #expect(fixture.server.exchangeCount == 1)
    }

    @Test("A hundred callers share one exchange and its token")
    func singleFlight() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3500))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await manager.accessToken().exposedText } }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(tokens == ["access-user-1-2": 100] && fixture.server.exchangeCount == 1)
    }

    @Test("Managers that share a store make one exchange per period, and none is refused")
    func severalManagers() async throws {
        let fixture = ManagerFixture()
        let first = try await fixture.signedIn()
        let managers = try [first] + (0..<7).map { _ in try fixture.manager() }
        for period in 1...20 {
            fixture.clock.advance(by: .seconds(3400))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for manager in managers {
                    group.addTask {
                        let token = try await manager.accessToken().exposedText
                        #expect(token == "access-user-1-\(period + 1)")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(fixture.server.exchangeCount == 20 && fixture.server.refusalCount == 0)
    }

    @Test("Tokens are exchanged early, over 30 days of an idle program")
    func ahead() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn(refreshesAhead: true)
        for period in 1...720 {
            try await until {
                try await manager.accessToken().exposedText == "access-user-1-\(period)"
                    && fixture.clock.sleeperCount == 1
            }
            fixture.clock.advance(by: .seconds(3302))
            try await until { fixture.server.exchangeCount == period }
        }
        #expect(manager.state.isSignedIn && fixture.server.refusalCount == 0)
        try await until { try await manager.accessToken().exposedText == "access-user-1-721" }
    }

    @Test("A token is stored before anyone gets it")
    func durableFirst() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.clock.advance(by: .seconds(3590))
        faulty.failCalls(from: 2, with: .unavailable, onlyWrites: true)
        // The old one is valid for ten seconds.
        #expect(try await manager.accessToken().exposedText == "access-user-1-1")
        fixture.clock.advance(by: .seconds(120))
        faulty.recover()
        // What the server gave is now saved: it is not asked again, and nothing is lost.
        #expect(try await manager.accessToken().exposedText == "access-user-1-2")
        #expect(fixture.server.exchangeCount == 1 && fixture.server.refusalCount == 0)
        #expect(try await fixture.manager().start().isSignedIn)
    }

    @Test("A write that succeeded but reported failure costs nothing", arguments: [1, 2])
    func failedAfterwards(_ write: Int) async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.clock.advance(by: .seconds(3700))
        faulty.failCall(write, with: .timedOut, moment: .after, onlyWrites: true)
        #expect(try await manager.accessToken().exposedText == "access-user-1-2")
        #expect(fixture.server.exchangeCount == 1)
    }

    @Test("A 401 causes one exchange for all, and none if a newer token exists")
    func unauthorized() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        let used = try await manager.accessToken()
        let next = try await manager.afterUnauthorized(used)
        #expect(next?.exposedText == "access-user-1-2")
        #expect(try await manager.afterUnauthorized(used) == next)
        #expect(fixture.server.exchangeCount == 1)
        let other = try fixture.manager()
        #expect(try await other.afterUnauthorized(used) == next)
        fixture.server.endSessions(of: "user-1")
        let last = try #require(next)
        await #expect(throws: SessionError(.refused, "")) {
            try await manager.afterUnauthorized(last)
        }
        #expect(manager.state == .signedOut(.endedByServer))
    }

    @Test("A cancelled caller ends at once, and the exchange continues and is saved")
    func cancelled() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.tokenFailure() }
        try await until { fixture.server.waitingCount == 1 }
        caller.cancel()
        #expect(await caller.value == .cancelled)
        fixture.server.release()
        #expect(try await manager.accessToken().exposedText == "access-user-1-2")
        #expect(fixture.server.exchangeCount == 1)
    }

    @Test("A session without a refresh token is used until it expires, and kept")
    func withoutRefreshToken() async throws {
        let fixture = ManagerFixture()
        let manager = try fixture.manager()
        try await manager.adopt(
            SessionGrant(
                accessToken: AccessToken("thirty-days"), refreshToken: nil,
                lifetime: .seconds(2_592_000), userID: "u"))
        fixture.clock.advance(by: .seconds(2_591_999))
        #expect(try await manager.accessToken().exposedText == "thirty-days")
        fixture.clock.advance(by: .seconds(1))
        #expect(await manager.tokenFailure() == .expired)
        // The clock was wrong.
        fixture.clock.advance(by: .seconds(-86_400))
        #expect(try await manager.accessToken().exposedText == "thirty-days")
    }
}
