// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwe")
struct JWETests {
    /// Each algorithm, and each content encryption with a shared key alone.
    static let algorithms: [(KeyManagementAlgorithm, ContentEncryptionAlgorithm)] = {
        let contents = ContentEncryptionAlgorithm.allCases
        let wrapping = KeyManagementAlgorithm.allCases.filter { $0 != .rsaOAEP && $0 != .direct }
        return wrapping.enumerated().map { ($1, contents[$0 % contents.count]) }
            + contents.map { (KeyManagementAlgorithm.direct, $0) }
    }()

    /// A JWK of 0x01, 0x02, … with more members.
    private static func shared(_ byteCount: Int, _ members: String = "") -> String {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 + 1) }
        return #"{"kty":"oct","k":"\#(Base64URL.encode(bytes))"\#(members)}"#
    }

    /// `secret` and `public`: the two keys of an algorithm, which do not name it.
    private func makeKeys(
        _ folder: CommandFolder, _ algorithm: KeyManagementAlgorithm,
        _ content: ContentEncryptionAlgorithm = .a256GCM
    ) throws {
        let (secret, other): (String, String) =
            switch algorithm {
            case .direct: (Self.shared(content.keyByteCount), Self.shared(content.keyByteCount))
            case .a128KW: (Self.shared(16), Self.shared(16))
            case .a192KW: (Self.shared(24), Self.shared(24))
            case .a256KW: (Self.shared(32), Self.shared(32))
            case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW:
                (TestPrivatePEM.p256, TestPublicPEM.p256)
            case .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512:
                (TestPrivatePEM.rsa, TestPublicPEM.rsa)
            }
        try folder.write("secret", secret)
        try folder.write("public", other)
    }

    /// Runs the words of a line, in which `@` stands for the folder.
    private func run(_ folder: CommandFolder, _ line: String, input: [UInt8] = []) -> Outcome {
        let words = line.split(separator: " ").map { word in
            word.hasPrefix("@") ? folder.path(String(word.dropFirst())) : String(word)
        }
        return CommandFolder.inProcess(words, input: input)
    }

    @Test("Every algorithm decrypts what it encrypted, byte for byte", arguments: algorithms)
    func roundTrip(
        _ algorithm: KeyManagementAlgorithm, _ content: ContentEncryptionAlgorithm
    ) throws {
        let folder = try CommandFolder()
        try makeKeys(folder, algorithm, content)
        let names = "--algorithm \(algorithm.name) --content \(content.name)"
        let payloads: [[UInt8]] = [[], [0, 0x0a, 0xff], Array("hello\n".utf8)]
        for payload in payloads {
            let token = run(folder, "jwe encrypt --key @public \(names)", input: payload)
            #expect(token.isGood && token.line.utf8.count { $0 == 0x2e } == 4, "\(token)")
            let opened = run(folder, "jwe decrypt --key @secret \(names)", input: token.output)
            #expect(opened.isGood && opened.output == payload, "\(opened)")
            let unnamed = run(
                folder, "jwe decrypt --key @secret --algorithm \(algorithm.name)",
                input: token.output)
            #expect(unnamed.isGood && unnamed.output == payload, "\(unnamed)")
        }
    }

    @Test("A key on X25519 encrypts and decrypts with the alg that it names")
    func x25519() throws {
        let folder = try CommandFolder()
        // RFC 7748, section 6.1: Bob's.
        let numbers =
            #""kty":"OKP","crv":"X25519","x":"3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08""#
        let names = #""alg":"ECDH-ES+A128KW","use":"enc","kid":"bob""#
        try folder.write("public", "{\(numbers),\(names)}")
        try folder.write(
            "secret", "{\(numbers),\(names),\"d\":\"XasIfmJKikt54X-Lg4AO5m87sSkmGLb9HC-LJ_-I4Os\"}")
        let token = run(folder, "jwe encrypt --key @public --content A128GCM", input: [0x78])
        let opened = run(folder, "jwe decrypt --key @secret", input: token.output)
        #expect(token.isGood && opened.isGood && opened.text == "x", "\(token), \(opened)")
        let shown = CommandFolder.inProcess(["jwt", "inspect"], input: token.output)
        #expect(shown.text.contains("a private key on X25519, which \"kid\" names"), "\(shown)")
    }

    @Test("JSON has the token, then the header, the payload in base64url, and no verdict")
    func json() throws {
        let folder = try CommandFolder()
        try folder.write("key", Self.shared(32, #","alg":"A256KW","kid":"k1""#))
        let options = "--content A128CBC-HS256 --type JOSE --content-type text/plain"
        let made = run(
            folder, "jwe encrypt --json --key @key \(options)", input: Array("hello".utf8))
        let token = try #require(try made.json["token"]?.text)
        let said: [String: JSONValue] = [
            "token": .string(token), "algorithm": .string("A256KW"), "keyID": .string("k1"),
        ]
        #expect(try made.isGood && made.json == .object(said), "\(made)")
        let opened = run(
            folder, "jwe decrypt --json --key @key", input: Array("\n\(token) \n".utf8))
        let header: [String: JSONValue] = [
            "alg": .string("A256KW"), "enc": .string("A128CBC-HS256"), "kid": .string("k1"),
            "typ": .string("JOSE"), "cty": .string("text/plain"),
        ]
        let wanted: [String: JSONValue] = [
            "verified": .bool(false), "header": .object(header), "payload": .string("aGVsbG8"),
            "keyID": .string("k1"),
        ]
        #expect(try opened.isGood && opened.json == .object(wanted), "\(opened)")
        let refused = run(
            folder, "jwe decrypt --json --key @key --content A256GCM", input: Array(token.utf8))
        #expect(try refused.status == 1 && refused.json["payload"] == nil, "\(refused)")
        #expect(try refused.json["valid"] == nil)
        #expect(try refused.json["error"]?["code"]?.text == "algorithmNotAllowed", "\(refused)")
    }

    @Test("A terminal obeys nothing in the header, which anyone may have encrypted")
    func shownHeader() throws {
        let folder = try CommandFolder()
        try folder.write("key", Self.shared(32, #","alg":"dir""#))
        let token = CommandFolder.inProcess(
            [
                "jwe", "encrypt", "--key", folder.path("key"), "--content", "A256GCM", "--type",
                "\u{9b}31m",
            ], input: [])
        let opened = run(folder, "jwe decrypt --json --key @key", input: token.output)
        #expect(opened.isGood && opened.text.contains(#""typ":"\u009b31m""#), "\(opened)")
    }

    @Test("A signed token is encrypted, decrypted and verified")
    func nested() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        try makeKeys(folder, .rsaOAEP256)
        let signed = run(
            folder, "jwt sign --key @key.json --lifetime 60", input: Array(#"{"sub":"u"}"#.utf8))
        let line = "--algorithm RSA-OAEP-256 --content A256GCM"
        let token = run(
            folder, "jwe encrypt --key @public --content-type JWT \(line)", input: signed.output)
        let verify = "jwt verify --key @jwks.json --any-issuer --any-audience"
        let refused = run(folder, verify, input: token.output)
        #expect(refused.failed(1, "malformed"), "\(refused)")
        #expect(refused.advice?.hasSuffix("signet jwe decrypt --key FILE") == true, "\(refused)")
        let opened = run(folder, "jwe decrypt --key @secret \(line)", input: token.output)
        // Without the line end, which a verifier would take for a part of the token.
        #expect(opened.isGood && opened.text == signed.line, "\(opened)")
        #expect(run(folder, verify, input: opened.output).isGood)
    }

    // MARK: - Refusals

    @Test("Of a token with any character changed, nothing is printed")
    func changed() throws {
        let folder = try CommandFolder()
        try makeKeys(folder, .ecdhESA256KW)
        let names = "--algorithm ECDH-ES+A256KW --content A256GCM"
        let token = run(folder, "jwe encrypt --key @public \(names)", input: Array("hello".utf8))
        let bytes = Array(token.line.utf8)
        for index in stride(from: 0, to: bytes.count, by: bytes.count / 40) {
            var changed = bytes
            changed[index] = bytes[index] == 0x41 ? 0x42 : 0x41
            let outcome = run(folder, "jwe decrypt --key @secret \(names)", input: changed)
            #expect(
                outcome.status == 1 && outcome.output.isEmpty && !outcome.wasKilled,
                "byte \(index): \(outcome)")
        }
    }

    @Test("A key that does not decrypt the token is told apart from a token that is none")
    func refusedTokens() throws {
        let folder = try CommandFolder()
        try folder.write("key", Self.shared(32, #","alg":"A256KW","kid":"k1""#))
        try folder.write("renamed", Self.shared(32, #","alg":"A256KW","kid":"k2""#))
        try folder.write("direct", Self.shared(32, #","alg":"dir","kid":"k1""#))
        let token = run(folder, "jwe encrypt --key @key --content A256GCM", input: [0x78]).output
        let decrypt = "jwe decrypt --key"
        for (line, code) in [
            ("\(decrypt) @renamed", "noMatchingKey"), ("\(decrypt) @direct", "algorithmNotAllowed"),
            ("\(decrypt) @key --content A128GCM --content A192GCM", "algorithmNotAllowed"),
        ] {
            let outcome = run(folder, line, input: token)
            #expect(outcome.failed(1, code), "\(line): \(outcome)")
            #expect(outcome.advice?.contains("'signet jwt inspect'") == true, "\(outcome)")
        }
        for accepted in ["--content A128GCM --content A256GCM", ""] {
            let outcome = run(folder, "\(decrypt) @key \(accepted)", input: token)
            #expect(outcome.isGood && outcome.text == "x", "\(outcome)")
        }
        for text in ["", "x", "a.b.c", "....", "a.b.c.d.e"] {
            let outcome = run(folder, "\(decrypt) @key", input: Array(text.utf8))
            #expect(outcome.failed(1, "malformed"), "\(text): \(outcome)")
        }
    }

    @Test("Standard input that is no encrypted token is named, with what to do")
    func noToken() throws {
        let folder = try CommandFolder()
        try folder.write("key", Self.shared(32, #","alg":"dir""#))
        for (text, message, advice) in [
            ("hello world\n", "This text has 1: give the whole token", nil),
            (
                "eyJhbGciOiJFUzI1NiJ9.e30.AAAA\n", "signed and not encrypted",
                "It needs no decrypting. Verify it: signet jwt verify --key FILE"
            ),
            (#"{"protected":"e30"}"#, "ask its sender for the compact form", nil),
            (" \n", "There is nothing in standard input.", "Give the token: < FILE"),
        ] as [(String, String, String?)] {
            let outcome = run(folder, "jwe decrypt --key @key", input: Array(text.utf8))
            #expect(
                outcome.failed(1, "malformed") && outcome.errors.contains(message), "\(outcome)")
            #expect(outcome.advice == advice, "\(outcome)")
        }
    }

    @Test("A token for another key of the same kind is refused with one code")
    func otherKey() throws {
        let folder = try CommandFolder()
        try folder.write("key", Self.shared(32))
        try folder.write("other", Self.shared(32).replacing(#""k":"AQ"#, with: #""k":"BQ"#))
        for algorithm in ["dir", "A256KW"] {
            let names = "--algorithm \(algorithm) --content A256GCM"
            let token = run(folder, "jwe encrypt --key @other \(names)", input: [0x78])
            let outcome = run(folder, "jwe decrypt --key @key \(names)", input: token.output)
            #expect(outcome.failed(1, "decryptionFailed"), "\(outcome)")
            #expect(outcome.advice?.contains("'signet jwt inspect'") == true, "\(outcome)")
        }
    }

    @Test("A key that is of another use, half or size is refused")
    func refusedKeys() throws {
        let folder = try CommandFolder()
        try makeKeys(folder, .rsaOAEP256)
        try folder.write("signing", Keys.json("ES256"))
        try folder.write("short", Self.shared(16))
        let token = Array("e30.AA.AA.AA.AA".utf8)
        for (line, code) in [
            ("decrypt --key @public --algorithm RSA-OAEP-256", "privateKeyRequired"),
            ("decrypt --key @signing --algorithm ECDH-ES", "operationNotAllowed"),
            ("encrypt --key @signing --content A256GCM", "operationNotAllowed"),
            ("encrypt --key @public --algorithm A256KW --content A256GCM", "wrongKeyClass"),
            (
                "encrypt --key @public --algorithm RSA-OAEP --content A256GCM",
                "unsupportedAlgorithm"
            ),
            ("encrypt --key @short --algorithm A256KW --content A256GCM", "algorithmMismatch"),
            ("encrypt --key @short --algorithm dir --content A256GCM", "algorithmMismatch"),
            ("decrypt --key @short --algorithm dir --content A256GCM", "algorithmMismatch"),
        ] {
            let outcome = run(folder, "jwe \(line)", input: token)
            #expect(outcome.failed(1, code), "\(line): \(outcome)")
        }
        for line in ["decrypt --key @secret", "encrypt --key @public --content A256GCM"] {
            let outcome = run(folder, "jwe \(line)", input: token)
            #expect(outcome.failed(2, "algorithmRequired"), "\(line): \(outcome)")
            #expect(outcome.advice == "Name it: --algorithm NAME", "\(outcome)")
            #expect(outcome.errors.contains("such as RSA-OAEP-256."), "\(outcome)")
        }
    }

    @Test("RSA-OAEP with SHA-1 decrypts only where it is named")
    func sha1() throws {
        let folder = try CommandFolder()
        try makeKeys(folder, .rsaOAEP)
        let key = run(folder, "jwk convert --key @secret --to jwk").line
        try folder.write("named", #"\#(key.dropLast()),"alg":"RSA-OAEP"}"#)
        let token = Array("e30.AA.AA.AA.AA".utf8)
        #expect(
            run(folder, "jwe decrypt --key @named", input: token).failed(2, "algorithmRequired"))
        let named = run(folder, "jwe decrypt --key @named --algorithm RSA-OAEP", input: token)
        #expect(named.failed(1, "malformed"), "\(named)")
    }

    @Test(
        "A wrong line is reported before a file is read",
        arguments: [
            "jwe encrypt --key #", "jwe encrypt --key # --content A256CBC",
            "jwe encrypt --key # --content A256GCM --algorithm RSA1_5",
            "jwe encrypt --key # --content A256GCM --type=",
            "jwe encrypt --key # --content A256GCM --content-type=",
            "jwe encrypt --key - --content A256GCM", "jwe decrypt --key -", "jwe decrypt",
            "jwe decrypt --key # --algorithm HS256",
            "jwe decrypt --key # --content A256GCM,A128GCM",
            "jwe decrypt --key # a.b.c.d.e", "jwe",
        ])
    func usage(_ line: String) {
        let outcome = CommandFolder.inProcess(
            line.replacing("#", with: CommandFolder.nowhere + "/k"), input: "x")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }

    @Test("Keys are read as elsewhere: a set of one, a warning about a file that others can read")
    func keyFiles() throws {
        let folder = try CommandFolder()
        let key = Self.shared(32, #","alg":"dir""#)
        try folder.write("set", #"{"keys":[\#(key)]}"#)
        try folder.write("two", #"{"keys":[\#(key),\#(key)]}"#)
        try folder.write("open", key, permissions: 0o640)
        let token = run(folder, "jwe encrypt --key @set --content A256GCM", input: [0x78])
        #expect(token.isGood, "\(token)")
        let opened = run(folder, "jwe decrypt --key @open", input: token.output)
        #expect(opened.status == 0 && opened.text == "x", "\(opened)")
        #expect(opened.errors.contains("warning: other users can read"), "\(opened)")
        #expect(run(folder, "jwe decrypt --key @two", input: token.output).failed(2, "usage"))
        #expect(run(folder, "jwe decrypt --key @absent", input: token.output).failed(3, "system"))
    }

    @Test("The longest payload is decrypted again, and a longer one is not encrypted")
    func limits() throws {
        let folder = try CommandFolder()
        try folder.write("key", Self.shared(32, #","alg":"dir""#))
        // The header, the initialization vector, the tag and four dots take 100 characters at most.
        let longest = [UInt8](repeating: 0x78, count: (JWEDecrypter.maximumByteCount - 100) / 4 * 3)
        let token = run(folder, "jwe encrypt --key @key --content A256GCM", input: longest)
        let opened = run(folder, "jwe decrypt --key @key", input: token.output)
        #expect(opened.isGood && opened.output == longest)
        let longer = longest + [UInt8](repeating: 0x78, count: 100)
        let refused = run(folder, "jwe encrypt --key @key --content A256GCM", input: longer)
        #expect(refused.failed(1, "tooLarge"), "\(refused)")
    }
}
