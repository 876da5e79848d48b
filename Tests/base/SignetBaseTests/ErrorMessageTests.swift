// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetPlatform
import TestSupport
import Testing

@Suite("The sentence of an error")
struct ErrorMessageTests {
    @Test("What a terminal would obey is not in a shown text", arguments: Hostile.controls)
    func obeyed(_ text: String) {
        let message: ErrorMessage = "Expected a name, found '\(shown: text)'."
        #expect(message.description == "Expected a name, found 'a\u{fffd}b'.")
    }

    @Test("Of a long text the beginning is shown")
    func long() {
        let message: ErrorMessage = "Found \(shown: String(repeating: "x", count: 60_000))."
        #expect(message.description == "Found " + String(repeating: "x", count: 63) + "….")
    }

    @Test("A sentence has at most 512 characters, whatever it is made of")
    func cap() {
        let part: ErrorMessage = "\(shown: String(repeating: "e\u{301}", count: 900))"
        let parts = [ErrorMessage](repeating: part, count: 40)
        var whole = part
        for _ in 0..<20 { whole += part }
        let messages: [ErrorMessage] = [
            whole, "\(parts, separator: "; ")",
            "\(path: String(repeating: "/x", count: 4_000)) and \(reported: Hostile.flood).",
            "\(SystemFailure(operation: "open \(Hostile.flood)", errno: 2))",
            "\(messageOf: ExampleError(.one, "\(reported: Hostile.flood)"))",
        ]
        for message in messages {
            #expect(message.description.unicodeScalars.count == ErrorMessage.maximumCount)
        }
    }

    @Test("Numbers, times, codes and other sentences are shown as they are")
    func values() {
        let error = ExampleError(.one, "It is \(7) of \(UInt8(9)).")
        let message: ErrorMessage = "\(messageOf: error) (\(error.code)) in \(Duration.seconds(15))"
        #expect(message.description == "It is 7 of 9. (one) in 15 s")
        #expect(("\(Duration.milliseconds(1_050))" as ErrorMessage).description == "1.050 s")
    }

    @Test(
        "A time of any length and sign is shown",
        arguments: [
            (.zero, "0 s"), (.milliseconds(-500), "-0.500 s"), (.milliseconds(-1_050), "-1.050 s"),
            (.nanoseconds(1), "0 s"), (.seconds(Int64.max), "9223372036854775807 s"),
            (Duration(attoseconds: .max), "170141183460469231731.687 s"),
            (Duration(attoseconds: .min), "-170141183460469231731.687 s"),
        ] as [(Duration, String)])
    func times(_ time: Duration, _ text: String) {
        #expect(("\(time)" as ErrorMessage).description == text)
        let range = ParameterRange("pause", time, in: .seconds(2) ... .seconds(3))
        #expect(range.fault?.description == "pause is 2 s to 3 s, not \(text).")
    }

    @Test(
        "A text that looks like a secret is not shown, wherever it stands",
        arguments: Hostile.secrets)
    func secrets(_ secret: String) {
        for text in [
            secret, "Bearer \(secret)", "token=\(secret)&a=b", "\n\(secret)\n", "é\(secret)é",
            "\"\(secret)\"", secret + " " + String(repeating: "x", count: 5_000),
        ] {
            let message: ErrorMessage = "Found \(shown: text) there."
            #expect(message.description == "Found \(SecretShape.hidden) there.", "\(text)")
        }
        for path in [secret, "/home/ann/\(secret)/a"] where secret.count != 64 {
            let message: ErrorMessage = "\(path: path) \(typed: path)"
            #expect(
                message.description == "\(SecretShape.hidden) \(SecretShape.hidden)", "\(path)")
        }
        let hidden: ErrorMessage = "\(typed: secret)"
        #expect(hidden.description == SecretShape.hidden)
        // What is cut off before it begins is not shown anyway.
        let behind: ErrorMessage = "\(shown: String(repeating: "é", count: 64) + " \(secret)")"
        #expect(behind.description == String(repeating: "é", count: 63) + "…")
    }

    @Test("A name is shown as it is", arguments: Hostile.names)
    func names(_ name: String) {
        let message: ErrorMessage = "Found '\(shown: name)'."
        #expect(message.description == "Found '\(name.cut(to: 64))'.")
        let path: ErrorMessage = "\(path: name)"
        #expect(path.description == "'\(name)'")
    }

    @Test("What looks like a secret costs little to find")
    func cost() {
        let time = ThreadClock.measure {
            for _ in 0..<100 {
                _ = SecretShape.begins(in: Hostile.flood, within: 64)
                _ = SecretShape.begins(in: String(repeating: "-", count: 60_000), within: 64)
            }
        }
        #expect(time < .seconds(5))
    }

    @Test("A path is quoted, and of a long one there is the beginning")
    func path() {
        let message: ErrorMessage = "No file at \(path: "/tmp/a\u{1b}[2J")."
        #expect(message.description == "No file at '/tmp/a\u{fffd}[2J'.")
        let long: ErrorMessage = "\(path: "/" + String(repeating: "x", count: 5_000))"
        #expect(long.description.unicodeScalars.count == 258)
    }

    @Test("A path whose bytes are no text is obeyed by no terminal either")
    func bytes() {
        let path = PathText.text(of: [0x61, 0xff] + Array("\u{202e}\u{1b}'".utf8))
        let message: ErrorMessage = "No file at \(path: path)."
        #expect(message.description == #"No file at $'a\377\342\200\256\033\''."#)
    }

    @Test("A long path leaves room for the reason and the remedy")
    func longPath() throws {
        let path = "/nonexistent/" + String(repeating: "folder/", count: 400)
        let failure = try #require(throws: SystemFailure.self) {
            try PrivateFile.read(path: path + "key", maximumByteCount: 1)
        }
        let message: ErrorMessage = "\(failure)"
        #expect(message.description.hasSuffix("…': No such file or directory; check the path"))
    }

    @Test("A failure of the system becomes a sentence of its own")
    func sentence() {
        let failure = SystemFailure(operation: "open 'a'", errno: 0, reason: "it is a folder")
        let message: ErrorMessage = "\(sentence: failure) Choose another."
        #expect(message.description == "Cannot open 'a': it is a folder. Choose another.")
    }
}

private enum Hostile {
    /// Each is `a`, a character that a terminal obeys, and `b`.
    static let controls = [
        "\u{0}", "\u{7}", "\n", "\r", "\u{1b}", "\u{7f}", "\u{85}", "\u{9b}", "\u{61c}", "\u{200f}",
        "\u{2028}", "\u{202e}", "\u{2066}",
    ].map { "a\($0)b" }
    static let flood = String(repeating: "token", count: 12_000)

    static let secrets = [
        HostileText.token, "eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..aaaa",
        "eyIxIjoiMSIsImFsZyI6IkhTMjU2In0", "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz",
        "srt_Q2F0Y2gtbWUtaWYteW91LWNhbi1yZWZyZXNoLXRva2VuLTEyMzQ1Njc4OTAxMjM0NTY",
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIHJl\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----",
        "AGE-SECRET-KEY-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0JQ8U3KE",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ]

    static let names = [
        "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
        "https://oidc.eks.us-east-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B716D3041E",
        "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI",
        "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
        "xvF3FpQ2mYlQ9C3yVdXbUuQGkPn0JZ5rTt8HhLwA1sE=",
        "0b0e2b3c6e8d8e7d0a9a5f1d3c2b1a0f9e8d7c6b", "X5eXk4xyojNFum1kl2Ytv8dlNP4-c57dO6QGTVBwaNk",
        "9188040d-6c67-4c5b-b112-36a304b66dad.9188040d-6c67-4c5b-b112-36a304b66dad",
        "1234567890-abc123def456ghi789jkl012mno345pq.apps.googleusercontent.com",
        "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "ann.smith+signet-2026@mail.example.co.uk",
        "/var/lib/docker/overlay2/Signet-Keys-2026/merged/etc/signet/Signing-Key-Of-2026.json",
        "monkeyJoinTableWithoutAnyNumberInIt", "surveyJsonData2026", "PRIVATE KEY",
        "https://claims.example/organisation/Department-Of-Things-2026/role",
        "ecdsa_brainpoolP320r1_sha384_p1363_test.json", "x-----", "beginning",
    ]
}

private typealias ExampleError = CodedError<ExampleErrorDomain>
private enum ExampleErrorDomain: ErrorDomain {}
extension ExampleError.Code {
    fileprivate static var one: Self { Self(rawValue: "one") }
}
