// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Lengths that libcrypto does not see")
struct UnseenLengthTests {
    @Test("Wrapping keys of another length are refused before libcrypto")
    func wrappingKeys() {
        let wrapped = [UInt8](repeating: 1, count: 24)
        for count in [0, 1, 15, 17, 23, 25, 31, 33, 64] {
            let key = secret([UInt8](repeating: 1, count: count))
            #expect(
                failure {
                    _ = try KeyWrap.wrap(secret([UInt8](repeating: 2, count: 16)), under: key)
                }
                    == .invalidLength, "\(count)")
            #expect(
                failure { _ = try KeyWrap.unwrap(wrapped.span, under: key) } == .invalidLength,
                "\(count)")
        }
    }

    @Test("Keys that cannot be wrapped are refused before libcrypto")
    func keys() {
        let key = secret([UInt8](repeating: 1, count: 16))
        for count in [0, 8, 15, 17, 4097, 4104] {
            #expect(!KeyWrap.takes(byteCount: count))
            #expect(
                failure {
                    _ = try KeyWrap.wrap(secret([UInt8](repeating: 2, count: count)), under: key)
                } == .invalidLength, "\(count)")
        }
        #expect(!KeyWrap.takes(byteCount: -8))
    }

    @Test("Keys and nonces of AES-CBC of another length are refused before libcrypto")
    func content() {
        let block = [UInt8](repeating: 1, count: 16)
        for digest in DigestAlgorithm.allCases {
            let cipher = CBCHMAC(digest)
            let right = secret([UInt8](repeating: 1, count: cipher.keyByteCount))
            for count in [0, 16, 31, 33, 40, 47, 49, 63, 65] {
                let key = secret([UInt8](repeating: 1, count: count))
                #expect(
                    failure {
                        _ = try cipher.seal(block.span, key: key, authenticating: block.span)
                    } == .invalidLength)
                #expect(
                    failure {
                        _ = try cipher.open(
                            block.span, tag: block.span, key: key, nonce: block.span,
                            authenticating: block.span)
                    } == .invalidLength)
            }
            for count in [0, 8, 12, 15, 17, 32] {
                let nonce = [UInt8](repeating: 1, count: count)
                #expect(
                    failure {
                        _ = try cipher.seal(
                            block.span, key: right, nonce: nonce, authenticating: block.span)
                    } == .invalidLength)
            }
        }
    }

    @Test("A KDF without a secret or without output is refused before libcrypto")
    func derivation() {
        let info: [UInt8] = [1]
        for (count, byteCount) in [(0, 32), (32, 0), (32, -1), (32, Int.max)] {
            #expect(
                failure {
                    _ = try ConcatKDF.derive(
                        secret([UInt8](repeating: 1, count: count)), otherInfo: info.span,
                        byteCount: byteCount)
                } == .invalidLength)
        }
    }
}
