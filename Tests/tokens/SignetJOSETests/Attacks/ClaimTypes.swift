// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// CVE-2020-26160, CVE-2026-25537, CVE-2025-30144: a claim of the wrong type is invalid, never
/// absent.
@Suite("Claims of a wrong type")
struct ClaimTypes {
    /// A claim's name and a value that it must not have.
    static let wrong: [(String, [String])] = [
        (
            "exp",
            [
                #""1700000300""#, "null", "true", "[1700000300]", "{}", "-1e300", "1e999",
                "-9007199254740994", #""""#, "[]",
            ]
        ),
        ("nbf", [#""0""#, "null", "false", "[]", "-1e300", "1e309"]),
        ("iat", [#""1700000000""#, "null", "true", "{}", "-1e300", "1e309"]),
        (
            "iss",
            ["1", "null", #"["https://idp.example"]"#, #"{"a":"https://idp.example"}"#, "true"]
        ),
        ("sub", ["1", "null", #"["u1"]"#, "{}", "false"]),
        ("jti", ["1", "null", "[]", "{}"]),
        (
            "aud",
            [
                #"[""]"#, #""""#, "1", "null", "true", "{}", #"{"api":"api"}"#, #"["api",1]"#,
                #"["api",null]"#,
                #"["api",""]"#, #"[["api"]]"#, #"["api",["x"]]"#, #"[{"api":1}]"#,
            ]
        ),
    ]

    static let whole = [
        "iss": #""https://idp.example""#, "aud": #""api""#, "sub": #""u1""#, "iat": "1700000000",
        "exp": "1700000300",
    ]

    static func json(_ claims: [String: String]) -> String {
        "{" + claims.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
    }

    @Test("A registered claim of a wrong type or out of range is refused", arguments: wrong)
    func wrongType(_ claim: String, _ values: [String]) throws {
        let strict = try TestKeys.verifier(.rs256)
        // Even the laxest policy refuses it.
        let lax = try TestKeys.verifier(
            .rs256,
            policy: TestClaims.policy(
                issuer: .notChecked, audience: .notChecked, type: .notChecked, expiration: .optional
            ))
        let signer = try TokenSigner(key: TestKeys.signing(.rs256), clock: .still)
        for value in values {
            var claims = Self.whole
            claims[claim] = value
            let token = try Forge.token(
                TestKeys.header("RS256"), Self.json(claims), by: Forge.rs256())
            let expected = TokenError(.claimInvalid, claim: claim, "")
            #expect(refusal { try strict.verify(token) } == expected, "\(claim): \(value)")
            #expect(refusal { try lax.verify(token) } == expected, "\(claim): \(value)")
            #expect(refusal { try UnverifiedToken(token) } == expected, "\(claim): \(value)")
            // And our signer does not make such a token.
            if let any = try? JSONTokenDecoder().decode(
                [String: JSONValue].self, from: Array(Self.json(claims).utf8))
            {
                #expect(refusal { try signer.sign(any) } == expected, "\(claim): \(value)")
            }
        }
    }

    @Test(
        "NaN and infinity are not JSON",
        arguments: ["NaN", "Infinity", "-Infinity", "nan", "1e", "0x1p4", "01", "+1", ".5", "1."])
    func notANumber(_ value: String) throws {
        var claims = Self.whole
        claims["exp"] = value
        let token = try Forge.token(TestKeys.header("RS256"), Self.json(claims), by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .malformed)
    }

    @Test(
        "Times in other spellings of a number are the same time",
        arguments: ["1700000300.0", "1700000300.5", "17000003e2", "1.7000003E+9"])
    func spellings(_ value: String) throws {
        var claims = Self.whole
        claims["exp"] = value
        let token = try Forge.token(TestKeys.header("RS256"), Self.json(claims), by: Forge.rs256())
        let time = try TestKeys.verifier(.rs256).verify(token).registered.expiration?
            .secondsSince1970
        #expect(time == Double(value))
    }

    @Test(
        "Times at the edges do not overflow",
        arguments: [
            ("exp", "-9007199254740992", TokenError.Code.expired), ("exp", "0", .expired),
            ("exp", "-1", .expired),
            ("exp", "-0", .expired), ("exp", "1e-400", .expired),
            ("nbf", "9007199254740992", .notYetValid),
            ("iat", "9007199254740992", .notYetValid), ("iat", "1700000131", .notYetValid),
        ])
    func edges(_ claim: String, _ value: String, _ code: TokenError.Code) throws {
        var claims = Self.whole
        claims[claim] = value
        let token = try Forge.token(TestKeys.header("RS256"), Self.json(claims), by: Forge.rs256())
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(token) }
                == TokenError(code, claim: claim, ""))
    }

    @Test("The largest exp is valid")
    func farFuture() throws {
        var claims = Self.whole
        claims["exp"] = "9007199254740992"
        claims["nbf"] = "-9007199254740992"
        claims["iat"] = "-9007199254740992"
        let token = try Forge.token(TestKeys.header("RS256"), Self.json(claims), by: Forge.rs256())
        _ = try TestKeys.verifier(.rs256).verify(token)
    }

    /// Java's `new Date(Long.MAX_VALUE)` as seconds and as milliseconds, and larger ones.
    static let beyond = [
        "9007199254740994", "9223372036854775", "9223372036854775807", "9223372036854775808",
        "1e16",
        "1e300",
    ]

    @Test("An exp beyond 2^53 means never", arguments: beyond)
    func never(_ value: String) throws {
        var claims = Self.whole
        claims["exp"] = value
        let token = try Forge.token(TestKeys.header("RS256"), Self.json(claims), by: Forge.rs256())
        let latest = NumericDate(secondsSince1970: 9_007_199_254_740_992)
        let verified = try TestKeys.verifier(.rs256).verify(token)
        #expect(verified.registered.expiration == latest)
        _ = try UnverifiedToken(token)
    }

    @Test("An nbf or iat beyond 2^53 is never reached", arguments: beyond)
    func notYet(_ value: String) throws {
        for claim in ["nbf", "iat"] {
            var claims = Self.whole
            claims[claim] = value
            let token = try Forge.token(
                TestKeys.header("RS256"), Self.json(claims), by: Forge.rs256())
            #expect(
                refusal { try TestKeys.verifier(.rs256).verify(token) }
                    == TokenError(.notYetValid, claim: claim, ""))
        }
    }

    @Test("A signer writes no time beyond 2^53", arguments: beyond)
    func notSigned(_ value: String) throws {
        let signer = try TokenSigner(key: TestKeys.signing(.rs256), clock: .still)
        for claim in ["exp", "nbf", "iat"] {
            var claims = Self.whole
            claims[claim] = value
            let any = try JSONTokenDecoder().decode(
                [String: JSONValue].self, from: Array(Self.json(claims).utf8))
            #expect(
                refusal { try signer.sign(any) } == TokenError(.claimInvalid, claim: claim, ""))
        }
    }

    @Test(
        "Claims that are not a JSON object are refused",
        arguments: [
            "[]", #"[{"sub":"u1","admin":true}]"#, #"[[],{"exp":9999999999}]"#, "null", "1",
            #""claims""#, "true", "", " ", "{", "{}x", "{}{}", "\u{feff}{}",
            "{'a':1}",
            "{a:1}",
            #"{"a":1,}"#, #"{"a":"\ud800"}"#, #"{"a":"\x41"}"#, "{\"a\":\"\u{1}\"}", "/**/{}",
        ])
    func notAnObject(_ payload: String) throws {
        let token = try Forge.token(TestKeys.header("RS256"), payload, by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .malformed)
        let header = try Forge.token(payload, by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(header) }?.code == .malformed)
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80],
            [0xfe, 0xff, 0, 0x7b],
        ] as [[UInt8]])
    func notUnicode(_ bytes: [UInt8]) throws {
        let payload = Base64URL.encode(
            Array(TestClaims.json.utf8.dropLast()) + Array(#","x":""#.utf8) + bytes
                + Array("\"}".utf8))
        let token = try Forge.token(
            encodedHeader: Forge.encoded(TestKeys.header("RS256")), encodedPayload: payload,
            by: Forge.rs256()
        )
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .malformed)
    }

    struct Roles: Decodable { var role: String, level: Int8, tags: [String] }

    @Test(
        "An error about claims that do not fit names the path, never the value",
        arguments: [
            (#""role":1,"level":1,"tags":[]"#, "role"),
            (#""role":"a","level":300,"tags":[]"#, "level"),
            (#""role":"a","level":1.5,"tags":[]"#, "level"),
            (#""role":"a","level":1e300,"tags":[]"#, "level"),
            (#""role":"a","level":1,"tags":["a","secret-value",7]"#, "tags[2]"),
            (#""role":"a","level":1"#, "tags"),
            (#""role":null,"level":1,"tags":[]"#, "role"),
        ])
    func callersType(_ members: String, _ path: String) throws {
        let token = try Forge.token(
            TestKeys.header("RS256"), TestClaims.json(adding: members), by: Forge.rs256())
        let error = refusal { try TestKeys.verifier(.rs256).verify(token, as: Roles.self) }
        #expect(error == TokenError(.claimInvalid, claim: path, ""))
        #expect(error?.description.contains("secret-value") == false)
    }
}
