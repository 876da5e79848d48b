// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// CVE-2026-44351, CVE-2026-45363, CVE-2022-23541: keys that protect nothing are refused on
/// loading.
@Suite("Weak keys")
struct WeakKeys {
    static func hmac(_ secret: [UInt8], _ algorithm: HMACAlgorithm = .hs256) throws -> HMACKey {
        try HMACKey(secret: SecretKey(copying: secret), algorithm: algorithm)
    }

    @Test("An HMAC secret shorter than the hash is refused", arguments: HMACAlgorithm.allCases)
    func shortSecret(_ algorithm: HMACAlgorithm) throws {
        let least = algorithm.minimumKeyByteCount
        for count in [0, 1, 6, least / 2, least - 1] {
            let secret = Array(TestKeys.secret.prefix(count))
            let refusal = keyRefusal { try Self.hmac(secret, algorithm) }
            #expect(refusal?.code == .keyTooShort, "\(count) bytes")
            // The length that it has is not told.
            #expect(
                refusal?.message
                    == "\(algorithm.name) takes a secret of at least \(least) bytes here.")
            guard count > 0 else { continue }
            let jwk = try JWK(
                #"{"kty":"oct","k":"\#(Base64URL.encode(secret))","alg":"\#(algorithm)"}"#)
            #expect(keyRefusal { try HMACKey(jwk: jwk) }?.code == .keyTooShort, "\(count) bytes")
        }
        _ = try Self.hmac(Array(TestKeys.secret.prefix(least)), algorithm)
        #expect(
            keyRefusal { try JWK(#"{"kty":"oct","k":"","alg":"HS256"}"#) }?.code
                == .invalidKeyMaterial)
    }

    static func keyFiles() throws -> [(String, [UInt8])] {
        let pem = TestPublicPEM.rsa
        let jwk = try JWK(pem: pem).publicJSON()
        let body = pem.split(separator: "\n").dropFirst().dropLast()
        let files: [(String, String)] = [
            ("PEM", pem), ("leading space (CVE-2026-34950)", " " + pem),
            ("line ends", "\r\n\n\t" + pem),
            ("byte order mark", "\u{feff}" + pem), ("mark and space", "\u{feff} " + pem),
            ("zero byte", "\0" + pem),
            ("comment in front", "# production key\n" + pem),
            ("attributes in front", "Bag Attributes\n  x: y\n" + pem),
            ("quoted", "\"" + pem + "\""), ("no-break space", "\u{a0}" + pem),
            ("PKCS#1", TestPublicPEM.rsaPKCS1),
            ("EC", TestPublicPEM.p256), ("Ed25519", TestPublicPEM.ed25519),
            ("private PEM", TestPrivatePEM.p256),
            ("encrypted PEM", TestRefusedPEM.encryptedPKCS8),
            (
                "certificate",
                "-----BEGIN CERTIFICATE-----\nMIIB" + String(repeating: "A", count: 60)
            ),
            ("PEM body", body.joined(separator: "\n")), ("PEM body in one line", body.joined()),
            (
                "Ed25519 body",
                TestPublicPEM.ed25519.split(separator: "\n").dropFirst().dropLast().joined()
            ),
            ("JWK", jwk), ("JWK, spaces", " \n" + jwk), ("JWK set", #"{"keys":[\#(jwk)]}"#),
            ("JWK in an array", "[\(jwk)]"),
            ("ssh-rsa", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 user@host"),
            ("ssh-ed25519", " ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB me"),
            (
                "ssh with options",
                "no-pty,command=\"x\" ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 user@host"
            ),
            ("ecdsa ssh", "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAI me"),
            ("SSH2", "---- BEGIN SSH2 PUBLIC KEY ----\nAAAAB3NzaC1yc2EAAAADAQABAAABAQC7"),
        ]
        let pkcs1 = TestPublicPEM.rsaPKCS1.split(separator: "\n").dropFirst().dropLast().joined()
        let more: [(String, String)] = [
            ("PKCS#1 body", pkcs1), ("PKCS#1 body in a setting", "  " + pkcs1 + "\n"),
            ("PKCS#1 body of 1024 bits", "MIGJAoGBAK" + pkcs1.dropFirst(12)),
            ("private PKCS#1 body", "MIIEpAIBAAKCAQEA" + pkcs1.dropFirst(12)),
            (
                "certificate body signed with ECDSA",
                "MIIBszCCAVmgAwIBAgIUYwqWn1UFTOSGLbZCvOEXZ3XTtMIwCgYIKoZIzj0EAwIw"
            ),
            ("JWK, escaped", jwk.replacing("\"", with: "\\\"")),
            ("JWK, escaped letters", jwk.replacing("kty", with: "\\u006b\\u0074\\u0079")),
            ("JWK, one escaped letter", jwk.replacing("kty", with: "\\u006Bty")),
            ("JWK, single quotes", jwk.replacing("\"", with: "'")),
            ("XML", "<RSAKeyValue><Modulus>AQAB</Modulus><Exponent>AQAB</Exponent></RSAKeyValue>"),
            (
                "XML with a prefix",
                "<ds:RSAKeyValue xmlns:ds=\"x\"><ds:Modulus>AQAB</ds:Modulus></ds:RSAKeyValue>"
            ),
            (
                "XML, EC",
                "<dsig11:ECKeyValue><dsig11:NamedCurve URI=\"urn:oid:1.2.840.10045.3.1.7\"/></dsig11:ECKeyValue>"
            ),
        ]
        let der = Base64Standard.decode(Array(body.joined().utf8).span) ?? []
        let pkcs1DER = Base64Standard.decode(Array(pkcs1.utf8).span) ?? []
        return (files + more).map { ($0.0, Array($0.1.utf8)) } + [
            ("DER", der), ("DER in base64url", Array(Base64URL.encode(der).utf8)),
            ("PKCS#1", pkcs1DER),
            ("PKCS#1 in base64url", Array(Base64URL.encode(pkcs1DER).utf8)),
        ] + (try settings(Base64Standard.encode(der)))
    }

    /// As settings store files: in base64 again, in quotation marks, with `\n` for line ends.
    private static func settings(_ spki: String) throws -> [(String, [UInt8])] {
        let certificate = try der(TestCertificatePEM.ed25519)
        let lines = spki.prefix(64) + "\\n" + spki.dropFirst(64)
        // Its base64 has characters in which the alphabets differ, and ends in padding.
        let short =
            try der(TestPublicPEM.ed25519).prefix(12) + [UInt8](repeating: 0xff, count: 32)
        let padded = Base64Standard.encode(Array(short)).replacing("/", with: "_")
        let texts = [
            ("base64 in quotation marks", "\"\(spki)\""), ("base64 in single ones", "'\(spki)'"),
            ("base64 with a comment", "\(spki) user@host"),
            ("base64 behind a byte-order mark", "\u{feff}\(spki)"),
            ("base64 with \\n", String(lines)),
            ("a PEM in base64", Base64Standard.encode(Array(TestPublicPEM.rsa.utf8))),
            (
                "a JWK in base64",
                Base64Standard.encode(
                    Array(try JWK(pem: TestPublicPEM.p256, keyID: "k").publicJSON().utf8))
            ),
            (
                "a JWK in base64url",
                Base64URL.encode(Array(#"{"kid":"a","kty":"RSA","n":"AQAB"}"#.utf8))
            ),
            ("an Ed25519 certificate in base64", Base64Standard.encode(certificate)),
        ]
        return texts.map { ($0.0, Array($0.1.utf8)) } + [
            ("an Ed25519 certificate", certificate), ("SEC1", try der(TestPrivatePEM.p256SEC1)),
            ("Ed25519 in padded base64url", Array(padded.utf8)),
            ("PEM in UTF-16", wide(TestPublicPEM.rsa, isBigEndian: false)),
            (
                "PEM in UTF-16 behind a mark",
                [0xfe, 0xff] + wide(TestPublicPEM.p256, isBigEndian: true)
            ),
            ("JWK in UTF-16", wide(#"{"kty":"OKP","crv":"Ed25519"}"#, isBigEndian: false)),
        ]
    }

    private static func wide(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf8.flatMap { isBigEndian ? [0, $0] : [$0, 0] }
    }

    private static func der(_ pem: String) throws -> [UInt8] {
        let lines = pem.split(separator: "\n")
        let start = try #require(lines.lastIndex { $0.hasPrefix("-----BEGIN ") })
        let body = lines[(start + 1)...].prefix { !$0.hasPrefix("-----") }.joined()
        let der = Base64Standard.decode(Array(body.utf8).span)
        return try #require(der)
    }

    @Test(
        "A published key is refused as an HMAC secret, in PEM, SSH, JSON and DER",
        arguments: try keyFiles())
    func notASecret(_ name: String, _ bytes: [UInt8]) throws {
        #expect(keyRefusal { try Self.hmac(bytes) }?.code == .notASecret)
        let jwk = try JWK(#"{"kty":"oct","k":"\#(Base64URL.encode(bytes))","alg":"HS256"}"#)
        #expect(keyRefusal { try HMACKey(jwk: jwk) }?.code == .notASecret)
        let set = try HMACKeySet(
            jwks: #"{"keys":[\#(jwk.exportPrivateJSON().exposedText())]}"#.utf8)
        #expect(set.skipped.map(\.reason.code) == [.notASecret])
    }

    @Test(
        "A short secret of 16 bytes or more verifies on request, and never signs",
        arguments: HMACAlgorithm.allCases)
    func weakSecret(_ algorithm: HMACAlgorithm) throws {
        for count in [0, 1, 15] {
            let secret = SecretKey(copying: Array(TestKeys.secret.prefix(count)))
            let refusal = keyRefusal { try HMACKey(weakSecret: secret, algorithm: algorithm) }
            #expect(refusal?.code == .keyTooShort, "\(count) bytes")
        }
        let secret = Array(TestKeys.secret.prefix(16))
        let key = try HMACKey(weakSecret: SecretKey(copying: secret), algorithm: algorithm)
        let mac = try MACKey(SecretKey(copying: secret), hash: algorithm.hash)
        let token = try Forge.token(TestKeys.header(algorithm.name)) {
            try mac.authenticationCode(for: $0)
        }
        let policy = try TestClaims.policy()
        _ = try TokenVerifier(hmacKey: key, policy: policy).verify(token)
        #expect(
            keyRefusal { try TokenSigner(hmacKey: key, clock: .still) }?.code
                == .operationNotAllowed)
        #expect(keyRefusal { try JWSSigner(hmacKey: key) }?.code == .operationNotAllowed)
        #expect(keyRefusal { _ = try key.exportPrivateJSON() }?.code == .keyTooShort)
        let jwk = SecretKey(copying: Array(#"{"kty":"oct"}"#.utf8) + secret)
        #expect(
            keyRefusal { try HMACKey(weakSecret: jwk, algorithm: algorithm) }?.code == .notASecret)
    }

    @Test("Random secrets in any encoding are accepted")
    func secrets() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let bytes = (0..<48).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = try Self.hmac(bytes)
            _ = try Self.hmac(Array(Base64URL.encode(bytes).utf8))
            _ = try Self.hmac([0x30, 0x82] + bytes)
        }
        _ = try Self.hmac(Array(#"{"secret":"0123456789abcdefghijklmnopqrstuv"}"#.utf8))
        // Quotation marks and escapes that lead to no key type.
        for text in [#""kt"#, #""\u006bt"#, #""kty\"#, #""\u00"#, "\"kty", "'kty "] {
            _ = try Self.hmac(Array((String(repeating: "x", count: 32) + text).utf8))
        }
    }

    @Test("RSA under 2048 bits is refused in every form")
    func shortRSA() throws {
        for pem in [TestRefusedPEM.rsa1024, TestRefusedPEM.rsa1024Private] {
            #expect(keyRefusal { try JWK(pem: pem) }?.code == .keyTooShort)
        }
        for bytes in [64, 128, 192, 255] {
            let modulus = Base64URL.encode([0x80] + [UInt8](repeating: 1, count: bytes - 1))
            let json = #"{"kty":"RSA","kid":"weak","n":"\#(modulus)","e":"AQAB"}"#
            #expect(keyRefusal { try JWK(json) }?.code == .keyTooShort, "\(bytes * 8) bits")
            #expect(try KeySet(jwks: #"{"keys":[\#(json)]}"#).skipped.map(\.keyID) == ["weak"])
        }
        // 256 bytes of which the first are zero are not 2048 bits.
        let padded = Base64URL.encode([0, 0x40] + [UInt8](repeating: 1, count: 254))
        #expect(
            keyRefusal { try JWK(#"{"kty":"RSA","n":"\#(padded)","e":"AQAB"}"#) }?.code
                == .keyTooShort)
        #expect(
            keyRefusal { try SigningKey.generate(.rs256, rsaBitCount: 1024) }?.code == .keyTooShort)
        #expect(
            keyRefusal { try SigningKey.generate(.rs256, rsaBitCount: .min) }?.code == .keyTooShort)
        #expect(
            keyRefusal { try SigningKey.generate(.rs256, rsaBitCount: .max) }?.code == .keyTooShort)
    }

    @Test("RSA over 8192 bits is refused as too large", arguments: [1025, 2048, 16_384])
    func longRSA(_ bytes: Int) throws {
        let modulus = Base64URL.encode([0x80] + [UInt8](repeating: 1, count: bytes - 1))
        #expect(
            keyRefusal { try JWK(#"{"kty":"RSA","n":"\#(modulus)","e":"AQAB"}"#) }?.code
                == .tooLarge)
    }

    @Test(
        "RSA exponents 0, 1, 2, 3, 17, even and enormous ones are refused",
        arguments: [
            [], [0], [1], [2], [3], [17], [0, 0, 3], [0xff, 0xff], [1, 0, 0], [1, 0, 2],
            [UInt8](repeating: 0xff, count: 33),
            [UInt8](repeating: 0xff, count: 256),
        ] as [[UInt8]])
    func exponent(_ exponent: [UInt8]) throws {
        guard case .key(.rsaPublic(let key)) = try JWK(pem: TestPublicPEM.rsa).material else {
            throw Forge.Unexpected()
        }
        let json =
            #"{"kty":"RSA","n":"\#(Base64URL.encode(key.modulus))","e":"\#(Base64URL.encode(exponent))"}"#
        #expect(keyRefusal { try JWK(json) }?.code == .invalidKeyMaterial)
        #expect(
            keyRefusal { try JWK(pem: TestRefusedPEM.rsaExponent3) }?.code == .invalidKeyMaterial)
    }

    @Test("An even modulus and malformed numbers are refused")
    func modulus() throws {
        let even = Base64URL.encode([UInt8](repeating: 0x80, count: 256))
        #expect(
            keyRefusal { try JWK(#"{"kty":"RSA","n":"\#(even)","e":"AQAB"}"#) }?.code
                == .invalidKeyMaterial)
        for text in [
            #"{"kty":"RSA","n":"AQ=","e":"AQAB"}"#, #"{"kty":"RSA","n":"A+/B","e":"AQAB"}"#,
            #"{"kty":"RSA","n":"AAB","e":"AQAB"}"#,
        ] {
            #expect(keyRefusal { try JWK(text) }?.code == .malformed, "\(text)")
        }
    }

    @Test("Points off the curve, at infinity, above the prime or of a wrong length are refused")
    func points() throws {
        let key = try Forge.ecKey(.p256).publicKey
        var off = key.y
        off[31] ^= 1
        let zero = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xff, count: 32)
        for (x, y) in [
            (key.x, off), (zero, zero), (ones, ones), (key.x, zero), (key.x, key.x), ([], []),
            (key.x, []),
            ([0] + key.x, [0] + key.y), (Array(key.x.dropFirst()), key.y), (key.x + key.y, key.y),
        ] as [([UInt8], [UInt8])] {
            let json =
                #"{"kty":"EC","crv":"P-256","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))"}"#
            #expect(keyRefusal { try JWK(json) }?.code == .invalidKeyMaterial, "\(json)")
        }
    }

    @Test("Ed25519 keys of small order, for which anyone can sign, are refused")
    func smallOrder() throws {
        let zeros = [UInt8](repeating: 0, count: 31)
        let ones = [UInt8](repeating: 0xff, count: 30)
        let eighth = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05".compactMap(
            \.hexDigitValue)
        let other = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a".compactMap(
            \.hexDigitValue)
        let points =
            [[0] + zeros, [1] + zeros] + [0xec, 0xed, 0xee].map { [$0] + ones + [0x7f] }
            + [eighth, other].map { digits in
                stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
            }
        // Why they are refused: one signature fits every message.
        let neutral = try Ed25519PublicKey(rawRepresentation: [1] + zeros)
        #expect(
            try neutral.isValidSignature([1] + zeros + [0] + zeros, for: Array("anything".utf8)))
        for point in points {
            for sign in [UInt8(0), 0x80] {
                let raw = Array(point.dropLast()) + [point[31] | sign]
                let json =
                    #"{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"\#(Base64URL.encode(raw))"}"#
                #expect(keyRefusal { try JWK(json) }?.code == .invalidKeyMaterial)
                let der: [UInt8] =
                    [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00] + raw
                let pem =
                    "-----BEGIN PUBLIC KEY-----\n\(Base64Standard.encode(der))\n-----END PUBLIC KEY-----"
                #expect(keyRefusal { try JWK(pem: pem) }?.code == .invalidKeyMaterial)
                // With the neutral element as the key this would verify whatever the claims say.
                let forged = Forge.compact(
                    TestKeys.header("EdDSA"), TestClaims.json, [1] + zeros + [0] + zeros)
                let set = try KeySet(jwks: #"{"keys":[\#(json)]}"#)
                let verifier = TokenVerifier(keys: set, policy: try TestClaims.policy())
                #expect(refusal { try verifier.verify(forged) }?.code == .noMatchingKey)
            }
        }
    }

    @Test(
        "A private half of another public key is refused",
        arguments: [SignatureAlgorithm.rs256, .es256, .es384, .ed25519])
    func halves(_ algorithm: SignatureAlgorithm) throws {
        let own = try JWK(pem: TestKeys.pem(algorithm))
        let other = try SigningKey.generate(algorithm, keyID: "x")
        let ours = try JSONTokenDecoder().decode(
            [String: String].self, from: Array(own.exportPrivateJSON().exposedText().utf8))
        let theirs = try JSONTokenDecoder().decode(
            [String: String].self, from: Array(other.exportPrivateJSON().exposedText().utf8))
        for member in ["d", "p", "q", "dp", "dq", "qi", "x", "y", "n"] where ours[member] != nil {
            var mixed = ours
            mixed[member] = theirs[member]
            let json = try JSONTokenEncoder().encode(mixed)
            #expect(keyRefusal { try JWK(json) }?.code == .invalidKeyMaterial, "\(member)")
        }
    }
}
