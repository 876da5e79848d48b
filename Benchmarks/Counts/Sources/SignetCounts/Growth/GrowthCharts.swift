// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// How the cost of a verification grows: with the payload, with the number of keys, with threads.
enum GrowthCharts {
    /// Bytes of payload.
    private static let payloads = [205, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
    private static let keyCounts = [1, 3, 10, 100, 1000, 10_000, 100_000]

    /// A header line, then one line a point: chart, series, x, tenths of nanoseconds.
    static func print(rounds: Int, milliseconds: Double) async throws {
        let run = GrowthRun(rounds: rounds, milliseconds: milliseconds)
        let threads = ThreadRun(rounds: rounds, milliseconds: milliseconds)
        Swift.print("chart,series,x,tenths_of_nanoseconds")
        for point in try run.measure(payload()) { Swift.print(point.line) }
        for point in try run.measure(rings()) { Swift.print(point.line) }
        for point in try run.measure(sets()) { Swift.print(point.line) }
        for point in try await threads.measure(parallel()) { Swift.print(point.line) }
    }

    private static func payload() throws -> [Contender] {
        let key = try TokenFixture.hmacKey(Expected.keyID)
        let signer = try TokenSigner(hmacKey: key)
        let verifier = try TokenVerifier(
            hmacKey: key, policy: TokenFixture.sessionPolicy(maximumTokenByteCount: 262_144))
        return try payloads.flatMap { target in
            let claims = MemberClaims(payloadByteCount: target)
            let token = try signer.sign(claims)
            let size = try MemberClaims.payloadByteCount(token)
            guard try verifier.verify(token, as: MemberClaims.self).claims == claims else {
                throw CountsError.wrongAnswer("a payload of \(size) bytes")
            }
            return [
                Contender(chart: "payload", series: "typed", x: size) {
                    { try verifier.verify(token, as: MemberClaims.self).claims.exp == Expected.expiration }
                },
                Contender(chart: "payload", series: "registered", x: size) {
                    { try verifier.verify(token).claims.expires }
                },
                Contender(chart: "payload", series: "raw HMAC", x: size) {
                    let hmac = try RawHMAC(token)
                    return { hmac.isValid() }
                },
            ]
        }
    }

    private static func rings() -> [Contender] {
        keyCounts.map { ring($0, tokens: 1, "HS256: one kid") }
            + keyCounts.filter { $0 >= 100 }.map { ring($0, tokens: 64, "HS256: 64 kids in turn") }
    }

    private static func sets() -> [Contender] {
        keyCounts.map { count in
            Contender(chart: "keys", series: "ES256: one kid", x: count) {
                let set = try Rings.signatures(.es256, count: count, tokens: 1)
                let token = set.tokens[0]
                return { try set.verifier.verify(token).claims.expires }
            }
        }
    }

    private static func ring(_ count: Int, tokens: Int, _ series: String) -> Contender {
        Contender(chart: "keys", series: series, x: count) {
            let ring = try Rings.hmac(count: count, tokens: tokens)
            var turn = 0
            return {
                turn = turn + 1 < ring.tokens.count ? turn + 1 : 0
                return try ring.verifier.verify(ring.tokens[turn]).claims.expires
            }
        }
    }

    private static func parallel() throws -> [Contender] {
        let fixture = try TokenFixture.hmac()
        // One verifier for all threads, as in a server; the floor has contexts of its own in each.
        let (verifier, token) = (fixture.verifier, fixture.token)
        return [1, 2].flatMap { threads in
            [
                Contender(chart: "threads", series: "typed", x: threads, threads: threads) {
                    { try verifier.verify(token, as: IDTokenClaims.self).claims.exp == Expected.expiration }
                },
                Contender(chart: "threads", series: "registered", x: threads, threads: threads) {
                    { try verifier.verify(token).claims.expires }
                },
                Contender(chart: "threads", series: "raw HMAC", x: threads, threads: threads) {
                    let hmac = try RawHMAC(token)
                    return { hmac.isValid() }
                },
            ]
        }
    }
}
