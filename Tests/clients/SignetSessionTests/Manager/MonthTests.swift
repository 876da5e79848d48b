// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import TestSupport
import Testing

@Suite("Thirty days of clock time")
struct MonthTests {
    private static let month = Duration.seconds(30 * 86_400)

    @Test("An occasional program signs in once")
    func asking() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        var random = SeededGenerator(seed: 30)
        var (passed, asked, seen) = (Duration.zero, 0, Set<String>())
        while passed < Self.month {
            // A minute to an hour and a half: some tokens are near their end, some past it.
            let step = Duration.seconds(Int.random(in: 60...5_400, using: &random))
            fixture.clock.advance(by: step)
            passed += step
            seen.insert(try await manager.accessToken().exposedText)
            let expiry = try #require(await manager.expiry)
            #expect(expiry > fixture.clock.now, "it is good when it is handed out")
            asked += 1
        }
        #expect(manager.state.isSignedIn && fixture.server.refusalCount == 0)
        #expect(seen.count >= fixture.server.exchangeCount, "each token is handed out")
        #expect(fixture.server.exchangeCount >= 480 && fixture.server.exchangeCount <= asked)
        print(
            "30 days, asking: \(asked) calls, \(fixture.server.exchangeCount) exchanges,",
            "1 sign-in, \(fixture.server.refusalCount) refused")
    }

    @Test("An idle program exchanges its token early, and signs in once")
    func idle() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn(refreshesAhead: true)
        var passed = Duration.zero
        while passed < Self.month {
            let before = fixture.server.exchangeCount
            fixture.clock.advance(by: .seconds(3_302))
            passed += .seconds(3_302)
            // Time passes while the keeper starts, and while it goes to sleep.
            var count = 0
            while fixture.server.exchangeCount == before {
                count += 1
                guard count < 20_000 else {
                    Issue.record(
                        "no exchange: \(manager.state), \(fixture.clock.sleeperCount) sleep, \(fixture.server.refusalCount) refused, \(fixture.server.exchangeCount) exchanges"
                    )
                    return
                }
                try await Task.sleep(for: .milliseconds(5))
                fixture.clock.advance(by: .seconds(60))
                passed += .seconds(60)
            }
        }
        #expect(manager.state.isSignedIn && fixture.server.refusalCount == 0)
        #expect((360...785).contains(fixture.server.exchangeCount))
        print(
            "30 days, idle: 0 calls, \(fixture.server.exchangeCount) exchanges, 1 sign-in,",
            "\(fixture.server.refusalCount) refused")
    }
}
