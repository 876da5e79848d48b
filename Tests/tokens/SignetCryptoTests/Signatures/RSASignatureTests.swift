// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("RSA signatures")
struct RSASignatureTests {
    static let message = Array("message".utf8)

    @Test("Each scheme and hash verifies its own signatures and no other's")
    func matrix() throws {
        let key = try CryptoKeys.rsa()
        for scheme in RSAScheme.allCases {
            for hash in HashAlgorithm.allCases {
                let signature = try key.signature(for: Self.message, scheme: scheme, hash: hash)
                #expect(signature.count == 256)
                for otherScheme in RSAScheme.allCases {
                    for otherHash in HashAlgorithm.allCases {
                        #expect(
                            try key.publicKey.isValidSignature(
                                signature, for: Self.message, scheme: otherScheme, hash: otherHash)
                                == (scheme == otherScheme && hash == otherHash),
                            "\(scheme) \(hash) as \(otherScheme) \(otherHash)")
                    }
                }
                for other in [[], Self.message + [0], Array(Self.message.dropLast())] {
                    #expect(
                        try !key.publicKey.isValidSignature(
                            signature, for: other, scheme: scheme, hash: hash)
                    )
                }
            }
        }
    }

    @Test("A changed bit anywhere is refused", arguments: RSAScheme.allCases)
    func everyBit(scheme: RSAScheme) throws {
        let key = try CryptoKeys.rsa()
        let signature = try key.signature(for: Self.message, scheme: scheme, hash: .sha256)
        for bit in 0..<(signature.count * 8) {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(
                try !key.publicKey.isValidSignature(
                    changed, for: Self.message, scheme: scheme, hash: .sha256),
                "bit \(bit)")
        }
    }

    @Test(
        "A signature is exactly as long as the modulus",
        arguments: RSAScheme.allCases)
    func lengths(scheme: RSAScheme) throws {
        let key = try CryptoKeys.rsa()
        func isValid(_ signature: [UInt8]) -> Bool {
            error {
                if try key.publicKey.isValidSignature(
                    signature, for: Self.message, scheme: scheme, hash: .sha256)
                {
                    throw CryptographyError(.authenticationFailure, "valid")
                }
            } != nil
        }
        let signature = try key.signature(for: Self.message, scheme: scheme, hash: .sha256)
        #expect(isValid(signature))
        for count in 0..<signature.count {
            #expect(!isValid(Array(signature.prefix(count))), "first \(count)")
            #expect(!isValid(Array(signature.suffix(count))), "last \(count)")
        }
        for other in [[0] + signature, signature + [0], [0, 0] + signature, signature + signature] {
            #expect(!isValid(other))
        }
        for byte: UInt8 in [0, 1, 0xff] { #expect(!isValid([UInt8](repeating: byte, count: 256))) }
        #expect(!isValid([UInt8](repeating: 0, count: 255) + [1]))
        #expect(!isValid(key.publicKey.modulus))
    }

    @Test(
        "A signature that begins with zeros verifies with them only",
        arguments: RSAScheme.allCases
    )
    func leadingZeros(scheme: RSAScheme) throws {
        let key = try CryptoKeys.rsa()
        for number in 0..<20_000 {
            let message = Array("message \(number)".utf8)
            let signature = try key.signature(for: message, scheme: scheme, hash: .sha256)
            guard signature[0] == 0 else { continue }
            #expect(
                try key.publicKey.isValidSignature(
                    signature, for: message, scheme: scheme, hash: .sha256))
            let cut = Array(signature.drop { $0 == 0 })
            #expect(
                try !key.publicKey.isValidSignature(
                    cut, for: message, scheme: scheme, hash: .sha256))
            return
        }
        Issue.record("no signature began with a zero byte")
    }

    @Test("s + n, the same number modulo n, is not a signature", arguments: RSAScheme.allCases)
    func addedModulus(scheme: RSAScheme) throws {
        let key = try CryptoKeys.rsa()
        var tried = 0
        for number in 0..<5000 where tried < 3 {
            let message = Array("message \(number)".utf8)
            let signature = try key.signature(for: message, scheme: scheme, hash: .sha256)
            guard let other = BigEndian.sum(signature, key.publicKey.modulus, count: 256) else {
                continue
            }
            tried += 1
            #expect(
                try !key.publicKey.isValidSignature(
                    other, for: message, scheme: scheme, hash: .sha256))
        }
        #expect(tried > 0, "s + n fitted in no case")
    }

    @Test("n - s is not a signature, though it squares to the same")
    func negated() throws {
        let key = try CryptoKeys.rsa()
        let signature = try key.signature(for: Self.message, scheme: .pkcs1v15, hash: .sha256)
        let other = BigEndian.difference(key.publicKey.modulus, signature)
        #expect(
            try !key.publicKey.isValidSignature(
                other, for: Self.message, scheme: .pkcs1v15, hash: .sha256))
    }

    @Test("A signature does not verify with another key of the same size")
    func otherKey() throws {
        let key = try CryptoKeys.rsa()
        let other = try RSAPrivateKey.generate(bitCount: 2048)
        for scheme in RSAScheme.allCases {
            let signature = try other.signature(for: Self.message, scheme: scheme, hash: .sha256)
            #expect(
                try !key.publicKey.isValidSignature(
                    signature, for: Self.message, scheme: scheme, hash: .sha256))
        }
        #expect(key.publicKey != other.publicKey)
    }

    @Test("PSS is randomised, PKCS #1 v1.5 is not")
    func randomness() throws {
        let key = try CryptoKeys.rsa()
        func sign(_ scheme: RSAScheme) throws -> [UInt8] {
            try key.signature(for: Self.message, scheme: scheme, hash: .sha256)
        }
        #expect(try sign(.pkcs1v15) == sign(.pkcs1v15))
        #expect(try sign(.pss) != sign(.pss))
    }

    @Test(
        "PSS with another salt length or MGF1 hash, made by openssl, is refused", .needsOpenSSL,
        arguments: [
            ("rsa_pss_saltlen:32", "rsa_mgf1_md:sha256", true),
            ("rsa_pss_saltlen:0", "rsa_mgf1_md:sha256", false),
            ("rsa_pss_saltlen:20", "rsa_mgf1_md:sha256", false),
            ("rsa_pss_saltlen:max", "rsa_mgf1_md:sha256", false),
            ("rsa_pss_saltlen:32", "rsa_mgf1_md:sha1", false),
            ("rsa_pss_saltlen:32", "rsa_mgf1_md:sha512", false),
        ])
    func pssParameters(salt: String, mask: String, expected: Bool) throws {
        guard let signed = try RSAFixture.sign(["rsa_padding_mode:pss", salt, mask], Self.message)
        else {
            return
        }
        #expect(
            try signed.key.isValidSignature(
                signed.signature, for: Self.message, scheme: .pss, hash: .sha256)
                == expected)
    }

    @Test(
        "PKCS #1 v1.5 made by openssl verifies, and without the hash's name does not", .needsOpenSSL
    )
    func pkcs1Parameters() throws {
        guard let signed = try RSAFixture.sign(["rsa_padding_mode:pkcs1"], Self.message) else {
            return
        }
        func isValid(_ hash: HashAlgorithm, _ signature: [UInt8]) throws -> Bool {
            try signed.key.isValidSignature(
                signature, for: Self.message, scheme: .pkcs1v15, hash: hash)
        }
        #expect(try isValid(.sha256, signed.signature))
        #expect(try !isValid(.sha384, signed.signature))
        guard let raw = try RSAFixture.signRaw(MessageDigest.digest(Self.message, using: .sha256))
        else {
            return
        }
        #expect(try !isValid(.sha256, raw))
    }
}
