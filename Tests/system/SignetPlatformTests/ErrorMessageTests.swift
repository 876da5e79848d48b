// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetPlatform
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

    @Test("A path is quoted, and of a long one there is the beginning")
    func path() {
        let message: ErrorMessage = "No file at \(path: "/tmp/a\u{1b}[2J")."
        #expect(message.description == "No file at '/tmp/a\u{fffd}[2J'.")
        let long: ErrorMessage = "\(path: "/" + String(repeating: "x", count: 5_000))"
        #expect(long.description.unicodeScalars.count == 258)
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
}

private typealias ExampleError = CodedError<ExampleErrorDomain>
private enum ExampleErrorDomain: ErrorDomain {}
extension ExampleError.Code {
    fileprivate static var one: Self { Self(rawValue: "one") }
}
