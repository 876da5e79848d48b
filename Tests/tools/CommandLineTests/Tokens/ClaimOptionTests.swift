// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwt sign with claims among the options")
struct ClaimOptionTests {
    static let now: Int64 = 1_700_000_000

    /// Signs with a key of the folder, at a time that stands still.
    private func sign(_ folder: CommandFolder, _ words: [String], input: String = "") -> Outcome {
        CommandFolder.inProcess(
            ["jwt", "sign", "--key", folder.path("key.json")] + words, input: Array(input.utf8),
            clock: .fixed(secondsSince1970: Double(Self.now)))
    }

    /// The claims of a token that was signed, as text.
    private func claims(_ outcome: Outcome) throws -> String {
        try #require(outcome.isGood, "\(outcome)")
        let parts = outcome.line.split(separator: ".")
        return String(
            decoding: try Base64URL.decode(#require(parts.dropFirst().first)), as: UTF8.self)
    }

    private func expectSame(_ text: String, _ wanted: String) throws {
        let read = { (text: String) in try JSONValue(JSONDocument(Array(text.utf8)).root) }
        #expect(try read(text) == read(wanted), "\(text)")
    }

    @Test("Claims are options alone, and standard input is not read")
    func options() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = sign(
            folder,
            [
                "--iss", "https://idp.example", "--aud", "api", "--sub", "u1", "--claim",
                "role=admin", "--claim", "note=a=b", "--claim", "empty=", "--claim", "n=1",
                "--claim-json", "level=3", "--claim-json", #"roles=["a",{"b":null}]"#, "--exp",
                "15m",
            ], input: "not JSON")
        try expectSame(
            claims(token),
            #"{"iss":"https://idp.example","aud":"api","sub":"u1","role":"admin","note":"a=b","#
                + #""empty":"","n":"1","level":3,"roles":["a",{"b":null}],"iat":1700000000,"#
                + #""exp":1700000900}"#)
        let verified = CommandFolder.inProcess(
            "jwt verify --key \(folder.path("jwks.json")) --issuer https://idp.example "
                + "--audience api --at 1700000000", input: token.text)
        #expect(verified.isGood, "\(verified)")
    }

    @Test("Several audiences are a list, and one is a text")
    func audiences() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let words = ["--claim-json", "exp=1700000001", "--aud", "a"]
        try expectSame(claims(sign(folder, words)), #"{"aud":"a","exp":1700000001}"#)
        try expectSame(
            claims(sign(folder, words + ["--aud", "b"])), #"{"aud":["a","b"],"exp":1700000001}"#)
    }

    @Test("A key may come from standard input where the claims are options")
    func keyOnInput() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let outcome = try folder.signet(
            "jwt sign --key - --sub u --exp 1h", input: folder.text("key.json"))
        #expect(outcome.isGood, "\(outcome)")
        let both = try folder.signet("jwt sign --key - --claims - --sub u --exp 1h")
        #expect(both.failed(2, "usage"), "\(both)")
    }

    @Test("A token is verified by the names that it was signed with")
    func verified() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let names = ["--iss", "https://idp.example", "--aud", "api"]
        let token = sign(folder, names + ["--exp", "60"])
        for (words, isGood) in [(names, true), (Array(names.dropLast()) + ["other"], false)] {
            let outcome = CommandFolder.inProcess(
                ["jwt", "verify", "--key", folder.path("key.json")] + words,
                input: Array(token.line.utf8),
                clock: .fixed(secondsSince1970: Double(Self.now)))
            #expect(outcome.isGood == isGood, "\(outcome)")
        }
    }

    @Test("Options add to the claims of a file or of standard input")
    func merged() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        try folder.write("claims.json", "{ \"a\": 1.10 ,\n\"b\":[]} \n")
        try folder.write("empty.json", " { } ")
        let wanted = #"{"a":1.10,"b":[],"sub":"u","exp":1700000001,"iat":1700000000}"#
        let words = ["--sub", "u", "--exp", "1", "--claims"]
        try expectSame(claims(sign(folder, words + [folder.path("claims.json")])), wanted)
        try expectSame(claims(sign(folder, words + ["-"], input: #"{"a":1.10,"b":[]}"#)), wanted)
        try expectSame(
            claims(sign(folder, words + [folder.path("empty.json")])),
            #"{"sub":"u","exp":1700000001,"iat":1700000000}"#)
    }

    @Test(
        "A claim that is given twice is refused by its name",
        arguments: [
            (["--sub", "a", "--claim", "sub=b"], "sub"),
            (["--claim", "x=1", "--claim", "x=1"], "x"),
            (["--sub", "a", "--sub", "b"], "sub"), (["--iss", "a", "--iss", "a"], "iss"),
            (["--claim", "x=1", "--claim-json", "x=1"], "x"),
            (["--iss", "a", "--claim-json", #"iss="a""#], "iss"),
            (["--aud", "a", "--claim-json", #"aud=["a"]"#], "aud"),
            (["--claim-json", "exp=1800000000"], "exp"), (["--claim-json", "iat=1"], "iat"),
        ])
    func twice(_ words: [String], _ name: String) throws {
        // Before a file is read.
        let outcome = CommandFolder.inProcess(
            ["jwt", "sign", "--exp", "60", "--key", CommandFolder.nowhere] + words)
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(outcome.errors.contains("The claim \(name) is given twice"), "\(outcome)")
    }

    @Test("An expiration that is given twice is refused")
    func twoExpirations() {
        let outcome = CommandFolder.inProcess(
            "jwt sign --key \(CommandFolder.nowhere) --sub a --exp 60 --lifetime 90")
        #expect(outcome.failed(2, "usage") && outcome.errors.contains("--exp is given twice"))
    }

    @Test(
        "A claim of an option and of the text is refused by its name",
        arguments: [
            (#"{"sub":"a"}"#, ["--sub", "a"], "sub"), (#"{"x":null}"#, ["--claim", "x="], "x"),
            (#"{"\u0078":1}"#, ["--claim-json", "x=1"], "x"),
            (#"{"a":1,"exp":1}"#, ["--claim-json", "exp=1800000000"], "exp"),
        ])
    func twiceInText(_ text: String, _ words: [String], _ name: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let outcome = sign(folder, words + ["--claims", "-"], input: text)
        #expect(outcome.failed(1, "claimInvalid"), "\(outcome)")
        #expect(outcome.errors.contains("The claim \(name) is given twice"), "\(outcome)")
        let expiring = sign(
            folder, ["--sub", "a", "--exp", "60", "--claims", "-"], input: #"{"exp":1}"#)
        #expect(
            expiring.failed(1, "claimInvalid") && expiring.errors.contains(#""exp""#),
            "\(expiring)")
    }

    @Test("Two names that look the same are not made one claim")
    func composed() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let (one, two) = ("\u{e9}", "e\u{301}")
        let outcome = sign(folder, ["--exp", "60", "--claim", "\(one)=1", "--claim", "\(two)=2"])
        #expect(
            outcome.failed(1, "malformed") && outcome.errors.contains("duplicateMember"),
            "\(outcome)")
        let nested = sign(
            folder, ["--exp", "60"], input: "{\"a\":[{\"\(one)\":1,\"\(two)\":2}]}")
        #expect(
            nested.failed(1, "malformed") && nested.errors.contains("duplicateMember"), "\(nested)")
        // "=" and a mark after it are one Character.
        try expectSame(
            claims(sign(folder, ["--claim", "a=\u{301}", "--claim-json", "exp=1800000000"])),
            "{\"a\":\"\u{301}\",\"exp\":1800000000}")
    }

    @Test(
        "A time as text is refused, with what to write instead",
        arguments: ["exp", "nbf", "iat", "auth_time", "updated_at"])
    func times(_ name: String) throws {
        let outcome = CommandFolder.inProcess(
            ["jwt", "sign", "--key", CommandFolder.nowhere, "--claim", "\(name)=1700000000"])
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(
            outcome.advice?.contains("--exp 15m") == true
                && outcome.advice?.contains("--claim-json \(name)=") == true, "\(outcome)")
    }

    @Test(
        "A claim without a name, without a value or without strict JSON is a usage error",
        arguments: [
            ["--claim", "=x"], ["--claim", "x"], ["--claim", ""], ["--claim-json", "=1"],
            ["--claim-json", "x"], ["--claim-json", "x="], ["--claim-json", "x=y"],
            ["--claim-json", "x={\"a\":1,\"a\":2}"], ["--claim-json", "x=1 2"],
            ["--claim-json", "x=\u{feff}1"], ["--claim-json", "x=01"], ["--sub="], ["--iss="],
            ["--aud="], ["--aud", "a", "--aud="],
        ])
    func malformed(_ words: [String]) {
        let outcome = CommandFolder.inProcess(
            ["jwt", "sign", "--exp", "60", "--key", CommandFolder.nowhere] + words)
        #expect(outcome.failed(2, "usage") && outcome.advice != nil, "\(outcome)")
    }

    @Test(
        "Claims that no verifier would accept are not signed",
        arguments: [
            (#"exp="1""#, "claimInvalid"), ("nbf=null", "claimInvalid"), ("sub=1", "claimInvalid"),
            ("aud=[1]", "claimInvalid"), ("x=12345678901234567890", "numberOutOfRange"),
            ("x=1e400", "malformed"), ("x=1", "claimMissing"),
            (
                "x=" + String(repeating: "[", count: 32) + String(repeating: "]", count: 32),
                "malformed"
            ),
        ])
    func refused(_ pair: String, _ code: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let outcome = sign(folder, ["--claim-json", pair])
        #expect(outcome.failed(1, code), "\(outcome)")
    }

    @Test(
        "A lifetime has a unit, or is in seconds, under both of its names",
        arguments: [
            ("1", 1), ("900", 900), ("90s", 90), ("15m", 900), ("1h", 3_600), ("2d", 172_800),
            ("007", 7), ("3650d", 315_360_000), ("315360000", 315_360_000),
        ] as [(String, Int64)])
    func lifetimes(_ text: String, _ seconds: Int64) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        for option in ["--exp", "--lifetime"] {
            try expectSame(
                claims(sign(folder, [option, text, "--sub", "u"])),
                #"{"sub":"u","iat":1700000000,"exp":\#(Self.now + seconds)}"#)
        }
    }

    @Test(
        "A lifetime of nothing, of more than ten years, or in another form is a usage error",
        arguments: [
            "0", "0d", "000", "3651d", "315360001", "1767225600", "9223372036854775807",
            "9223372036854775808", "99999999999999999999999d", "153722867280912931m", "", "m",
            "-1", "+1", "1.5h", "1w", "1H", "1hm", "15 m", "1h30m", "\u{661}", "1e3", "ten",
        ])
    func wrongLifetimes(_ text: String) {
        let outcome = CommandFolder.inProcess([
            "jwt", "sign", "--key", CommandFolder.nowhere, "--sub", "u", "--exp=\(text)",
        ])
        #expect(outcome.failed(2, "usage") && !outcome.wasKilled, "\(outcome)")
    }
}
