// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// What an input looks like that a reader has refused.
@Suite("The shapes of inputs") struct InputShapeTests {
    static let header = Forge.encoded(#"{"alg":"ES256"}"#)
    static let token = "\(header).e30.AAAA"
    static let age = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"

    static func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func wide(_ text: String, isBig: Bool, mark: [UInt8] = []) -> [UInt8] {
        mark + text.utf8.flatMap { isBig ? [0, $0] : [$0, 0] }
    }

    static func der(_ pem: String) -> [UInt8] {
        let lines = pem.split(separator: "\n")
        let start = lines.lastIndex { $0.hasPrefix("-----BEGIN") } ?? 0
        return Base64Standard.decode(octets(lines[(start + 1)...].dropLast().joined()).span) ?? []
    }

    static let table: [([UInt8], InputShape)] = [
        ([], .empty), (octets(" \r\n\t"), .empty),
        (wide("{}", isBig: false, mark: [0xff, 0xfe]), .utf16),
        (wide("{}", isBig: true, mark: [0xfe, 0xff]), .utf16),
        (wide("{}", isBig: true), .utf16), (wide("-----", isBig: false), .utf16),
        ([0xef, 0xbb, 0xbf] + octets(token), .byteOrderMark),
        ([0x1f, 0x8b, 0x08, 0, 0, 0], .gzip),
        (der(TestPrivatePEM.rsa), .der), (der(TestPrivatePEM.p256), .der),
        (der(TestPrivatePEM.p256SEC1), .der), (der(TestPrivatePEM.ed25519), .der),
        (der(TestPublicPEM.p256), .der), (der(TestPublicPEM.ed25519), .der),
        ([0x30, 0x82, 0x01, 0x00, 0x02, 0x01, 0x03, 0x30, 0x82], .pkcs12),
        ([0x30, 0x80, 0x02, 0x01, 0x03, 0x30, 0x80], .pkcs12),
        (octets("<!DOCTYPE html><title>Sign in</title>"), .markup),
        (octets("\n<html>"), .markup), (octets("<?xml version=\"1.0\"?>"), .markup),
        (octets("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb"), .openSSHKey),
        (octets("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me"), .sshPublicKey),
        (octets("ecdsa-sha2-nistp256 AAAA me"), .sshPublicKey),
        (octets("---- BEGIN SSH2 PUBLIC KEY ----\n"), .sshPublicKey),
        (octets("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), .encryptedPEM),
        (octets(TestPublicPEM.rsa), .pem), (octets(age), .ageKey),
        (octets("age1qyqszqgpqyqszqgpqyqszqgp"), .ageKey),
        (octets("# created: 2026-01-01\n# public key: age1qy\n\(age)\n"), .ageKey),
        (octets("# mine\n" + String(repeating: "A", count: 43)), .comment),
        (octets(String(repeating: "0aF3", count: 16) + "\n"), .hexadecimal),
        (octets(" {\"kty\":"), .json), (octets("[ {\"kty\":"), .jsonArray),
        (octets("\"\(token)\""), .quoted), (octets("'\(token)'"), .quoted),
        (octets("Bearer \(token)"), .bearer), (octets("authorization: Bearer x"), .bearer),
        (octets("HTTP/1.1 200 OK\r\n\r\n\(token)"), .answer),
        (octets("\(header)..AAAA.AAAA.AAAA"), .encryptedToken),
        (octets("\(token) \(token)"), .severalTokens),
        (octets("\(token)\r\n\(token)\n\n\(token)\n"), .severalTokens),
        (octets(token), .token), (octets("\(header).e30."), .token),
        (octets(header), .cutToken), (octets("\(header).e30"), .cutToken),
        (octets("\(token)AA.."), .encryptedToken), (octets("\(header).e30.A"), .cutToken),
        (octets("\(header)..."), .cutToken),
        (octets(" \(token)"), .whiteSpace), (octets("\(token)\n"), .whiteSpace),
        (octets("\(header)\n.e30.AAAA"), .whiteSpace),
        (octets("\(header).e30.AA=="), .padding), (octets("\(header).e30.+/+/"), .otherBase64),
        (octets("+/v7+/v7"), .otherBase64), (octets("+/v7\n+/v7\n"), .otherBase64),
    ]

    @Test("Each shape is seen, for what it is", arguments: table)
    func seen(_ input: [UInt8], _ shape: InputShape) {
        #expect(InputShape(of: input.span) == shape)
        #expect(shape.sentence(about: "It").description.hasPrefix("It "))
    }

    @Test("The table has every shape")
    func whole() {
        let seen = Set(Self.table.map(\.1))
        #expect(InputShape.allCases.filter { !seen.contains($0) }.isEmpty)
    }

    @Test(
        "Anything else has none",
        arguments: [
            "hello", "a: 1", "token.jwt", "../a.b/c.d", "[section]", "<", "c2VjcmV0",
            "correct horse, battery staple", "deadbeef", "-----", "age", "x.y",
            "token.2026.11.26.jwt", "127.0.0.1.token", "\(header).....", "\(header)......",
        ])
    func others(_ text: String) { #expect(InputShape(of: Self.octets(text).span) == nil) }

    @Test("A reader that takes the byte-order mark is told what follows it")
    func mark() {
        let marked = [0xef, 0xbb, 0xbf] + Self.octets("<html>")
        #expect(InputShape(of: marked.span, ignoresMark: true) == .markup)
        #expect(InputShape(of: marked.span) == .byteOrderMark)
    }

    @Test("No beginning of an input ends the process", arguments: table)
    func beginnings(_ input: [UInt8], _ shape: InputShape) {
        for count in 0...min(input.count, 80) {
            _ = InputShape(of: input.span.extracting(first: count))
            _ = InputShape(of: input.span.extracting(last: count))
        }
    }

    @Test("Refused tokens are called what they are, and nothing of them is said")
    func tokens() throws {
        let verifier = try TestKeys.verifier(.es256)
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        let parts = token.split(separator: ".").map(String.init)
        let cases: [(String, String)] = [
            ("Bearer \(token)", "begins as a header field"), ("\"\(token)\"", "quotation marks"),
            ("\(token)\n", "white space"), ("\(parts[0])\n.\(parts[1]).AAAA", "white space"),
            ("\u{feff}\(token)", "byte-order mark"), ("\(token)=", "padding"),
            ("\(parts[0]).\(parts[1])", "cut short"), (String(token.dropLast(1)), "cut short"),
            ("", "is empty"), ("<html>", "HTML"), ("\(token)..", "encrypted (JWE)"),
            (#"{"payload":""}"#, "is JSON"), ("\(token)x.y.z.a.b", "three parts"),
            ("\(token)...", "three parts"), ("\(token)....", "three parts"),
        ]
        for (text, part) in cases {
            let error = refusal { try verifier.verify(text) }
            #expect(error?.code == .malformed || error?.code == .signatureInvalid, "\(text)")
            #expect(error?.message.contains(part) == true, "\(part): \(error?.message ?? "")")
            #expect(error?.message.contains("eyJ") == false)
        }
    }

    @Test("A signature in DER, one that is cut and none at all are told apart")
    func signatures() throws {
        let honest = try SignatureShapes.honest(.es256)
        let der = try #require(ECDSASignatureEncodingForTests.der(honest, .p256))
        let verifier = try TestKeys.verifier(.es256)
        func message(_ signature: [UInt8]) -> String? {
            let token = Forge.compact(TestKeys.header("ES256"), TestClaims.json, signature)
            let error = refusal { try verifier.verify(token) }
            #expect(error?.code == .signatureInvalid)
            return error?.message
        }
        #expect(message(der)?.contains("in DER") == true)
        #expect(message(Array(honest.dropLast(3)))?.contains("61 bytes") == true)
        #expect(message([]) == "The token has no signature.")
        #expect(message(honest.reversed())?.contains("does not verify") == true)
        let rsa = Forge.compact(TestKeys.header("RS256"), TestClaims.json, honest)
        let cut = refusal { try TestKeys.verifier(.rs256).verify(rsa) }
        #expect(cut?.message.contains("64 bytes") == true && cut?.code == .signatureInvalid)
    }

    @Test("Refused keys and key sets are called what they are")
    func keys() {
        let cases: [([UInt8], String)] = [
            ([], "The key is empty."), (Self.octets(Self.age), "The key is a key of age"),
            (Self.wide("{}", isBig: false), "The key is UTF-16."),
            (Self.octets("ssh-rsa AAAA me"), "ssh-keygen -e -m PKCS8"),
            (Self.der(TestPrivatePEM.ed25519), "openssl pkey -inform DER"),
            (Self.octets(Self.token), "is a token"), (Self.octets("hello"), "no PEM block"),
        ]
        for (input, part) in cases {
            let error = keyRefusal { try JWK(pem: input) }
            #expect(error?.code == .malformed && error?.message.contains(part) == true, "\(part)")
        }
        for (input, part) in [
            ("<html>", "The key set is HTML"), (TestPublicPEM.rsa, "The key set is PEM."),
            ("", "The key set is empty."), ("{\n\"keys\": [],\n}", "line 3, column 1"),
            ("\u{feff}<html>", "HTML"), ("[1]", "put it into an object"),
        ] {
            let error = keyRefusal { try KeySet(jwks: input) }
            #expect(error?.code == .malformed && error?.message.contains(part) == true, "\(part)")
        }
        let member = keyRefusal {
            try JWK(
                #"{"kty":"OKP","crv":"Ed25519","x":"+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s="}"#
            )
        }
        #expect(member?.message.contains("\"x\" has + or /") == true, "\(member?.message ?? "")")
    }

    @Test("A secret in a broken key is not in the message")
    func silence() {
        let secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0"
        for text in [
            "{\"kty\":\"oct\",\"k\":\"\(secret)\" x}", "{\"kty\":\"oct\",\"k\":\"\(secret)",
            "\"\(secret)\"", "Bearer \(secret)", "# \(secret)", "\(secret)!", " \(secret)==",
        ] {
            for error in [keyRefusal { try JWK(text) }, keyRefusal { try JWK(pem: text) }] {
                #expect(error != nil && error?.message.contains("c2V") == false)
                #expect("\(error.map { "\($0)" } ?? "")".contains("c2V") == false)
            }
        }
    }
}
