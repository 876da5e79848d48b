// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import TestSupport
import Testing

@Suite("The health of a database", .serialized, .timeLimit(.minutes(20)))
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
            await #expect(throws: AccountError(code, "")) { try await health.check() }
            clock.advance(by: .milliseconds(1))
            #expect(await health.isWell())
        }
    }

    @Test("A cancelled caller does not make the database unhealthy")
    func cancelled() async throws {
        let flaky = FlakyDatabase(inner: try await SQLiteAccounts.inMemory())
        let health = DatabaseHealth(RateLimits(flaky, secret: try .test()), clock: .still)
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

    @Test("A clock that was set back, by any time, leaves it healthy")
    func setBack() async throws {
        let (accounts, clock) = (try await SQLiteAccounts.inMemory(), ManualClock())
        let health = DatabaseHealth(
            RateLimits(accounts, secret: try .test()), clock: clock.source)
        #expect(await health.isWell())
        for seconds in [60, 900, 1_100, 1_800, 86_400] as [Int64] {
            // What a row of that time looks like afterwards.
            try await accounts.transaction { (transaction) throws(AccountError) -> Void in
                try await transaction.run(
                    "UPDATE signet_limits SET full_until = {now} + $1",
                    values: [.integer(seconds * 1000)])
            }
            clock.advance(by: .seconds(1))
            #expect(await health.isWell())
        }
    }

    @Test("A thousand questions at once reach the database as one, and giving up stops no other")
    func shared() async throws {
        let held = HeldDatabase(inner: try await SQLiteAccounts.inMemory())
        let clock = ManualClock()
        let health = DatabaseHealth(RateLimits(held, secret: try .test()), clock: clock.source)
        let askers = (0..<1_000).map { _ in Task { await health.isWell() } }
        for await _ in held.begun.prefix(1) {}
        for asker in askers.prefix(500) { asker.cancel() }
        // They are told at once, while the database is silent still.
        for asker in askers.prefix(500) { #expect(await !asker.value) }
        // Nor does time bring it a second question.
        clock.advance(by: .seconds(60))
        let late = Task { await health.isWell() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(held.count.withLock { $0 } == 1)
        held.release.finish()
        for asker in askers.suffix(500) { #expect(await asker.value) }
        #expect(await late.value)
        // The answer was of a minute ago.
        #expect(await health.isWell())
        #expect(await health.isWell())
        #expect(held.count.withLock { $0 } <= 3)
    }
}

/// A database that counts its transactions, and holds them until it is told.
private struct HeldDatabase: AccountDatabase {
    let inner: any AccountDatabase
    let count = Locked(0)
    let begun: AsyncStream<Void>
    let release: AsyncStream<Void>.Continuation
    private let beginning: AsyncStream<Void>.Continuation
    private let released: AsyncStream<Void>

    init(inner: any AccountDatabase) {
        self.inner = inner
        (begun, beginning) = AsyncStream.makeStream()
        (released, release) = AsyncStream.makeStream()
    }

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        count.withLock { $0 += 1 }
        beginning.yield()
        for await _ in released {}
        return try await inner.transaction(work)
    }
}
