// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetPlatform
import Testing

@Suite("The health of a database", .serialized)
struct DatabaseHealthTests {
    @Test("The database is asked at most once a second, and the last answer is repeated")
    func second() async throws {
        let flaky = FlakyDatabase(inner: try await SQLiteAccounts.inMemory())
        let clock = ManualClock()
        let health = DatabaseHealth(
            RateLimits(flaky, secret: try .test()), clock: clock.source)
        #expect(await health.isWell())
        for code in [AccountError.Code.unavailable, .corrupt, .outcomeUnknown] {
            flaky.failure.withLock { $0 = code }
            clock.advance(by: .milliseconds(999))
            #expect(await health.isWell())
            clock.advance(by: .milliseconds(1))
            #expect(await !health.isWell())
            flaky.failure.withLock { $0 = nil }
            clock.advance(by: .milliseconds(999))
            #expect(await !health.isWell())
            clock.advance(by: .milliseconds(1))
            #expect(await health.isWell())
        }
    }

    @Test("A cancelled caller does not make the database unhealthy")
    func cancelled() async throws {
        let flaky = FlakyDatabase(inner: try await SQLiteAccounts.inMemory())
        let health = DatabaseHealth(RateLimits(flaky, secret: try .test()))
        flaky.failure.withLock { $0 = .cancelled }
        #expect(await !health.isWell())
        flaky.failure.withLock { $0 = nil }
        #expect(await health.isWell())
    }

    @Test("Any number of checks leaves it healthy")
    func often() async throws {
        let clock = ManualClock()
        let health = DatabaseHealth(
            RateLimits(try await SQLiteAccounts.inMemory(), secret: try .test()),
            clock: clock.source)
        for _ in 0..<2_000 {
            clock.advance(by: .seconds(1))
            #expect(await health.isWell())
        }
    }
}
