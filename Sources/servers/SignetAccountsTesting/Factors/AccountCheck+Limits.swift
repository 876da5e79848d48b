// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

// A limit allows a burst at once, and then one use in each interval: `RateLimit(burst: 2, interval:
// .seconds(3600))` allows two, and the third an hour later. In these checks
//
// - `own` is a `FactorScope`: limits whose rows have names that no other check uses.
// - `own.take(limit)` makes an attempt, and returns how long to wait; nil if it was allowed.
// - `own.pass(time)` makes the rows older, as if the time had passed.
// - `countAtOnce(60)` runs 60 tasks at once, each with its number, and counts those that gave true.
//   Even numbers use the first database object, and odd numbers the second.
extension AccountCheck {
    static let limits = [
        AccountCheck("of many attempts at once only a burst is allowed") { scope in
            try await FactorScope.run(scope) { own in
                let limit = try RateLimit(burst: 7, interval: .seconds(86_400))
                let allowedCount = try await countAtOnce(60) { number in
                    try await own.take(limit, on: number) == nil
                }
                try scope.expect(
                    allowedCount, is: 7, named: "the count of those that were allowed")
                try await own.pass(.seconds(2 * 86_400))
                let laterCount = try await countAtOnce(20) { number in
                    try await own.take(limit, on: number) == nil
                }
                try scope.expect(laterCount, is: 2, named: "the count two intervals later")
            }
        },
        AccountCheck("a refusal says how long to wait") { scope in
            try await FactorScope.run(scope) { own in
                let limit = try RateLimit(burst: 2, interval: .seconds(3600))
                for _ in 0..<2 {
                    try scope.expect(try await own.take(limit), is: nil, named: "a burst")
                }
                guard let wait = try await own.take(limit) else {
                    throw AccountFinding(message: "an attempt beyond the limit was allowed")
                }
                try scope.expect(
                    wait > .seconds(1800) && wait <= .seconds(3600), "the wait is \(wait)")
                try await own.pass(wait)
                try scope.expect(
                    try await own.take(limit), is: nil, named: "the next, after the wait")
                try scope.expect(
                    try await own.take(limit) != nil, "an attempt beyond the limit was allowed")
            }
        },
        AccountCheck("a network of IPv6 has the limit of 4 or of 64 clients") { scope in
            try await FactorScope.run(scope) { own in
                let limit = try RateLimit.perDay(1)
                // 16 networks of 56 bits. In each of them, 6 networks of 64 bits ask.
                let allowed = try await runAtOnce(96) { number in
                    let network = String(number % 16 * 256 + number / 16, radix: 16)
                    let address = ClientAddress("2001:db8:7:\(network)::1")
                    return try await own.take(limit, from: address, on: number) == nil
                        ? number : nil
                }
                try scope.expect(
                    allowed.count, is: 64, named: "the count of those that were allowed")
                let each = Dictionary(grouping: allowed) { $0 % 16 }.values.map(\.count)
                try scope.expect(each.max(), is: 4, named: "the most of one network of 56 bits")
            }
        },
        AccountCheck("clients without an address share 100 times the limit") { scope in
            try await FactorScope.run(scope) { own in
                let limit = try RateLimit.perDay(1)
                let allowedCount = try await countAtOnce(120) { number in
                    try await own.take(limit, from: nil, on: number) == nil
                }
                try scope.expect(
                    allowedCount, is: 100, named: "the count of those that were allowed")
            }
        },
        AccountCheck("an attempt that is rolled back does not count") { scope in
            try await FactorScope.run(scope) { own in
                let limit = try RateLimit.perDay(1)
                let limits = own.limits()
                try await scope.expect(.invalidGrant, by: "work that throws") {
                    try await own.database(0).transaction {
                        (transaction) throws(AccountError) in
                        try await limits.take(
                            limit, name: "check", for: .account("a"), in: transaction)
                        throw AccountError(.invalidGrant, "An error of the work.")
                    }
                }
                try scope.expect(try await own.take(limit), is: nil, named: "the first that counts")
                try scope.expect(
                    try await own.take(limit) != nil, "an attempt beyond the limit was allowed")
            }
        },
        AccountCheck("a row from before the clock was set back counts as one burst") { scope in
            try await FactorScope.run(scope) { own in
                let limit = try RateLimit(burst: 3, interval: .seconds(3600))
                for _ in 0..<3 {
                    try scope.expect(try await own.take(limit), is: nil, named: "a burst")
                }
                try await own.pass(.seconds(-31_536_000))
                try scope.expect(
                    try await own.take(limit), is: nil, named: "an attempt after the clock")
                guard let wait = try await own.take(limit) else {
                    throw AccountFinding(message: "an attempt beyond the limit was allowed")
                }
                try scope.expect(
                    wait > .zero && wait <= .seconds(3600), "the wait after the clock is \(wait)")
            }
        },
    ]
}

extension FactorScope {
    /// Makes an attempt. Returns how long to wait; nil if the attempt was allowed.
    fileprivate func take(_ limit: RateLimit, on number: Int = 0) async throws -> Duration? {
        try await wait(for: limits(number)) { (limits) throws(AccountError) in
            try await limits.take(limit, name: "check", for: .account("a"))
        }
    }

    /// Makes an attempt from an address. Returns how long to wait; nil if the attempt was allowed.
    fileprivate func take(
        _ limit: RateLimit, from address: ClientAddress?, on number: Int
    ) async throws -> Duration? {
        try await wait(for: limits(number)) { (limits) throws(AccountError) in
            try await limits.take(limit, name: "check", from: address)
        }
    }

    /// How long `take` says to wait; nil if it throws nothing. Every error but `tooManyRequests` is
    /// rethrown.
    private func wait(
        for limits: RateLimits, _ take: (RateLimits) async throws(AccountError) -> Void
    ) async throws -> Duration? {
        do {
            try await take(limits)
            return nil
        } catch {
            guard error.code == .tooManyRequests, let wait = error.retryAfter else { throw error }
            return wait
        }
    }
}
