// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwt verify")
struct JWTVerifyTests {
    static let issued: Int64 = 1_700_000_000

    /// A token with these claims, verified with these options.
    private func verify(
        _ claims: String, _ options: String, type: String = "JWT", json: Bool = false
    ) throws -> Outcome {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let expiring = claims.contains("\"exp\"") ? "" : "--lifetime 86400"
        let key = folder.path("key.json")
        let token = CommandFolder.inProcess(
            "jwt sign --key \(key) --type \(type) \(expiring)", input: claims)
        #expect(token.isGood, "\(token)")
        return try folder.signet(
            "jwt verify --key jwks.json \(json ? "--json " : "")\(options)", input: token.text)
    }

    static let claims = """
        {"iss":"https://idp.example","aud":["api","web"],"sub":"u1","iat":1700000000,"nbf":1700000000,"exp":1700000600}
        """
    static let expected = "--issuer https://idp.example --audience api "

    @Test("Another audience is refused with status 1, and the error names the claim")
    func otherAudience() throws {
        let outcome = try verify(
            Self.claims, "--issuer https://idp.example --audience API --at 1700000100", json: true)
        let json = try outcome.json
        #expect(outcome.status == 1 && json["valid"] == .bool(false), "\(outcome)")
        #expect(
            json["error"]?["code"]?.text == "audienceMismatch"
                && json["error"]?["claim"]?.text == "aud")
        // The message says what was expected, and not what the token says, since a log may hold it.
        #expect(json["error"]?["advice"]?.text?.contains("--audience): API. ") == true)
        #expect(!outcome.text.contains("web") && !outcome.errors.contains("web"))
    }

    @Test("Another issuer is refused, and the error names the expected one")
    func otherIssuer() throws {
        let outcome = try verify(
            Self.claims, "--issuer https://other.example --audience api --at 1700000100")
        #expect(outcome.failed(1, "issuerMismatch"), "\(outcome)")
        #expect(
            outcome.errors.contains("https://other.example")
                && !outcome.errors.contains("idp.example"))
    }

    @Test("A terminal obeys nothing in the claims that are printed")
    func controls() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let claims = "{\"sub\":\"\u{9b}31m\u{202e}\",\n\"exp\":1700000600}"
        let token = try folder.signet("jws sign --type JWT --key key.json", input: claims)
        let line =
            "jwt verify --key jwks.json --any-issuer --any-audience --at 1700000100 "
            + "-- \(token.line)"
        let shown = try folder.terminal([], line)
        #expect(
            shown.text == #"{"sub":"\u009b31m\u202e", "exp":1700000600}"# + "\r\n"
                + "exp  1700000600  2023-11-14T22:23:20Z  in 8 min\r\n", "\(shown)")
        #expect(try folder.signet(line).text == claims + "\n")
    }

    @Test(
        "A token within the policy is accepted", .tags(.commandLine),
        arguments: [
            expected + "--at 1700000100",
            expected + "--audience other --issuer https://other.example --at 1700000100",
            "--any-issuer --any-audience --at 1700000100",
            "--issuer https://idp.example --any-audience --at 1700000100",
            expected + "--at 1700000629", expected + "--at 1700000599 --leeway 0",
            expected + "--at 1699999970",
            expected + "--at 1700000899 --leeway 300", expected + "--at 1700000100 --max-age 100",
            expected + "--at 1700000100 --require sub --require aud",
            expected + "--at 1700000100 --any-type",
            expected + "--at 1700000100 --type JWT",
            expected + "--at 1700000100 --type application/jwt",
            expected + "--at 1700000100 --allow-missing-expiration",
        ])
    func allowed(_ options: String) throws {
        let plain = try verify(Self.claims, options)
        #expect(plain.isGood, "\(plain)")
        #expect(try plain.json == JSONValue(JSONDocument(Array(Self.claims.utf8)).root))
        let json = try verify(Self.claims, options, json: true).json
        #expect(json.names == ["claims", "header", "keyID", "valid"])
        #expect(json["valid"] == .bool(true) && json["claims"]?["sub"]?.text == "u1")
        #expect(json["header"]?["typ"]?.text == "JWT" && json["header"]?["kid"] == json["keyID"])
    }

    @Test(
        "A refused token reports code and claim, and nothing of the token", .tags(.commandLine),
        arguments: [
            (
                "--issuer https://idp.example/ --audience api --at 1700000100", "issuerMismatch",
                "iss"
            ),
            (
                "--issuer https://idp.example --audience API --at 1700000100", "audienceMismatch",
                "aud"
            ),
            (expected + "--at 1700000630", "expired", "exp"),
            (expected + "--at 1700000600 --leeway 0", "expired", "exp"),
            (expected, "expired", "exp"), (expected + "--at 1699999969", "notYetValid", "nbf"),
            (expected + "--at 1700000131 --max-age 100", "tooOld", "iat"),
            (expected + "--at=-5", "notYetValid", "nbf"),
            (expected + "--at 1700000100 --require email", "claimMissing", nil),
            (expected + "--at 1700000100 --type at+jwt", "typeMismatch", nil),
            (expected + "--at 9223372036854775807", "expired", "exp"),
        ] as [(String, String, String?)])
    func refused(_ options: String, _ code: String, _ claim: String?) throws {
        let plain = try verify(Self.claims, options)
        #expect(plain.failed(1, code), "\(plain)")
        #expect(!plain.errors.contains("eyJ") && !plain.errors.contains("u1"))
        let outcome = try verify(Self.claims, options, json: true)
        let json = try outcome.json
        #expect(outcome.status == 1 && json.names == ["error", "exitStatus", "valid"])
        #expect(json["valid"] == .bool(false) && json["error"]?["code"]?.text == code)
        if let claim { #expect(json["error"]?["claim"]?.text == claim) }
    }

    @Test(
        "An incomplete, contradictory or out-of-range policy is a usage error",
        arguments: [
            "", "--issuer i", "--issuer i --audience a --any-audience", "--issuer= --audience a",
            "--any-issuer --any-audience --leeway 301", "--any-issuer --any-audience --at soon",
        ])
    func noPolicy(_ options: String) throws { try expectMistake(options) }

    @Test(
        "Every malformed policy is a usage error", .tags(.commandLine),
        arguments: [
            "", "--issuer i", "--audience a", "--any-issuer",
            "--issuer i --any-issuer --audience a",
            "--issuer i --audience a --any-audience", "--issuer= --audience a",
            "--issuer i --audience=",
            "--any-issuer --any-audience --leeway 301",
            "--any-issuer --any-audience --leeway=-1", "--any-issuer --any-audience --max-age 0",
            "--any-issuer --any-audience --max-age=-1",
            "--any-issuer --any-audience --type=",
            "--any-issuer --any-audience --type JWT --any-type",
            "--any-issuer --any-audience --at soon",
            "--any-issuer --any-audience --leeway 9223372036854775807",
            "--any-issuer --any-audience --leeway 1e3",
            "--any-issuer --any-audience --at 9223372036854775808",
        ])
    func everyNoPolicy(_ options: String) throws { try expectMistake(options) }

    private func expectMistake(_ options: String) throws {
        let line = "jwt verify --key \(CommandFolder.nowhere)/jwks.json \(options)"
        let outcome = CommandFolder.inProcess(line, input: "a.b.c")
        #expect(outcome.status == 2 && outcome.output.isEmpty && !outcome.wasKilled, "\(outcome)")
        let json = CommandFolder.inProcess("\(line) --json", input: "a.b.c")
        #expect(try json.status == 2 && json.json["exitStatus"] == .integer(2))
    }

    @Test(
        "A wrong type and a missing required claim are refused",
        .tags(.commandLine))
    func absentClaims() throws {
        #expect(
            try verify("{\"exp\":1700000600}", Self.expected + "--at 1700000000").failed(
                1, "claimMissing"))
        #expect(
            try verify(Self.claims, "\(Self.expected)--at 1700000100", type: "at+jwt").failed(
                1, "typeMismatch"))
        #expect(
            try verify(Self.claims, "\(Self.expected)--at 1700000100 --type at+jwt", type: "at+jwt")
                .isGood)
        #expect(
            try verify(Self.claims, "\(Self.expected)--at 1700000100 --any-type", type: "at+jwt")
                .isGood)
        #expect(
            try verify(
                "{\"exp\":1700000600}", "--any-issuer --any-audience --at 1700000000 --max-age 5"
            )
            .failed(1, "claimMissing"))
    }

    @Test(
        "A token without exp is refused unless --allow-missing-expiration is given",
        .tags(.commandLine))
    func withoutExpiration() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        // Signed as any payload, because 'jwt sign' does not make such a token.
        let token = try folder.signet(
            "jws sign --type JWT --key key.json", input: "{\"sub\":\"u1\"}"
        )
        .line
        let options = "jwt verify --key jwks.json --any-issuer --any-audience"
        #expect(try folder.signet("\(options) \(token)").failed(1, "claimMissing"))
        #expect(try folder.signet("\(options) --allow-missing-expiration \(token)").isGood)
    }

    @Test(
        "Malformed claims are refused under a good signature", .tags(.commandLine),
        arguments: [
            "", "x", "[]", "\"text\"", "7", "{\"exp\":1700000600,\"exp\":1}",
            "{\"exp\":\"1700000600\"}",
            "{\"exp\":-1e300}", "{\"exp\":null}",
            "{\"exp\":1700000600,\"aud\":[1]}", "{\"exp\":1700000600,\"aud\":[\"a\",1]}",
            "{\"exp\":1700000600,\"iss\":1}", "{\"exp\":1700000600}x",
            "{\"exp\":1700000600,\"n\":1e400}", "\u{feff}{\"exp\":1700000600}",
        ])
    func malformedClaims(_ claims: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = try folder.signet("jws sign --type JWT --key key.json", input: claims).line
        let outcome = try folder.signet(
            "jwt verify --key jwks.json --any-issuer --any-audience --allow-missing-expiration --at 1700000000 -- \(token)"
        )
        #expect(
            outcome.status == 1 && outcome.output.isEmpty && !outcome.wasKilled,
            "\(claims): \(outcome)")
    }

    @Test(
        "An endless token is refused at the limit, in bounded memory",
        .tags(.commandLine))
    func endless() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        for command in ["jwt inspect", "jwt verify --key jwks.json --any-issuer --any-audience"] {
            let outcome = try folder.bash("yes eyJ | tr -d '\\n' | \"$SIGNET\" \(command)")
            #expect(outcome.output.isEmpty && outcome.errors.contains("[tooLarge]"), "\(outcome)")
        }
    }

    @Test("Claims are printed as they were signed, with any numbers", .tags(.commandLine))
    func exactClaims() throws {
        let claims =
            "{\"exp\":1700000600, \"big\":123456789012345678901234567890,\n\"small\":1.10,\"c1\":\"\u{9b}\"}"
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = try folder.signet("jws sign --type JWT --key key.json", input: claims).line
        let options = "jwt verify --key jwks.json --any-issuer --any-audience --at 1700000000"
        #expect(try folder.signet("\(options) \(token)").text == claims + "\n")
        let json = try folder.signet("\(options) --json \(token)")
        #expect(try json.json["valid"] == .bool(true))
        #expect(
            json.text.contains(
                "\"big\":123456789012345678901234567890, \"small\":1.10,\"c1\":\"\\u009b\"}"),
            "\(json)")
    }
}
