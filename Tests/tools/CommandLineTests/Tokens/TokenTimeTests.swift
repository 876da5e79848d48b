// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing
import signet

@Suite("The times of a token, for people")
struct TokenTimeTests {
    static let now: Int64 = 1_700_000_000

    private static func token(_ claims: String) -> String {
        [#"{"alg":"none"}"#, claims, ""].map { Base64URL.encode(Array($0.utf8)) }
            .joined(separator: ".")
    }

    private static func inspect(_ claims: String, _ options: String = "") -> Outcome {
        CommandFolder.inProcess(
            "jwt inspect \(options)", input: token(claims),
            clock: .fixed(secondsSince1970: Double(now)))
    }

    @Test("inspect shows each time in UTC, and how far from now it is")
    func table() {
        let shown = Self.inspect(
            #"{"exp":1699740800,"iat":1699739900.5,"nbf":1700000720,"auth_time":1700000000}"#)
        #expect(
            shown.isGood
                && shown.text.hasSuffix(
                    """
                    auth_time  1700000000    2023-11-14T22:13:20Z  now
                    iat        1699739900.5  2023-11-11T21:58:20Z  3 d ago
                    nbf        1700000720    2023-11-14T22:25:20Z  valid in 12 min
                    exp        1699740800    2023-11-11T22:13:20Z  expired 3 d ago

                    """),
            "\(shown)")
        #expect(
            Self.inspect(#"{"exp":1700000000}"#).text.hasSuffix("  expired now\n"),
            "no leeway without a verifier")
        let later = Self.inspect(#"{"exp":1700000720}"#)
        #expect(
            later.text.hasSuffix("\nexp  1700000720  2023-11-14T22:25:20Z  in 12 min\n"),
            "\(later)")
    }

    @Test("A token without times has no lines for them, and JSON for scripts stays what it was")
    func unchanged() throws {
        for claims in [#"{"sub":"u"}"#, #"{"auth_time":"1700000000"}"#, "{}"] {
            #expect(
                Self.inspect(claims).text == """
                    NOT VERIFIED: anyone can write this.
                    header: {"alg":"none"}
                    claims: \(claims)

                    """)
        }
        let json = Self.inspect(#"{"exp":1699740800}"#, "--json")
        #expect(
            json.text
                == #"{"header":{"alg":"none"},"unverifiedClaims":{"exp":1699740800},"verified":false}"#
                + "\n", "\(json)")
    }

    @Test(
        "A time is shown with its largest unit of two or more, whatever its number",
        arguments: [
            (0, "now", "2023-11-14T22:13:20Z"), (-0.5, "now", "2023-11-14T22:13:19Z"),
            (0.5, "now", "2023-11-14T22:13:20Z"), (1, "in 1 s", "2023-11-14T22:13:21Z"),
            (-119, "119 s ago", "2023-11-14T22:11:21Z"),
            (120, "in 2 min", "2023-11-14T22:15:20Z"),
            (-7_199, "119 min ago", "2023-11-14T20:13:21Z"),
            (7_200, "in 2 h", "2023-11-15T00:13:20Z"),
            (-172_799, "47 h ago", "2023-11-12T22:13:21Z"),
            (172_800, "in 2 d", "2023-11-16T22:13:20Z"),
            (-63_071_999, "729 d ago", "2021-11-14T22:13:21Z"),
            (63_072_000, "in 2 y", "2025-11-13T22:13:20Z"),
            (-1_700_000_000, "53 y ago", "1970-01-01T00:00:00Z"),
            (-1_700_000_001, "53 y ago", "1969-12-31T23:59:59Z"),
            (251_702_300_799, "in 7981 y", "9999-12-31T23:59:59Z"),
            (251_702_300_800, "in 7981 y", "after the year 9999"),
            (-63_835_596_800, "2024 y ago", "0001-01-01T00:00:00Z"),
            (-63_835_596_801, "2024 y ago", "before the year 1"),
            (1e300, "in 285616360 y", "after the year 9999"),
            (-1e300, "285616468 y ago", "before the year 1"),
        ] as [(Double, String, String)])
    func units(_ seconds: Double, _ distance: String, _ utc: String) {
        let now = NumericDate(secondsSince1970: Double(Self.now))
        let text = MomentText(
            NumericDate(secondsSince1970: now.secondsSince1970 + seconds), now: now)
        #expect(text.distance == distance && text.utc == utc)
        #expect(text.expiry == (seconds <= 0 ? "expired \(distance)" : distance))
    }

    @Test("verify shows the times at a terminal alone, by the clock that it verifies by")
    func verify() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let claims = #"{"exp":1700000600,"iat":1700000000}"#
        let token = try folder.signet("jws sign --type JWT --key key.json", input: claims).line
        let line =
            "jwt verify --key jwks.json --any-issuer --any-audience --at 1700000120 -- \(token)"
        let shown = try folder.terminal([], line)
        #expect(
            shown.text.replacing("\r\n", with: "\n") == """
                \(claims)
                iat  1700000000  2023-11-14T22:13:20Z  2 min ago
                exp  1700000600  2023-11-14T22:23:20Z  in 8 min

                """, "\(shown)")
        #expect(try folder.signet(line).text == claims + "\n")
        // A token that is accepted is not said to be bad.
        let early = try folder.terminal(
            [], line.replacing("1700000120", with: "1700000610"),
            environment: "NO_COLOR= TERM=xterm")
        #expect(
            early.text.hasSuffix("\u{1b}[33mexpired 10 s ago, within the leeway\u{1b}[0m\r\n"),
            "\(early)")
    }

    @Test("decode is another word for inspect")
    func decode() {
        let token = Self.token(#"{"sub":"u"}"#)
        for options in ["", "--json "] {
            let wanted = CommandFolder.inProcess("jwt inspect \(options)\(token)")
            let decoded = CommandFolder.inProcess("jwt decode \(options)\(token)")
            #expect(decoded.isGood && decoded.text == wanted.text, "\(decoded)")
        }
        #expect(
            CommandFolder.inProcess("jwt decode --help").output
                == CommandFolder.inProcess("jwt inspect --help").output)
        #expect(CommandFolder.inProcess("jwt --help").text.contains("inspect, decode "))
        #expect(CommandFolder.inProcess("jwt decode", input: "x").failed(1, "malformed"))
        let misplaced = CommandFolder.inProcess("jwt --json decode x")
        #expect(misplaced.errors.contains("Write: signet jwt inspect --json …"), "\(misplaced)")
    }
}

@Suite("Colours")
struct ColourTests {
    @Test(
        "Only a terminal has colours, and none that says no",
        arguments: [
            (true, ["TERM": "xterm"], true), (true, ["TERM": "xterm", "NO_COLOR": ""], true),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
            (true, ["TERM": "xterm", "NO_COLOR": "0"], false), (true, ["TERM": "dumb"], false),
            (true, ["TERM": ""], false), (true, [:], false), (false, ["TERM": "xterm"], false),
        ] as [(Bool, [String: String], Bool)])
    func decision(_ isTerminal: Bool, _ environment: [String: String], _ isOn: Bool) {
        let style = TerminalStyle(isTerminal: isTerminal) { environment[$0] }
        #expect(style.isOn == isOn)
        for meaning in TerminalStyle.Meaning.allCases {
            let marked = style.marked("x", as: meaning)
            #expect(marked == (isOn ? "\u{1b}[\(meaning.rawValue)mx\u{1b}[0m" : "x"))
        }
    }

    @Test("Signet's words are coloured, and what the token says is not")
    func terminal() throws {
        let folder = try CommandFolder()
        let claims = #"{"exp":1,"x":"\#u{9b}31mgood"}"#
        let token = [#"{"alg":"none"}"#, claims, ""].map { Base64URL.encode(Array($0.utf8)) }
            .joined(separator: ".")
        let line = "jwt decode -- \(token)"
        let shown = try folder.terminal([], line, environment: "NO_COLOR= TERM=xterm")
        let lines = shown.text.replacing("\r\n", with: "\n").split(separator: "\n")
        try #require(shown.status == 0 && lines.count == 4, "\(shown)")
        #expect(lines[0] == "\u{1b}[33mNOT VERIFIED: anyone can write this.\u{1b}[0m")
        #expect(lines[1] == #"header: {"alg":"none"}"#)
        #expect(lines[2] == #"claims: {"exp":1,"x":"\u009b31mgood"}"#)
        #expect(lines[3].hasPrefix("exp  1  1970-01-01T00:00:01Z  \u{1b}[31mexpired "))
        #expect(lines[3].hasSuffix(" y ago\u{1b}[0m"))
        for (environment, command) in [
            ("TERM=xterm NO_COLOR=1", line), ("TERM=dumb", line),
            ("TERM=xterm", "jwt decode --json -- \(token)"),
        ] {
            let plain = try folder.terminal([], command, environment: environment)
            #expect(plain.status == 0 && !plain.output.contains(0x1b), "\(plain)")
        }
        let piped = try folder.bash("TERM=xterm \"$SIGNET\" \(line)")
        #expect(piped.isGood && !piped.output.contains(0x1b), "\(piped)")
    }
}
