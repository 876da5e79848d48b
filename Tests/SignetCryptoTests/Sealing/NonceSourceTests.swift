// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import Synchronization
import TestSupport
import Testing

@Suite("Pooled nonces")
struct NonceSourceTests {
    @Test("what is sealed with them opens like all else, and nothing else about it is different")
    func roundTrips() throws {
        let key = try SecretKey.generate()
        for count in [0, 1, 64, 5000] {
            let plaintext = [UInt8](repeating: 3, count: count)
            let gcm = try AESGCM.seal(plaintext, using: key, nonces: .pooled, authenticating: [7])
            #expect(gcm.count == 12 + count + 16)
            #expect(try AESGCM.open(gcm, using: key, authenticating: [7]) == plaintext)
            #expect(code { _ = try AESGCM.open(gcm, using: key) } == .authenticationFailure)
            let xaes = try XAES256GCM.seal(plaintext, using: key, nonces: .pooled, authenticating: [7])
            #expect(xaes.count == 24 + count + 16)
            #expect(try XAES256GCM.open(xaes, using: key, authenticating: [7]) == plaintext)
            #expect(code { _ = try XAES256GCM.open(xaes, using: key) } == .authenticationFailure)
        }
        let short = TestSupport.key(repeating: 1, 31)
        #expect(code { _ = try AESGCM.seal([], using: short, nonces: .pooled) } == .invalidKeySize)
        #expect(code { _ = try XAES256GCM.seal([], using: short, nonces: .pooled) } == .invalidKeySize)
    }

    @Test("no nonce comes twice: eight threads, both lengths in turns, across many batches")
    func noncesDiffer() throws {
        let key = try SecretKey.generate()
        let seen = Mutex((short: Set<[UInt8]>(), long: Set<[UInt8]>()))
        let rounds = 3000
        let failures = failuresOnThreads(rounds: rounds) { thread, round in
            let first = Array(try AESGCM.seal([], using: key, nonces: .pooled).prefix(12))
            let second = Array(try XAES256GCM.seal([], using: key, nonces: .pooled).prefix(24))
            // All zeros is what a page that was wiped, or a nonce that was taken before, would give.
            guard first.contains(where: { $0 != 0 }), second.contains(where: { $0 != 0 }) else {
                return false
            }
            return seen.withLock { seen in
                // The halves of a long one must not have been handed out as short ones, either.
                let all = [first, Array(second[..<12]), Array(second[12...])]
                let isNew = all.allSatisfy { seen.short.insert($0).inserted }
                return seen.long.insert(second).inserted && isNew
            }
        }
        #expect(failures == 0)
        #expect(seen.withLock { $0.short.count } == 3 * 8 * rounds)
    }

    @Test("more threads than a key has places for contexts")
    func manyThreads() throws {
        let key = try SecretKey.generate()
        let failures = failuresOnThreads(rounds: 200, threads: 40) { thread, round in
            let plaintext = [UInt8](repeating: UInt8(thread), count: round * 40)
            let gcm = try AESGCM.seal(plaintext, using: key, nonces: .pooled)
            let xaes = try XAES256GCM.seal(plaintext, using: key, nonces: .pooled)
            return try AESGCM.open(gcm, using: key) == plaintext
                && XAES256GCM.open(xaes, using: key) == plaintext
        }
        #expect(failures == 0)
    }
}
