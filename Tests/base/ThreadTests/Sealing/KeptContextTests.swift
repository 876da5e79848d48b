// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetMemory
import TestSupport
import Testing

/// Keys with pooled cipher contexts give the same results as new keys, whatever happened before.
@Suite("Reused cipher contexts", .serialized)
struct KeptContextTests {
    private static let data: [UInt8] = [7, 7]

    private func nonce(_ number: Int, count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: count - 2) + [UInt8(number >> 8 & 0xff), UInt8(number & 0xff)]
    }

    @Test("AES-GCM seals as with a new key, at each key size", arguments: [16, 24, 32])
    func gcm(keyByteCount: Int) throws {
        let bytes = [UInt8](repeating: 3, count: keyByteCount)
        let key = SecretStorage(copying: bytes.span)
        for round in 0..<40 {
            let nonce = nonce(round, count: 12)
            let plain = [UInt8](repeating: UInt8(round), count: round * 7)
            let expected = try AEAD.gcm.seal(
                plain.span, key: secret(bytes), nonce: nonce.span,
                authenticating: Self.data.span)
            let sealed = try AEAD.gcm.seal(
                plain.span, key: key, nonce: nonce.span, authenticating: Self.data.span)
            #expect(sealed == expected)
            let rest = Array(sealed.dropFirst(12))
            // A refusal between two successes must affect neither.
            var changed = rest
            changed[round % rest.count] ^= 1
            #expect(
                failure {
                    _ = try AEAD.gcm.open(
                        changed.span, key: key, nonce: nonce.span, authenticating: Self.data.span)
                } == .authentication)
            #expect(ErrorQueue.isEmpty)
            let opened = try AEAD.gcm.open(
                rest.span, key: key, nonce: nonce.span, authenticating: Self.data.span)
            #expect(opened == plain)
        }
    }

    @Test("XAES seals as its derivation and AES-GCM do")
    func xaes() throws {
        let bytes = [UInt8](repeating: 5, count: 32)
        let key = SecretStorage(copying: bytes.span)
        for round in 0..<40 {
            let nonce = nonce(round, count: 12) + self.nonce(round, count: 12)
            let plain = [UInt8](repeating: UInt8(round), count: round)
            let derived = exposed(
                try XAESKeySchedule.derivedKey(key: bytes.span, nonce: nonce.span))
            let rest = Array(nonce[12...])
            let expected = try AEAD.gcm.seal(
                plain.span, key: secret(derived), nonce: rest.span,
                authenticating: Self.data.span)
            let sealed = try AEAD.xaes.seal(
                plain.span, key: key, nonce: nonce.span, authenticating: Self.data.span)
            #expect(sealed == nonce + expected.dropFirst(12))
            let body = Array(sealed.dropFirst(24))
            #expect(
                failure {
                    _ = try AEAD.xaes.open(
                        body.span, key: key, nonce: nonce.span, authenticating: Span())
                } == .authentication)
            let opened = try AEAD.xaes.open(
                body.span, key: key, nonce: nonce.span, authenticating: Self.data.span)
            #expect(opened == plain)
        }
    }

    @Test("Wrong lengths are refused with and without a pooled context")
    func lengths() throws {
        let plain: [UInt8] = [1]
        let key = SecretStorage(copying: [UInt8](repeating: 1, count: 32).span)
        for _ in 0..<3 {
            for count in [0, 11, 13, 24] {
                let nonce = [UInt8](repeating: 0, count: count)
                #expect(
                    failure {
                        _ = try AEAD.gcm.seal(
                            plain.span, key: key, nonce: nonce.span, authenticating: Span())
                    } == .invalidLength)
                #expect(
                    failure {
                        _ = try AEAD.gcm.open(
                            [UInt8](repeating: 0, count: 20).span, key: key, nonce: nonce.span,
                            authenticating: Span())
                    } == .invalidLength)
            }
            for count in [0, 12, 23, 25] {
                let nonce = [UInt8](repeating: 0, count: count)
                #expect(
                    failure {
                        _ = try AEAD.xaes.seal(
                            plain.span, key: key, nonce: nonce.span, authenticating: Span())
                    } == .invalidLength)
            }
            let good = [UInt8](repeating: 0, count: 24)
            _ = try AEAD.xaes.seal(plain.span, key: key, nonce: good.span, authenticating: Span())
            _ = try AEAD.gcm.seal(
                plain.span, key: key, nonce: Array(good[..<12]).span, authenticating: Span())
        }
    }

    @Test("Eight threads share one key")
    func threads() throws {
        let key = try SecretStorage(randomCount: 32)
        let failures = failuresOnThreads(rounds: 500) { thread, round in
            let plain = [UInt8](repeating: UInt8(thread), count: round % 100)
            let nonce = try randomBytes(count: 24)
            let sealed = try AEAD.xaes.seal(
                plain.span, key: key, nonce: nonce.span, authenticating: Span())
            let opened = try AEAD.xaes.open(
                Array(sealed[24...]).span, key: key, nonce: nonce.span, authenticating: Span())
            let short = Array(nonce[..<12])
            let other = try AEAD.gcm.seal(
                plain.span, key: key, nonce: short.span, authenticating: Span())
            let again = try AEAD.gcm.open(
                Array(other[12...]).span, key: key, nonce: short.span, authenticating: Span())
            return opened == plain && again == plain
        }
        #expect(failures == 0)
    }
}
