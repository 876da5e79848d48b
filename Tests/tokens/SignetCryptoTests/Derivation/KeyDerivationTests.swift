// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Derived keys: published figures")
struct KeyDerivationTests {
    struct HKDFFigure: Sendable, CustomTestStringConvertible {
        let name: String
        let input: String
        let salt: String
        let info: String
        let extracted: String
        let output: String

        var testDescription: String { name }
    }

    static let rfc5869: [HKDFFigure] = [
        HKDFFigure(
            name: "rfc5869-1",
            input: "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
            salt: "000102030405060708090a0b0c",
            info: "f0f1f2f3f4f5f6f7f8f9",
            extracted: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            output:
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        HKDFFigure(
            name: "rfc5869-2",
            input: """
                000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223242526272829
                2a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f
                """,
            salt: """
                606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283848586878889
                8a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeaf
                """,
            info: """
                b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9
                dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
                """,
            extracted: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            output: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb
                41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
                """),
        HKDFFigure(
            name: "rfc5869-3",
            input: "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
            salt: "",
            info: "",
            extracted: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            output:
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ]

    @Test("HKDF extracts, expands and does both as in RFC 5869", arguments: rfc5869)
    func hkdf(figure: HKDFFigure) throws {
        let input = key(bytes(figure.input))
        let output = bytes(figure.output)
        let extracted = try KeyDerivation.hkdfExtract(input, salt: bytes(figure.salt))
        #expect(hex(exposed(extracted)) == hex(bytes(figure.extracted)))
        let expanded = try KeyDerivation.hkdfExpand(
            extracted, info: bytes(figure.info), byteCount: output.count)
        #expect(exposed(expanded) == output)
        let both = try KeyDerivation.hkdf(
            input, salt: bytes(figure.salt), info: bytes(figure.info), byteCount: output.count)
        #expect(both == expanded)
    }

    struct PasswordFigure: Sendable, CustomTestStringConvertible {
        let name: String
        let password: String
        let salt: String
        let parameters: [Int]
        let output: String

        var testDescription: String { name }
    }

    static let rfc7914PBKDF2: [PasswordFigure] = [
        PasswordFigure(
            name: "rfc7914-11-1", password: "706173737764", salt: "73616c74", parameters: [1],
            output: """
                55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b6459916
                64b39d77ef317c71b845b1e30bd509112041d3a19783
                """),
        PasswordFigure(
            name: "rfc7914-11-2", password: "50617373776f7264", salt: "4e61436c",
            parameters: [80_000],
            output: """
                4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb
                841b51c9b3176a272bdebba1d078478f62b397f33c8d
                """),
    ]

    static let rfc7914Scrypt: [PasswordFigure] = [
        PasswordFigure(
            name: "rfc7914-12-1", password: "", salt: "",
            parameters: [16, 1, 1],
            output: """
                77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a
                753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                """),
        PasswordFigure(
            name: "rfc7914-12-2", password: "70617373776f7264", salt: "4e61436c",
            parameters: [1024, 8, 16],
            output: """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff1
                09279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """),
        PasswordFigure(
            name: "rfc7914-12-3", password: "706c656173656c65746d65696e",
            salt: "536f6469756d43686c6f72696465",
            parameters: [16_384, 8, 1],
            output: """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d4
                9705242a9af9e61e85dc0d651e40dfcf017b45575887
                """),
    ]

    @Test("PBKDF2 derives the keys of RFC 7914, section 11", arguments: rfc7914PBKDF2)
    func pbkdf2(figure: PasswordFigure) throws {
        let output = bytes(figure.output)
        let derived = try KeyDerivation.pbkdf2(
            password: SecretBytes(copying: bytes(figure.password)), salt: bytes(figure.salt),
            iterations: figure.parameters[0], byteCount: output.count)
        #expect(exposed(derived) == output)
    }

    @Test(
        "scrypt derives the keys of RFC 7914, section 12 (its fourth takes 1 GiB)",
        arguments: rfc7914Scrypt)
    func scrypt(figure: PasswordFigure) throws {
        let output = bytes(figure.output)
        let derived = try KeyDerivation.scrypt(
            password: SecretBytes(copying: bytes(figure.password)), salt: bytes(figure.salt),
            cost: figure.parameters[0], blockSize: figure.parameters[1],
            parallelism: figure.parameters[2],
            byteCount: output.count)
        #expect(exposed(derived) == output)
    }
}
