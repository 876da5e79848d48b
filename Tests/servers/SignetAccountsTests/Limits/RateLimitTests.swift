// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetBase
import SignetEmail
import SignetSignIn
import TestSupport
import Testing

@Suite("Rate limits in one row", .serialized)
struct RateLimitTests {
    private static let account = RateLimits.Subject.account("ann")

    private func take(
        _ limit: RateLimit, _ database: some AccountDatabase,
        for subject: RateLimits.Subject = account
    ) async throws -> Duration? {
        let limits = RateLimits(database, secret: try .test())
        let error = await accountError { () throws(AccountError) in
            try await limits.take(limit, name: "test", for: subject)
            return true
        }
        #expect(error == nil || error?.code == .tooManyRequests)
        return error?.retryAfter
    }

    @Test(
        "A burst passes, then one request per interval, to the millisecond",
        arguments: [(1, 1), (1, 60_000), (2, 7), (5, 720_000), (20, 4_320_000), (30, 120_000)])
    func exact(burst: Int, interval: Int64) async throws {
        let moments = try Moments()
        let limit = try RateLimit(burst: burst, interval: .milliseconds(interval))
        let start = try await moments.after(0)
        for _ in 0..<burst { #expect(try await take(limit, start) == nil) }
        for _ in 0..<2 { #expect(try await take(limit, start) == .milliseconds(interval)) }
        for round in 1...Int64(3) {
            if interval > 1 {
                let early = try await moments.after(round * interval - 1)
                #expect(try await take(limit, early) == .milliseconds(1))
            }
            let due = try await moments.after(round * interval)
            #expect(try await take(limit, due) == nil)
            #expect(try await take(limit, due) == .milliseconds(interval))
        }
        // After as many intervals as the burst has, all of it is there again, and no more.
        let rested = try await moments.after((3 + Int64(burst)) * interval)
        for _ in 0..<burst { #expect(try await take(limit, rested) == nil) }
        #expect(try await take(limit, rested) != nil)
        await moments.close()
    }

    @Test("No time span admits more than burst + span / interval")
    func bounds() async throws {
        var generator = SeededGenerator(seed: 19)
        for (burst, interval) in [(1, Int64(10)), (3, 7), (5, 100)] {
            let moments = try Moments()
            let limit = try RateLimit(burst: burst, interval: .milliseconds(interval))
            var (time, allowed, free) = (Int64(0), [Int64](), Int64(0))
            for _ in 0..<120 {
                time += Int64(generator.next() % UInt64(interval * 2)) / 2
                let isAllowed = try await take(limit, try await moments.after(time)) == nil
                // The algorithm as its definition has it.
                let arrival = max(free, time)
                let expected = arrival - time <= Int64(burst - 1) * interval
                #expect(isAllowed == expected)
                if expected { free = arrival + interval }
                if isAllowed { allowed.append(time) }
            }
            for (first, start) in allowed.enumerated() {
                for (last, end) in allowed.enumerated().dropFirst(first) {
                    #expect(last - first + 1 <= burst + Int((end - start) / interval))
                }
            }
            #expect(allowed.count > burst)
            await moments.close()
        }
    }

    @Test("Of a hundred concurrent requests over two connections, a burst passes")
    func concurrent() async throws {
        let folder = try PrivateFolder()
        let limit = try RateLimit(burst: 7, interval: .seconds(86_400))
        let databases = [
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
        ]
        let allowed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                group.addTask { try await take(limit, databases[index % 2]) == nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(allowed == 7)
        for database in databases { await database.close() }
    }

    @Test("A clock that is set back locks no one out for long, and admits at most one more")
    func clockSetBack() async throws {
        let moments = try Moments()
        let limit = try RateLimit(burst: 3, interval: .milliseconds(1000))
        let year = Int64(31_536_000_000)
        let future = try await moments.after(year)
        for _ in 0..<3 { #expect(try await take(limit, future) == nil) }
        // By a little: as before, but later.
        let before = try await moments.after(year - 2000)
        #expect(try await take(limit, before) == .milliseconds(3000))
        // By a year: one, and then the burst counts as used up.
        let past = try await moments.after(0)
        #expect(try await take(limit, past) == nil)
        #expect(try await take(limit, past) == .milliseconds(1000))
        let later = try await moments.after(1000)
        #expect(try await take(limit, later) == nil)
        #expect(try await take(limit, later) != nil)
        await moments.close()
    }

    @Test("Spellings of one subject share a limit, different subjects do not")
    func subjects() async throws {
        let limit = try RateLimit(burst: 1, interval: .seconds(3600))
        func address(_ text: String) throws -> RateLimits.Subject {
            .address(try #require(ClientAddress(text)))
        }
        func mail(_ text: String) throws -> RateLimits.Subject {
            .destination(.email(try Mailbox(text)))
        }
        let database = try await SQLiteAccounts.inMemory()
        for (subject, isNew) in [
            (try address("192.0.2.1"), true), (try address("::ffff:192.0.2.1"), false),
            (try address("192.0.2.2"), true), (try address("2001:db8:1:2::1"), true),
            (try address("2001:db8:1:2:ffff::9"), false), (try address("2001:db8:1:3::1"), true),
            (try mail("Ann@Example.com"), true), (try mail("ann@example.com"), false),
            (try mail("bob@example.com"), true), (.account("ann@example.com"), true),
            (.destination(.phone(try PhoneNumber("+14155551234"))), true),
            (.destination(.phone(try PhoneNumber(withoutPlus: "14155551234"))), false),
            (.account("+14155551234"), true), (.account(""), true), (.account("a"), true),
            (.account("A"), true), (.account("a\0"), true),
        ] {
            #expect((try await take(limit, database, for: subject) == nil) == isNew)
        }
        // Another name is another limit.
        try await RateLimits(database, secret: try .test()).take(
            limit, name: "other", for: .account("a"))
    }

    @Test("Clients without an address share 100 times the limit, which is reported once")
    func withoutAddress() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let reported = Locked([AccountError.Code]())
        let limits = RateLimits(database, secret: try .test()) { error in
            reported.withLock { $0.append(error.code) }
        }
        let limit = try RateLimit(burst: 2, interval: .seconds(86_400))
        var (passing, refusal) = (0, AccountError?.none)
        for _ in 0..<203 {
            let error = await accountError { () throws(AccountError) in
                try await limits.take(limit, name: "test", from: nil)
                return true
            }
            if let error { refusal = error } else { passing += 1 }
        }
        #expect(passing == 200 && refusal?.limit == "test/no-address")
        #expect(reported.withLock { $0 } == [.noClientAddress])
        try await limits.take(limit, name: "test", from: ClientAddress("192.0.2.1"))
    }

    @Test("What counts alone is refused on account of nobody else")
    func alone() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let reported = Locked(0)
        let limits = RateLimits(database, secret: try .test()) { _ in reported.withLock { $0 += 1 }
        }
        let limit = try RateLimit(burst: 1, interval: .seconds(86_400))
        for _ in 0..<300 { try await limits.take(limit, name: "test", from: nil, alone: true) }
        for number in 0..<300 {
            let address = ClientAddress("2001:db8:0:\(String(number, radix: 16))::1")
            try await limits.take(limit, name: "test", from: address, alone: true)
            let error = await accountError { () throws(AccountError) in
                try await limits.take(limit, name: "test", from: address, alone: true)
                return true
            }
            #expect(error?.limit == "test/address")
        }
        #expect(reported.withLock { $0 } == 0)
    }

    @Test("Only failed tries count, and a bounded one is made although the limit is reached")
    func attempts() async throws {
        let limits = RateLimits(try await SQLiteAccounts.inMemory(), secret: try .test())
        let limit = try RateLimit(burst: 3, interval: .seconds(86_400))
        let made = Locked(0)
        func attempt(
            _ error: AccountError.Code?, isBounded: Bool = false,
            from address: String = "2001:db8::1"
        ) async -> AccountError? {
            await accountError { () throws(AccountError) in
                try await limits.attempt(
                    limit, name: "test", from: ClientAddress(address), isBounded: isBounded
                ) { () throws(AccountError) in
                    made.withLock { $0 += 1 }
                    if let error { throw AccountError(error, "An error of the work.") }
                    return true
                }
            }
        }
        for _ in 0..<20 { #expect(await attempt(nil) == nil) }
        // None of them counts for the networks either.
        for number in 1..<5 { #expect(await attempt(nil, from: "2001:db8:0:\(number)::1") == nil) }
        for _ in 0..<3 { #expect(await attempt(.wrongCode)?.code == .wrongCode) }
        #expect(made.withLock { $0 } == 27)
        let refused = await attempt(nil)
        #expect(refused?.code == .tooManyRequests && refused?.limit == "test/address")
        #expect(made.withLock { $0 } == 27)
        let wrong = await attempt(.wrongCode, isBounded: true)
        #expect(wrong?.code == .tooManyRequests && wrong?.retryAfter != nil)
        #expect(made.withLock { $0 } == 28)
        #expect(await attempt(.unavailable, isBounded: true)?.code == .unavailable)
        #expect(await attempt(nil, isBounded: true) == nil)
        // That one took nothing, and gave nothing back.
        #expect(await attempt(nil)?.code == .tooManyRequests)
    }

    @Test("A refusal names its limit and what it counts")
    func names() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let limits = RateLimits(database, secret: try .test())
        let limit = try RateLimit(burst: 1, interval: .seconds(3600))
        for (subject, name) in [
            (Self.account, "test/account"),
            (.destination(.phone(try PhoneNumber("+14155551234"))), "test/destination"),
            (.address(try #require(ClientAddress("192.0.2.1"))), "test/address"),
        ] as [(RateLimits.Subject, String)] {
            try await limits.take(limit, name: "test", for: subject)
            let error = await accountError { () throws(AccountError) in
                try await limits.take(limit, name: "test", for: subject)
                return true
            }
            #expect(error?.code == .tooManyRequests && error?.limit == name)
        }
    }

    @Test("A client's limit counts what its destination's limit then refuses")
    func refusedRequests() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let limits = RateLimits(database, secret: try .test())
        let (own, other) = (try RateLimit.perDay(30), try RateLimit.perDay(5))
        let phone = RateLimits.Subject.destination(.phone(try PhoneNumber("+14155551234")))
        var refusals: [String?] = []
        for _ in 0..<40 {
            let error = await accountError { () throws(AccountError) in
                try await limits.take(own, name: "own", from: ClientAddress("192.0.2.1"))
                try await database.transaction { (transaction) throws(AccountError) -> Void in
                    try await limits.take(other, name: "other", for: phone, in: transaction)
                }
            }
            refusals.append(error?.limit)
        }
        #expect(refusals.count { $0 == nil } == 5)
        #expect(refusals.count { $0 == "other/destination" } == 25)
        #expect(refusals.count { $0 == "own/address" } == 10)
    }

    @Test("The file holds no number and no address in the clear")
    func hidden() async throws {
        let moments = try Moments()
        let limit = try RateLimit(burst: 1, interval: .seconds(3600))
        let database = try await moments.after(0)
        let phone = try PhoneNumber("+14155551234")
        _ = try await take(limit, database, for: .destination(.phone(phone)))
        _ = try await take(limit, database, for: .account("some-account-name"))
        await moments.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: moments.path))
        #expect(bytes.range(of: Data("signet_limits".utf8)) != nil)
        for text in ["4155551234", "some-account-name"] {
            #expect(bytes.range(of: Data(text.utf8)) == nil)
        }
    }

    @Test("Rows that no longer limit are swept, and no others")
    func swept() async throws {
        let moments = try Moments()
        let limit = try RateLimit(burst: 2, interval: .milliseconds(1000))
        _ = try await take(limit, try await moments.after(0))
        for (time, count) in [(Int64(999), Int64(1)), (1000, 0)] {
            let database = try await moments.after(time)
            try await RateLimits(database, secret: try .test()).sweep()
            let rows = try await database.transaction { (transaction) throws(AccountError) in
                try await transaction.run("SELECT count(*) FROM signet_limits", values: [])
            }
            #expect(try rows.first?.integer(0) == count)
        }
        await moments.close()
    }

    @Test("With the database unreachable nothing is permitted")
    func outOfReach() async throws {
        let database = try await SQLiteAccounts.inMemory()
        await database.close()
        let limits = RateLimits(database, secret: try .test())
        let limit = try RateLimit.perHour(5)
        let error = await accountError { () throws(AccountError) in
            try await limits.take(limit, name: "test", for: Self.account)
            return true
        }
        #expect(error?.code == .unavailable)
    }

    @Test("Limits outside of the ranges are refused")
    func ranges() throws {
        for (burst, interval) in [
            (0, Duration.seconds(1)), (-1, .seconds(1)), (1_000_001, .seconds(1)), (1, .zero),
            (1, .microseconds(999)), (1, .seconds(-1)), (1, .seconds(Int64.max)),
            (1_000_000, .seconds(3600)),
        ] {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try RateLimit(burst: burst, interval: interval)
            }
        }
        for count in [Int.min, 0, 1_000_001] {
            #expect(throws: AccountError(.invalidParameter, "")) { try RateLimit.perHour(count) }
            #expect(throws: AccountError(.invalidParameter, "")) { try RateLimit.perDay(count) }
        }
        #expect(try RateLimit.perHour(5) == .codesForDestination)
        #expect(try RateLimit.perHour(30) == .codesFromAddress)
        #expect(try RateLimit.perDay(20) == .wrongCodes)
    }
}
