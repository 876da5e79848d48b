// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetMemory
import TestSupport
import Testing

@Suite("Opening into wiped memory")
struct OpenSecretTests {
    private func open(_ sealed: [UInt8], _ key: SecretStorage, _ nonce: [UInt8], _ data: [UInt8])
        throws
        -> [UInt8]
    {
        nonce.count == 24
            ? exposed(
                try AEAD.xaes.openSecret(
                    sealed.span, key: key, nonce: nonce.span, authenticating: data.span))
            : exposed(
                try AEAD.gcm.openSecret(
                    sealed.span, key: key, nonce: nonce.span, authenticating: data.span))
    }

    @Test(
        "Opening into wiped memory gives the same plaintext and refusals as into an array",
        arguments: [12, 24],
        [0, 1, 31, 1000])
    func sameAsArray(nonceByteCount: Int, count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let key = secret(random.bytes(32))
        let nonce = random.bytes(nonceByteCount)
        let data = random.bytes(88)
        let plain = random.bytes(count)
        let whole =
            nonceByteCount == 24
            ? try AEAD.xaes.seal(plain.span, key: key, nonce: nonce.span, authenticating: data.span)
            : try AEAD.gcm.seal(plain.span, key: key, nonce: nonce.span, authenticating: data.span)
        let sealed = Array(whole.dropFirst(nonceByteCount))
        #expect(try open(sealed, key, nonce, data) == plain)
        for index in stride(from: 0, to: sealed.count, by: 13) {
            var other = sealed
            other[index] ^= 1
            #expect(failure { _ = try open(other, key, nonce, data) } == .authentication)
        }
        for short in 0..<min(sealed.count, 17) {
            #expect(
                failure { _ = try open(Array(sealed.prefix(short)), key, nonce, data) }
                    == .authentication)
        }
        #expect(failure { _ = try open(sealed, key, nonce, data + [0]) } == .authentication)
        #expect(
            failure { _ = try open(sealed, key, Array(nonce.dropLast()), data) } == .invalidLength)
        // The failed context is gone, and the next one works.
        #expect(try open(sealed, key, nonce, data) == plain)
    }
}
