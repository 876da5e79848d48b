// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
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

    @Test("Of a sentence from outside as much is shown as is asked for, and no secret in it")
    func longer() {
        let text = String(repeating: "word ", count: 40) + "\u{1b}[2J"
        #expect(("\(shown: text, upTo: 300)" as ErrorMessage).description.hasSuffix("\u{fffd}[2J"))
        let cut: ErrorMessage = "\(shown: text, upTo: 10)"
        #expect(cut.description == "word word…")
        let secret = text + " eyJhbGciOiJIUzI1NiJ9.e30.c2ln"
        #expect(("\(shown: secret, upTo: 300)" as ErrorMessage).description == SecretShape.hidden)
    }

    @Test(
        "Asked for no character or fewer, a sentence shows an ellipsis",
        arguments: [0, -1, Int.min])
    func nothing(_ count: Int) {
        let secret = "eyJhbGciOiJIUzI1NiJ9.e30.c2ln"
        for text in ["a", "word word", String(repeating: "é", count: 400), secret] {
            #expect(("\(shown: text, upTo: count)" as ErrorMessage).description == "…")
        }
        #expect(("\(shown: "", upTo: count)" as ErrorMessage).description.isEmpty)
        #expect(("\(shown: "é", upTo: .max)" as ErrorMessage).description == "é")
    }

    @Test("An error of a domain without limits names none")
    func limits() {
        #expect((ExampleError(.one, "One.") as any AnyCodedError).reachedLimit == nil)
    }

    @Test("A sentence has at most 512 characters, whatever it is made of")
    func cap() {
        let part: ErrorMessage = "\(shown: String(repeating: "e\u{301}", count: 900))"
        let parts = [ErrorMessage](repeating: part, count: 40)
        var whole = part
        for _ in 0..<20 { whole += part }
        let messages: [ErrorMessage] = [
            whole, "\(parts, separator: "; ")",
            "\(reported: Hostile.flood).",
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
        let range = ParameterRange("pause", value: time, in: .seconds(2) ... .seconds(3))
        #expect(range.fault?.description == "pause is 2 s to 3 s, not \(text).")
    }

    @Test(
        "A text that looks like a secret is not shown, wherever it stands",
        arguments: MessageTexts.secrets)
    func secrets(_ secret: String) {
        for text in [
            secret, "Bearer \(secret)", "token=\(secret)&a=b", "\n\(secret)\n", "é\(secret)é",
            "\"\(secret)\"", secret + " " + String(repeating: "x", count: 5_000),
        ] {
            let message: ErrorMessage = "Found \(shown: text) there."
            #expect(message.description == "Found \(SecretShape.hidden) there.", "\(text)")
        }
        // What is cut off before it begins is not shown anyway.
        let behind: ErrorMessage = "\(shown: String(repeating: "é", count: 64) + " \(secret)")"
        #expect(behind.description == String(repeating: "é", count: 63) + "…")
    }

    @Test("A name is shown as it is", arguments: MessageTexts.names)
    func names(_ name: String) {
        let message: ErrorMessage = "Found '\(shown: name)'."
        #expect(message.description == "Found '\(name.cut(to: 64))'.")
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
}

private enum Hostile {
    /// Each is `a`, a character that a terminal obeys, and `b`.
    static let controls = [
        "\u{0}", "\u{7}", "\n", "\r", "\u{1b}", "\u{7f}", "\u{85}", "\u{9b}", "\u{61c}", "\u{200f}",
        "\u{2028}", "\u{202e}", "\u{2066}",
    ].map { "a\($0)b" }
    static let flood = String(repeating: "token", count: 12_000)
}

private typealias ExampleError = CodedError<ExampleErrorDomain>
private enum ExampleErrorDomain: ErrorDomain {}
extension ExampleError.Code {
    fileprivate static var one: Self { Self(rawValue: "one") }
}
