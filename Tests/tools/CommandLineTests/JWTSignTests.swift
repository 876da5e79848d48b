// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwt sign and inspect")
struct JWTSignTests {
    @Test("Claims are signed with their times, and a token must have exp")
    func sign() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let signed = try folder.signet(
            "jwt sign --key key.json --lifetime 86400", input: "{\"sub\":\"u\"}")
        #expect(signed.isGood, "\(signed)")
        let verified = try folder.signet(
            "jwt verify --key jwks.json --any-issuer --any-audience", input: signed.text)
        #expect(try verified.isGood && verified.json.names == ["exp", "iat", "sub"], "\(verified)")
        #expect(try folder.signet("jwt sign --key key.json", input: "{}").failed(1, "claimMissing"))
    }

    @Test("Each algorithm's tokens verify", .tags(.commandLine), arguments: Keys.all)
    func roundTrip(_ algorithm: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        try folder.write("claims.json", "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"u\"}")
        let before = TimeSource.system.now().secondsSince1970
        let signed = try folder.signet(
            "jwt sign --key key.json --claims claims.json --lifetime 86400 --json")
        let after = TimeSource.system.now().secondsSince1970
        let json = try signed.json
        #expect(signed.isGood && json["algorithm"]?.text == algorithm)
        let token = try #require(json["token"]?.text)
        let verified = try folder.signet(
            "jwt verify --key key.json --issuer i --audience a --max-age 86400 \(token)")
        let claims = try verified.json
        #expect(verified.isGood && claims.names == ["aud", "exp", "iat", "iss", "sub"])
        guard case .integer(let issued)? = claims["iat"],
            case .integer(let expires)? = claims["exp"]
        else {
            Issue.record("no times: \(verified)")
            return
        }
        #expect(expires - issued == 86_400 && before...after ~= Double(issued))
    }

    @Test(
        "Claims that would not verify are not signed", .tags(.commandLine),
        arguments: [
            ("{}", "", "claimMissing"), ("", "--lifetime 60", "malformed"),
            ("[]", "--lifetime 60", "malformed"), ("7", "", "malformed"),
            ("{\"a\":1,\"a\":2}", "--lifetime 60", "malformed"),
            ("{\"exp\":5}", "--lifetime 60", "claimInvalid"),
            ("{\"iat\":5}", "--lifetime 60", "claimInvalid"),
            ("{\"exp\":\"5\"}", "", "claimInvalid"),
            ("{\"exp\":5,\"aud\":[1]}", "", "claimInvalid"),
            ("{\"id\":12345678901234567890}", "--lifetime 60", "numberOutOfRange"),
            ("{\"a\":[{\"id\":9223372036854775808}]}", "--lifetime 60", "numberOutOfRange"),
            ("{\"x\":0.1234567890123456789}", "--lifetime 60", "numberOutOfRange"),
            ("{\"x\":1e-400}", "--lifetime 60", "numberOutOfRange"),
            ("{\"x\":1e400}", "--lifetime 60", "malformed"),
            ("{\"x\":\u{1}}", "--lifetime 60", "malformed"),
        ])
    func refused(_ claims: String, _ options: String, _ code: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let outcome = try folder.signet("jwt sign --key key.json \(options)", input: claims)
        #expect(outcome.failed(1, code), "\(claims): \(outcome)")
    }

    @Test(
        "Numbers that every reader keeps are signed", .tags(.commandLine),
        arguments: [
            "0", "-0", "9223372036854775807", "-9223372036854775808", "0.1", "1.10", "1e3",
            "123456789012345680000", "5e-324", "0.30000000000000004", "0e999",
        ])
    func keptNumbers(_ number: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = try folder.signet(
            "jwt sign --key key.json --lifetime 60", input: "{\"x\":\(number)}")
        #expect(token.isGood, "\(token)")
        let claims = try folder.signet("jwt inspect --json \(token.line)").json["unverifiedClaims"]
        let value: Double? =
            switch claims?["x"] {
            case .integer(let value): Double(value)
            case .number(let value): value
            default: nil
            }
        #expect(value == Double(number))
    }

    @Test(
        "Malformed lifetimes are usage errors",
        arguments: [
            "0", "-1", "315360001", "9223372036854775807", "-9223372036854775808", "1.5", "ten",
        ])
    func lifetimes(_ lifetime: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let outcome = CommandFolder.inProcess(
            "jwt sign --key \(folder.path("key.json")) --lifetime=\(lifetime)", input: "{}")
        #expect(outcome.status == 2 && outcome.output.isEmpty && !outcome.wasKilled, "\(outcome)")
    }

    @Test("A token too large to be verified is not signed", .tags(.commandLine))
    func tooLarge() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let claims = { (count: Int) in "{\"x\":\"" + String(repeating: "x", count: count) + "\"}" }
        let long = try folder.signet(
            "jwt sign --key key.json --lifetime 86400", input: claims(196_000))
        #expect(
            try long.isGood
                && folder.signet(
                    "jwt verify --key jwks.json --any-issuer --any-audience", input: long.text
                )
                .isGood
        )
        #expect(
            try folder.signet("jwt sign --key key.json --lifetime 60", input: claims(200_000))
                .failed(
                    1, "tooLarge"))
        #expect(
            try folder.signet("jwt sign --key key.json --lifetime 60", input: claims(300_000))
                .failed(
                    1, "tooLarge"))
    }

    @Test("inspect shows what a token claims, and says that it is not verified")
    func inspect() throws {
        let header = "{\"alg\":\"none\",\"x\":[1]}"
        let claims = "{\"exp\":1,\n\"name\":\"\u{9b}31m\u{202e}\",\"big\":12345678901234567890}"
        let token = [header, claims, ""].map { Base64URL.encode(Array($0.utf8)) }.joined(
            separator: ".")
        let plain = CommandFolder.inProcess(
            "jwt inspect", input: token + "\n", clock: .fixed(secondsSince1970: 3))
        #expect(plain.isGood)
        #expect(
            plain.text == """
                NOT VERIFIED: anyone can write this.
                header: {"alg":"none","x":[1]}
                claims: {"exp":1, "name":"\\u009b31m\\u202e","big":12345678901234567890}
                exp  1  1970-01-01T00:00:01Z  expired 2 s ago

                """)
        let json = CommandFolder.inProcess("jwt inspect --json \(token)")
        #expect(try json.json.names == ["header", "unverifiedClaims", "verified"])
        #expect(
            try json.json["verified"] == .bool(false) && json.text.contains("12345678901234567890"))
        for bad in ["a.b.c", "", "..", token.replacingOccurrences(of: ".", with: "="), token + "."]
        {
            #expect(CommandFolder.inProcess("jwt inspect", input: bad).failed(1, "malformed"))
        }
        #expect(
            CommandFolder.inProcess(["jwt", "inspect"], input: [0xff, 0xfe]).failed(1, "malformed"))
    }
}
