// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetMemory
import TestSupport
import Testing

@Suite("Shared secrets and encryption of key handles")
struct KeyExchangeTests {
    private static let exchanges = NamedCurve.allCases.map(KeyExchange.ecdh) + [.x25519]

    private static func makeKey(_ exchange: KeyExchange) throws -> KeyHandle {
        switch exchange {
        case .ecdh(let curve): try KeyHandle.generateEC(curve: curve)
        case .x25519:
            try KeyHandle.x25519(privateScalar: secret([UInt8](repeating: 7, count: 32)))
        }
    }

    @Test("X25519 scalars and public keys of any length but 32 are refused before libcrypto")
    func lengths() {
        for count in [0, 1, 31, 33, 56, 57, 64, 5000] {
            let value = [UInt8](repeating: 1, count: count)
            #expect(
                failure { _ = try KeyHandle.x25519(publicKey: value) } == .invalidLength,
                "\(count)")
            #expect(
                failure { _ = try KeyHandle.x25519(privateScalar: secret(value)) }
                    == .invalidLength, "\(count)")
        }
    }

    @Test("A secret has the length of its curve, and each exchange takes its own keys alone")
    func kinds() throws {
        for exchange in Self.exchanges {
            let own = try Self.makeKey(exchange)
            let shared = try own.sharedSecret(with: own, by: exchange)
            switch exchange {
            case .ecdh(let curve): #expect(shared.count == curve.coordinateByteCount)
            case .x25519: #expect(shared.count == 32)
            }
            for other in Self.exchanges where other != exchange {
                let foreign = try Self.makeKey(other)
                #expect(
                    failure { _ = try own.sharedSecret(with: foreign, by: exchange) } == .refused)
                #expect(failure { _ = try own.sharedSecret(with: own, by: other) } == .refused)
            }
            for (name, key) in try BridgeKeys.all() where name == "RSA" || name == "Ed25519" {
                #expect(failure { _ = try key.sharedSecret(with: own, by: exchange) } == .refused)
                #expect(failure { _ = try own.sharedSecret(with: key, by: exchange) } == .refused)
            }
        }
    }

    @Test("A public key has no secret to share")
    func publicKeys() throws {
        let own = try KeyHandle.generateEC(curve: .p256)
        let point = try own.ecCoordinates()
        let half = try KeyHandle.ec(curve: .p256, x: point.x, y: point.y)
        #expect(failure { _ = try half.sharedSecret(with: own, by: .ecdh(.p256)) } == .refused)
        let scalar = secret([UInt8](repeating: 7, count: 32))
        let pair = try KeyHandle.x25519(privateScalar: scalar)
        let coordinate = try KeyHandle.x25519(publicKey: pair.x25519PublicKey())
        #expect(failure { _ = try coordinate.sharedSecret(with: pair, by: .x25519) } == .refused)
        #expect(failure { _ = try coordinate.x25519PrivateScalar() } == .refused)
        #expect(exposed(try pair.x25519PrivateScalar()) == exposed(scalar))
    }

    @Test("Only RSA keys encrypt with OAEP, and only private keys decrypt")
    func oaep() throws {
        let message = secret([1, 2, 3])
        let rsa = try BridgeKeys.rsa()
        let encrypted = try rsa.encryptOAEP(message, hash: .sha256)
        #expect(exposed(try rsa.decryptOAEP(encrypted.span, hash: .sha256)) == [1, 2, 3])
        for (name, key) in try BridgeKeys.all() where name != "RSA" {
            #expect(
                failure { _ = try key.encryptOAEP(message, hash: .sha256) } == .refused, "\(name)")
            #expect(
                failure { _ = try key.decryptOAEP(encrypted.span, hash: .sha256) } == .refused,
                "\(name)")
        }
        let numbers = try rsa.rsaPublicNumbers()
        let half = try KeyHandle.rsa(modulus: numbers.modulus, exponent: numbers.exponent)
        #expect(
            failure { _ = try half.decryptOAEP(encrypted.span, hash: .sha256) } == .authentication)
        let long = secret([UInt8](repeating: 1, count: 191))
        #expect(failure { _ = try rsa.encryptOAEP(long, hash: .sha256) } == .refused)
    }
}
