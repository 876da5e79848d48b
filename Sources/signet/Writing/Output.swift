// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetPlatform

/// Standard output and standard error.
///
/// What does not reach standard output is a failure: a new key that met a full disk must not end
/// with status 0.
enum Output {
    static func line(_ text: String) throws { try bytes(Array((text + "\n").utf8)) }

    /// An answer for a script, as ``JSONOutput/line(_:texts:)`` takes it.
    static func json(_ members: [String: JSONValue?], texts: [String: [UInt8]] = [:]) throws {
        try line(JSONOutput.line(members, texts: texts))
    }

    /// The same with texts that a server or its users have chosen: nothing in it is obeyed by a
    /// terminal.
    static func shownJSON(_ members: [String: JSONValue?]) throws {
        try bytes(JSONOutput.oneLine(Array(try JSONOutput.line(members).utf8)) + [0x0a])
    }

    /// A command's answer: for a script that asks for JSON the members, for anybody else the text.
    static func answer(json isJSON: Bool, _ members: [String: JSONValue?], _ text: String) throws {
        if isJSON { try json(members) } else { try line(text) }
    }

    static func bytes(_ bytes: [UInt8]) throws { try Output.bytes(bytes.span) }

    static func bytes(_ bytes: Span<UInt8>) throws {
        do throws(SystemFailure) {
            try write(bytes, to: .output)
        } catch {
            throw CommandFailure(writing: error)
        }
    }

    /// A remark for the person at the terminal. A failure cannot be reported anywhere.
    static func errorLine(_ text: String) {
        try? write(Array((text.shown(keeping: "\n") + "\n").utf8).span, to: .errors)
    }

    /// Tells which keys of a set are of no use here, and why.
    static func leftOut(_ keys: [SkippedKey]) {
        for key in keys { errorLine("signet: left out \(key)") }
    }

    /// Everything that the program writes to a standard stream passes here.
    static func write(_ bytes: Span<UInt8>, to stream: StandardStreams.Stream) throws(SystemFailure)
    {
        guard let captured = CapturedStreams.current else {
            return try StandardStreams.write(bytes, to: stream)
        }
        captured.append(bytes, to: stream)
    }

    static func error(_ failure: CommandFailure) {
        errorLine("signet: \(failure.message) [\(failure.code)]")
        if let advice = failure.advice { errorLine("        \(advice)") }
    }
}

extension Unicode.Scalar {
    /// Control characters, and those that turn the direction of writing or end a line.
    var isObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7f...0x9f, 0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
