// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Schemes and the keys that they take")
struct SignatureSchemeTests {
    static let message = Array("message".utf8)

    private func keys() throws -> [(name: String, key: KeyHandle, schemes: [SignatureScheme])] {
        var keys: [(String, KeyHandle, [SignatureScheme])] = [
            (
                "RSA", try BridgeKeys.rsa(),
                DigestAlgorithm.allCases.flatMap { [.rsaPKCS1($0), .rsaPSS($0)] }
            ),
            (
                "Ed25519", try KeyHandle.ed25519(seed: secret([UInt8](repeating: 1, count: 32))),
                [.ed25519]
            ),
        ]
        for curve in NamedCurve.allCases {
            keys.append(
                (
                    "\(curve)", try KeyHandle.generateEC(curve: curve),
                    DigestAlgorithm.allCases.map { .ecdsa(curve, $0) }
                ))
        }
        return keys
    }

    @Test("Each key signs and verifies with its own schemes only")
    func matrix() throws {
        let keys = try keys()
        for (name, key, own) in keys {
            for scheme in keys.flatMap(\.schemes) {
                if own.contains(scheme) {
                    let signature = try sign(key, scheme, Self.message)
                    #expect(try verify(key, scheme, signature, Self.message), "\(name) \(scheme)")
                    #expect(
                        try !verify(key, scheme, signature, Self.message + [0]), "\(name) \(scheme)"
                    )
                    #expect(try !verify(key, scheme, [], Self.message), "\(name) \(scheme)")
                } else {
                    #expect(
                        failure { try key.prepareToSign(scheme) } == .refused,
                        "\(name) \(scheme)")
                    #expect(
                        failure { try key.requireVerifying(scheme) } == .refused,
                        "\(name) \(scheme)")
                }
            }
        }
    }

    @Test("A public key refuses to sign, without a crash")
    func publicKeysDoNotSign() throws {
        for (name, key, schemes) in try keys() {
            let onlyPublic = try publicKey(key.encodedPublicKey())
            for scheme in schemes {
                #expect(
                    failure { _ = try sign(onlyPublic, scheme, Self.message) } != nil,
                    "\(name) \(scheme)")
            }
        }
    }

    @Test("A public key has no private parts")
    func publicKeysHaveNoPrivateParts() throws {
        for (name, key, _) in try keys() {
            let onlyPublic = try publicKey(key.encodedPublicKey())
            #expect(failure { _ = try onlyPublic.encodedPrivateKey() } != nil, "\(name)")
            #expect(failure { _ = try onlyPublic.ecPrivateScalar() } != nil, "\(name)")
            #expect(failure { _ = try onlyPublic.ed25519Seed() } != nil, "\(name)")
            #expect(failure { _ = try onlyPublic.rsaPrivateNumbers() } != nil, "\(name)")
        }
    }

    @Test("A key of one kind has no numbers of another")
    func kindsDoNotMix() throws {
        for (name, key, _) in try keys() {
            if key.kind != .rsa {
                #expect(failure { _ = try key.rsaPublicNumbers() } != nil, "\(name)")
            }
            if key.kind != .ed25519 {
                #expect(failure { _ = try key.ed25519PublicKey() } != nil, "\(name)")
                #expect(failure { _ = try key.ed25519Seed() } != nil, "\(name)")
            }
            if key.kind == .rsa || key.kind == .ed25519 {
                #expect(failure { _ = try key.ecCoordinates() } != nil, "\(name)")
                #expect(failure { _ = try key.ecPrivateScalar() } != nil, "\(name)")
            }
        }
    }
}
