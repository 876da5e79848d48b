// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetMemory
import TestSupport
import Testing

@Suite("Prepared contexts, shared by eight threads", .tags(.races, .sampled), .serialized)
struct SignatureContextTests {
    private func expectConcurrent(
        _ key: KeyHandle, _ scheme: SignatureScheme, rounds: Int, _ name: String
    ) throws {
        let failures = failuresOnThreads(rounds: rounds) { thread, round in
            let message: [UInt8] = [UInt8(thread), UInt8(truncatingIfNeeded: round)]
            let other: [UInt8] = [UInt8(thread)]
            let signature = try key.signature(for: message.span, under: scheme)
            guard try key.isValid(signature.span, for: message.span, under: scheme) else {
                return false
            }
            if try key.isValid(signature.span, for: other.span, under: scheme) { return false }
            if try key.isValid(other.span, for: message.span, under: scheme) { return false }
            return ErrorQueue.isEmpty
        }
        #expect(failures == 0, "\(name)")
    }

    @Test("RSA signs and verifies", arguments: DigestAlgorithm.allCases)
    func rsa(hash: DigestAlgorithm) throws {
        try expectConcurrent(
            BridgeKeys.rsa(), .rsaPKCS1(hash), rounds: Effort.rounds(100), "PKCS #1")
        try expectConcurrent(BridgeKeys.rsa(), .rsaPSS(hash), rounds: Effort.rounds(100), "PSS")
    }

    @Test("ECDSA signs and verifies", arguments: NamedCurve.allCases)
    func ecdsa(curve: NamedCurve) throws {
        let key = try KeyHandle.generateEC(curve: curve)
        try expectConcurrent(
            key, .ecdsa(curve, .sha256), rounds: Effort.rounds(curve == .p256 ? 1000 : 100),
            "\(curve)")
    }

    @Test("Ed25519 signs and verifies")
    func ed25519() throws {
        let key = try KeyHandle.ed25519(seed: SecretStorage(randomCount: 32))
        try expectConcurrent(key, .ed25519, rounds: Effort.rounds(1000), "Ed25519")
    }

    @Test("Keys read from DER are first used by eight threads at once")
    func decodedKeys() throws {
        for (name, key) in try BridgeKeys.all() {
            let der = exposed(try key.encodedPrivateKey())
            let scheme: SignatureScheme
            switch key.kind {
            case .rsa: scheme = .rsaPSS(.sha256)
            case .ec(let curve): scheme = .ecdsa(curve, .sha512)
            case .ed25519: scheme = .ed25519
            case nil: continue
            }
            for _ in 0..<10 { try expectConcurrent(privateKey(der), scheme, rounds: 2, name) }
        }
    }

    @Test("A failed use does not spoil the next")
    func reuse() throws {
        let message: [UInt8] = [1, 2, 3]
        let key = try KeyHandle.ed25519(seed: SecretStorage(randomCount: 32))
        let scheme = SignatureScheme.ed25519
        let signature = try key.signature(for: message.span, under: scheme)
        for _ in 0..<100 {
            let refused = try key.isValid(
                [UInt8](repeating: 1, count: 64).span, for: message.span, under: scheme)
            let accepted = try key.isValid(signature.span, for: message.span, under: scheme)
            #expect(!refused)
            #expect(accepted)
        }
    }

    @Test("Contexts are reused after a good and after a refused signature")
    func pooled() throws {
        let message: [UInt8] = [1, 2, 3]
        for (name, key) in try BridgeKeys.all() {
            for scheme in schemes(of: key) {
                for round in 0..<20 {
                    let signature = try key.signature(for: message.span, under: scheme)
                    var changed = signature
                    // The last byte: an RSA value stays below the modulus, an ECDSA s stays in its
                    // range.
                    changed[changed.count - 1] ^= 1
                    let refused = try key.isValid(changed.span, for: message.span, under: scheme)
                    let accepted = try key.isValid(signature.span, for: message.span, under: scheme)
                    #expect(!refused, "\(name), \(scheme), round \(round)")
                    #expect(accepted, "\(name), \(scheme), round \(round)")
                    #expect(ErrorQueue.isEmpty)
                }
            }
        }
    }

    private func schemes(of key: KeyHandle) -> [SignatureScheme] {
        switch key.kind {
        case .rsa: DigestAlgorithm.allCases.flatMap { [.rsaPKCS1($0), .rsaPSS($0)] }
        case .ec(let curve): [.ecdsa(curve, .sha256)]
        case .ed25519: [.ed25519]
        case nil: []
        }
    }
}
