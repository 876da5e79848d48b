// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Eight threads at once, one key", .tags(.races, .sampled), .serialized)
struct ConcurrencyTests {
    private static func message(_ thread: Int, _ round: Int) -> [UInt8] {
        Array("message \(thread) \(round % 7)".utf8)
    }

    @Test("HMAC codes are right", arguments: HashAlgorithm.allCases)
    func macs(hash: HashAlgorithm) throws {
        let mac = try MACKey(key(repeating: 7, 64), hash: hash)
        var expected: [[UInt8]: [UInt8]] = [:]
        for thread in 0..<8 {
            for round in 0..<7 {
                let message = Self.message(thread, round)
                expected[message] = try mac.authenticationCode(for: message)
            }
        }
        let codes = expected
        let failures = failuresOnThreads(rounds: Effort.rounds(2000)) { thread, round in
            let message = Self.message(thread, round)
            guard let code = codes[message] else { return false }
            return try mac.authenticationCode(for: message) == code
                && mac.isValid(code, for: message)
                && !mac.isValid(code, for: message + [0])
        }
        #expect(failures == 0)
    }

    @Test("RSA verifies and signs at the same time", arguments: RSAScheme.allCases)
    func rsa(scheme: RSAScheme) throws {
        let key = try CryptoKeys.rsa()
        let message = Array("message".utf8)
        let signature = try key.signature(for: message, scheme: scheme, hash: .sha256)
        let failures = failuresOnThreads(rounds: Effort.rounds(2000)) { thread, round in
            if thread < 2, round.isMultiple(of: 8) {
                let own = Self.message(thread, round)
                let made = try key.signature(for: own, scheme: scheme, hash: .sha384)
                return try key.publicKey.isValidSignature(
                    made, for: own, scheme: scheme, hash: .sha384)
            }
            return try key.publicKey.isValidSignature(
                signature, for: message, scheme: scheme, hash: .sha256)
                && !key.publicKey.isValidSignature(
                    signature, for: [1], scheme: scheme, hash: .sha256)
        }
        #expect(failures == 0)
    }

    @Test("Eight threads use a key for the first time at once")
    func firstUse() throws {
        for _ in 0..<20 {
            let numbers = try CryptoKeys.rsa().exportNumbers()
            let rsa = try RSAPrivateKey(numbers)
            let ec = try ECPrivateKey.generate(curve: .p256)
            let ed25519 = try Ed25519PrivateKey.generate()
            let failures = failuresOnThreads(rounds: 2) { thread, round in
                let message = Self.message(thread, round)
                let a = try rsa.signature(for: message, scheme: .pss, hash: .sha256)
                let b = try ec.signature(for: message, hash: .sha256)
                let c = try ed25519.signature(for: message)
                return try rsa.publicKey.isValidSignature(
                    a, for: message, scheme: .pss, hash: .sha256)
                    && ec.publicKey.isValidSignature(b, for: message, hash: .sha256)
                    && ed25519.publicKey.isValidSignature(c, for: message)
            }
            #expect(failures == 0)
        }
    }

    @Test("ECDSA signs and verifies", arguments: EllipticCurve.allCases)
    func ecdsa(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve: curve)
        let failures = failuresOnThreads(rounds: Effort.rounds(curve == .p256 ? 1000 : 150)) {
            thread, round in
            let message = Self.message(thread, round)
            let signature = try key.signature(for: message, hash: .sha256)
            return try key.publicKey.isValidSignature(signature, for: message, hash: .sha256)
                && !key.publicKey.isValidSignature(signature, for: message, hash: .sha384)
        }
        #expect(failures == 0)
    }

    @Test("Ed25519 signs and verifies")
    func ed25519() throws {
        let key = try Ed25519PrivateKey.generate()
        let failures = failuresOnThreads(rounds: Effort.rounds(1000)) { thread, round in
            let message = Self.message(thread, round)
            let signature = try key.signature(for: message)
            return try key.publicKey.isValidSignature(signature, for: message)
                && !key.publicKey.isValidSignature(signature, for: message + [1])
        }
        #expect(failures == 0)
    }

    @Test("Messages seal and open", arguments: Sealer.allCases)
    func sealing(sealer: Sealer) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        let failures = failuresOnThreads(rounds: Effort.rounds(1500)) { thread, round in
            let message = Self.message(thread, round)
            let sealed = try sealer.seal(message, key, [UInt8(thread)])
            guard try sealer.open(sealed, key, [UInt8(thread)]) == message else { return false }
            do {
                _ = try sealer.open(sealed, key, [UInt8(thread + 1)])
                return false
            } catch {
                return error as? CryptographyError == CryptographyError(.authenticationFailure, "")
            }
        }
        #expect(failures == 0)
    }

    @Test("Derivations and short-lived keys work")
    func derivations() throws {
        let input = try SecretKey.generate()
        let expected = try KeyDerivation.hkdf(input, info: [1], byteCount: 100)
        let failures = failuresOnThreads(rounds: Effort.rounds(2000)) { thread, round in
            let derived = try KeyDerivation.hkdf(input, info: [1], byteCount: 100)
            let other = try KeyDerivation.hkdf(
                input, info: Self.message(thread, round), byteCount: 100)
            return derived == expected && other != expected
        }
        #expect(failures == 0)
    }

    @Test("Ended threads return their contexts, and new ones start fresh")
    func manyThreads() throws {
        let mac = try MACKey(key(repeating: 7, 32), hash: .sha256)
        let code = try mac.authenticationCode(for: [1, 2, 3])
        for _ in 0..<50 {
            #expect(
                failuresOnThreads(rounds: 1, threads: 16) { _, _ in
                    try mac.isValid(code, for: [1, 2, 3])
                }
                    == 0)
        }
    }
}
