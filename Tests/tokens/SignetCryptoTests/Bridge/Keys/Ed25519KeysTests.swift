// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Ed25519 keys from bytes")
struct Ed25519KeysTests {
    @Test("Seeds and public keys of any length but 32 are refused before libcrypto")
    func lengths() {
        for count in [0, 1, 31, 33, 56, 57, 64, 5000] {
            let value = [UInt8](repeating: 1, count: count)
            #expect(
                failure { _ = try KeyHandle.ed25519(publicKey: value) } == .invalidLength,
                "\(count)")
            #expect(
                failure { _ = try KeyHandle.ed25519(seed: secret(value)) } == .invalidLength,
                "\(count)")
        }
    }

    @Test("The first key of RFC 8032, section 7.1, is read")
    func knownAnswer() throws {
        let seed = bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
        let key = try KeyHandle.ed25519(seed: secret(seed))
        #expect(
            hex(try key.ed25519PublicKey())
                == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        #expect(exposed(try key.ed25519Seed()) == seed)
        #expect(
            hex(try sign(key, .ed25519, []))
                == """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b\
                d25bf5f0595bbe24655141438e7a100b
                """)
    }

    @Test("Bytes that encode no point verify nothing and do not crash")
    func notAPoint() throws {
        let real = try KeyHandle.ed25519(seed: secret([UInt8](repeating: 1, count: 32)))
        let signature = try sign(real, .ed25519, [1])
        for byte: UInt8 in 0...255 {
            let key = try KeyHandle.ed25519(publicKey: [UInt8](repeating: byte, count: 32))
            #expect(try !verify(key, .ed25519, signature, [1]))
        }
    }
}
