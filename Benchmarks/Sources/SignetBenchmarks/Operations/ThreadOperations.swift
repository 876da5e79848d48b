// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import JWTKit
import SignetJOSE

/// Two threads at once: what is shown is the time for one token of both threads' work together, so that half of the
/// time of one thread is perfect. The libraries share one verifier; the floor has contexts for each thread.
enum ThreadOperations {
    static func verify(_ fixture: TokenFixture) throws -> Operation {
        let (verifier, keys, token) = (fixture.verifier, fixture.verificationKeys, fixture.token)
        guard case .hmac(let secret) = fixture.floor else { throw BenchmarkError.setup("two threads") }
        let parts = try SignedParts(token)
        // Of each of them: for so many threads.
        let contenders = { (threads: Int) -> [Contender] in
            [
                Contender(.signet) { count in
                    try await share(count, threads) { count in
                        for _ in 0..<count { keep(try verifier.verify(token, as: IDTokenClaims.self).claims) }
                    }
                },
                Contender(.jwtKit) { count in
                    try await share(count, threads) { count in
                        for _ in 0..<count { keep(try await keys.verify(token, as: IDTokenClaims.self)) }
                    }
                },
                Contender(.libcrypto) { count in
                    try await share(count, threads) { count in
                        let key = try RawHMAC(key: secret)
                        for _ in 0..<count {
                            guard key.isValid(parts.signature, for: parts.message) else {
                                throw BenchmarkError.wrongAnswer(.libcrypto)
                            }
                        }
                    }
                },
            ]
        }
        return Operation(
            identifier: "hs256.verify.id.typed.2threads",
            title: "HS256 verify, ID token, typed claims, 2 threads", contenders: contenders(2),
            goals: [.faster(times: 7, than: .jwtKit), .scaling(part: 0.95, of: .libcrypto)], isParallel: true,
            alone: contenders(1))
    }

    private static func share(
        _ count: Int, _ threads: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<threads { group.addTask { try await body((count + thread) / threads) } }
            try await group.waitForAll()
        }
    }
}
