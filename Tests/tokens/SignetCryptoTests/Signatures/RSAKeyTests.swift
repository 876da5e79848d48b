// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import TestSupport
import Testing

@Suite("RSA keys")
struct RSAKeyTests {
    private func modulus(bitCount: Int) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(bitCount))
        var bytes = random.bytes((bitCount + 7) / 8)
        bytes[0] = 1 << UInt8((bitCount - 1) % 8)
        bytes[bytes.count - 1] |= 1
        return bytes
    }

    @Test(
        "Moduli under 2048 and over 8192 bits are refused, leading zeros or not",
        arguments: [
            1, 8, 512, 1024, 1536, 2040, 2047, 8193, 8200, 16_384, 65_536,
        ])
    func modulusSizes(bitCount: Int) {
        let modulus = modulus(bitCount: bitCount)
        #expect(
            code { _ = try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) } == .invalidKeySize)
        let padded = [UInt8](repeating: 0, count: 300) + modulus
        #expect(
            code { _ = try RSAPublicKey(modulus: padded, exponent: [1, 0, 1]) } == .invalidKeySize)
    }

    @Test("An empty or zero modulus or exponent is refused")
    func empty() {
        let modulus = modulus(bitCount: 2048)
        for bad in [[], [0], [UInt8](repeating: 0, count: 256)] {
            #expect(
                code { _ = try RSAPublicKey(modulus: bad, exponent: [1, 0, 1]) } == .invalidKeySize)
            #expect(code { _ = try RSAPublicKey(modulus: modulus, exponent: bad) } == .invalidKey)
        }
    }

    @Test(
        "2048 to 8192 bits are accepted, with leading zeros dropped",
        arguments: [
            2048, 2049, 2055, 3072, 4096, 8191, 8192,
        ])
    func goodSizes(bitCount: Int) throws {
        let modulus = modulus(bitCount: bitCount)
        let key = try RSAPublicKey(modulus: [0, 0] + modulus, exponent: [0, 1, 0, 1])
        #expect(key.bitCount == bitCount)
        #expect(key.modulus == modulus)
        #expect(key.exponent == [1, 0, 1])
        #expect(key == (try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1])))
        let signature = [UInt8](repeating: 1, count: (bitCount + 7) / 8)
        for scheme in RSAScheme.allCases {
            #expect(try !key.isValidSignature(signature, for: [1], scheme: scheme, hash: .sha512))
        }
        #expect(ErrorQueue.isEmpty)
    }

    @Test("An exponent is odd, over 2^16, under 2^256, and under 2^64 for large moduli")
    func exponents() throws {
        let small = modulus(bitCount: 2048)
        let large = modulus(bitCount: 4096)
        for bad: [UInt8] in [
            [1], [2], [3], [17], [0xff, 0xff], [1, 0, 0], [2, 0, 0], [1, 0, 2],
            [1] + [UInt8](repeating: 0, count: 32),
            [UInt8](repeating: 0xff, count: 33), small,
        ] {
            #expect(
                code { _ = try RSAPublicKey(modulus: small, exponent: bad) } == .invalidKey,
                "\(hex(bad))")
        }
        for good: [UInt8] in [[1, 0, 1], [1, 0, 3], [UInt8](repeating: 0xff, count: 32)] {
            #expect(
                code { _ = try RSAPublicKey(modulus: small, exponent: good) } == nil, "\(hex(good))"
            )
        }
        #expect(
            code {
                _ = try RSAPublicKey(modulus: large, exponent: [UInt8](repeating: 0xff, count: 8))
            } == nil
        )
        #expect(
            code {
                _ = try RSAPublicKey(
                    modulus: large, exponent: [1] + [UInt8](repeating: 1, count: 8))
            }
                == .invalidKey)
    }

    @Test("An even modulus is refused")
    func evenModulus() {
        var modulus = modulus(bitCount: 2048)
        modulus[255] &= 0xfe
        #expect(
            code { _ = try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) } == .invalidKey)
    }

    @Test(
        "Sizes that are not generated are refused",
        arguments: [
            Int.min, -2048, 0, 1024, 2047, 2049, 2056, 8193, 8448, 16_384, Int.max,
        ])
    func generation(bitCount: Int) {
        #expect(code { _ = try RSAPrivateKey.generate(bitCount: bitCount) } == .invalidKeySize)
    }

    @Test("The exported numbers make the key again")
    func roundTrip() throws {
        let key = try CryptoKeys.rsa()
        let again = try RSAPrivateKey(key.exportNumbers())
        #expect(again.publicKey == key.publicKey)
        let signature = try again.signature(for: [1, 2, 3], scheme: .pss, hash: .sha384)
        #expect(
            try key.publicKey.isValidSignature(
                signature, for: [1, 2, 3], scheme: .pss, hash: .sha384))
    }

    private static let names = ["d", "p", "q", "dp", "dq", "qi"]

    private static func path(_ name: String) -> WritableKeyPath<RSAPrivateKey.Numbers, SecretKey>? {
        switch name {
        case "d": \.privateExponent
        case "p": \.prime1
        case "q": \.prime2
        case "dp": \.exponent1
        case "dq": \.exponent2
        case "qi": \.coefficient
        default: nil
        }
    }

    @Test("Inconsistent private numbers are refused")
    func inconsistentNumbers() throws {
        let numbers = try CryptoKeys.rsa().exportNumbers()
        for name in Self.names {
            let path = try #require(Self.path(name))
            let good = exposed(numbers[keyPath: path])
            var lastBits = good
            lastBits[good.count - 1] ^= 2
            for bad in [
                lastBits, [], [0], [1], good + [0], Array(good.dropLast()),
                [UInt8](repeating: 0xff, count: 4096),
                [UInt8](repeating: 0xff, count: 100_000),
            ] {
                var changed = numbers
                changed[keyPath: path] = key(bad)
                #expect(code { _ = try RSAPrivateKey(changed) } == .invalidKey, "\(name)")
            }
        }
        var changed = numbers
        changed.exponent = [1, 0, 3]
        #expect(code { _ = try RSAPrivateKey(changed) } == .invalidKey)
        changed = numbers
        changed.modulus[10] ^= 1
        #expect(code { _ = try RSAPrivateKey(changed) } == .invalidKey)
    }

    @Test("A file with three primes is refused, as its export would be another key", .needsOpenSSL)
    func threePrimes() throws {
        guard
            let der = try OpenSSLCommand.privateKey(
                "RSA", ["rsa_keygen_bits:2048", "rsa_keygen_primes:3"])
        else { return }
        #expect(code { _ = try RSAFixture.privateKey(der) } == .invalidKey)
        let numbers = try KeyHandle.decode(der.span, as: KeyHandle.PrivateStructure.pkcs8)
            .rsaPrivateNumbers()
        #expect(
            code {
                _ = try RSAPrivateKey(
                    modulus: numbers.modulus, exponent: numbers.exponent,
                    privateExponent: SecretKey(storage: numbers.privateExponent))
            } == .invalidKey)
    }

    @Test(
        "Factors with a common divisor are refused, and leave no error"
    )
    func commonDivisor() {
        // n = a²bc, and d is right for (ab - 1)(ac - 1), of primes of 512 bits.
        let n = """
            8b58ffeb417c18eb4de750d7e5b33d3b61f54fa49e90b69096ea22f70eb837adba2d67548348bfb3568e23656396787d\
            023ede0d1e62489829c580846312bc38e2935d7523e7a46d0caaec4a0598619807939694db700f0790d1f48a2f74f3d5\
            f2fb8040972f9842b5bc8f4013620bd893abc60fd6c0576ba799d23be17a8fdb2f9fe788fa9871c7f62fa34f87a23f2d\
            43ac347ca461754c2ae87273f726d0f3710b61925e42b538d43005e41e1469bee3a82f652d3e7b03d53290666cd43f80\
            9db5123a25a53cce762f6089c32f9dc4bbf6fb54b57289451ea5cc53d990819805ce45f7093a67bdf3801746c9d4bb3a\
            218a5e3bbeef4ba421c4413bfbb2b02f
            """
        let d = """
            40ea9656bfac1363d36816b66d9101ce9f450bf451d672e68b17ca70341048080bfac8ef8b35a1f0e73ad26c92676ffc\
            34c69ae59ba907ceb36f09ff22b480b13384997e4fdac333f639ce5871a0da9e5bb13aee600825484e04319b0a9ebe55\
            869bf9d49d5a13e1c80e6ee1d7e5ce44f80e86f7ac00f0f8fb1c62df789c8355562fc38d4359650c77f83872de904c1b\
            0a7fcb3e21b7cc62126778d04b565c252d4b1735f2fbb0ea63735e55f71f6d7baeb6beec776830b4ff8254a8e7ee6459\
            df4d4f885c96c2ed5791e157e2db297dac801abed48296ba96a5bacb421f815b9323c7c4cf779bd020104396cde0b704\
            756eef46873702f2750b250e44530c31
            """
        #expect(
            code {
                _ = try RSAPrivateKey(
                    modulus: bytes(n), exponent: [1, 0, 1],
                    privateExponent: SecretKey(copying: bytes(d)))
            } == .invalidKey)
    }

    @Test(
        "A file with e = 3 or 1024 bits is refused", .needsOpenSSL,
        arguments: [
            (["rsa_keygen_bits:2048", "rsa_keygen_pubexp:3"], CryptographyError.Code.invalidKey),
            (["rsa_keygen_bits:1024"], .invalidKeySize),
        ])
    func weakFiles(options: [String], expected: CryptographyError.Code) throws {
        guard let der = try OpenSSLCommand.privateKey("RSA", options) else { return }
        #expect(code { _ = try RSAFixture.privateKey(der) } == expected)
    }

    @Test("A handle without private numbers, or of another kind, is refused")
    func otherHandles() throws {
        let spki = try CryptoKeys.rsa().handle.encodedPublicKey()
        let onlyPublic = try KeyHandle.decode(
            spki.span, as: KeyHandle.PublicStructure.subjectPublicKeyInfo)
        let ec = try KeyHandle.generateEC(curve: .p256)
        for handle in [onlyPublic, ec] {
            #expect(code { _ = try RSAPrivateKey(handle: handle) } == .invalidKey)
            #expect(code { _ = try Ed25519PrivateKey(handle: handle) } == .invalidKey)
        }
        #expect(code { _ = try ECPrivateKey(handle: onlyPublic, curve: .p256) } == .invalidKey)
        #expect(code { _ = try ECPrivateKey(handle: ec, curve: .p384) } == .invalidKey)
    }
}
