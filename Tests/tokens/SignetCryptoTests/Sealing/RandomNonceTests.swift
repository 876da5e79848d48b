// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import Synchronization
import TestSupport
import Testing

@Suite("Random nonces")
struct RandomNonceTests {
    @Test("No nonce repeats over eight threads that seal in both ways")
    func noncesDiffer() throws {
        let key = try SecretKey.generate()
        let seen = Mutex((short: Set<[UInt8]>(), long: Set<[UInt8]>()))
        let rounds = 3000
        let failures = failuresOnThreads(rounds: rounds) { thread, round in
            let first = Array(try AESGCM.seal([], using: key).prefix(12))
            let second = Array(try XAES256GCM.seal([], using: key).prefix(24))
            guard first.contains(where: { $0 != 0 }), second.contains(where: { $0 != 0 }) else {
                return false
            }
            return seen.withLock { seen in
                // Nor may the halves of a long one have been handed out as short ones.
                let all = [first, Array(second[..<12]), Array(second[12...])]
                let isNew = all.allSatisfy { seen.short.insert($0).inserted }
                return seen.long.insert(second).inserted && isNew
            }
        }
        #expect(failures == 0)
        #expect(seen.withLock { $0.short.count } == 3 * 8 * rounds)
    }

    @Test("More threads than a pool has contexts all seal and open")
    func manyThreads() throws {
        let key = try SecretKey.generate()
        let failures = failuresOnThreads(rounds: 200, threads: 40) { thread, round in
            let plaintext = [UInt8](repeating: UInt8(thread), count: round * 40)
            let gcm = try AESGCM.seal(plaintext, using: key)
            let xaes = try XAES256GCM.seal(plaintext, using: key)
            return try AESGCM.open(gcm, using: key) == plaintext
                && XAES256GCM.open(xaes, using: key) == plaintext
        }
        #expect(failures == 0)
    }
}
