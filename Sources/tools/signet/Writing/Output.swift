// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
internal import SignetJOSE
internal import SignetPlatform

/// Standard output and standard error.
///
/// A command fails if its output does not reach standard output: a new key that met a full disk
/// must not give status 0.
enum Output {
    /// Whether standard output is a terminal, which obeys some characters.
    static var isTerminal: Bool {
        CapturedStreams.current == nil && isatty(STDOUT_FILENO) == 1
    }

    static func line(_ text: String) throws { try bytes(Array((text + "\n").utf8)) }

    /// An answer for a script, as ``JSONOutput/line(_:texts:)`` takes it.
    static func json(_ members: [String: JSONValue?], texts: [String: [UInt8]] = [:]) throws {
        try line(JSONOutput.line(members, texts: texts))
    }

    /// Writes an answer for a script with texts that a server or its users have chosen: a terminal
    /// obeys nothing in it.
    static func shownJSON(_ members: [String: JSONValue?]) throws {
        try bytes(JSONOutput.oneLine(Array(try JSONOutput.line(members).utf8)) + [0x0a])
    }

    /// A command's answer: the members as JSON for a script that asks for it, otherwise the text.
    /// Signers choose some of the members, so a terminal obeys nothing in the JSON.
    static func printResult(json isJSON: Bool, members: [String: JSONValue?], text: String) throws {
        if isJSON { try shownJSON(members) } else { try line(text) }
    }

    static func bytes(_ bytes: [UInt8]) throws { try Output.bytes(bytes.span) }

    static func bytes(_ bytes: Span<UInt8>) throws {
        do {
            try write(bytes, to: .output)
        } catch {
            throw CommandFailure(writing: error)
        }
    }

    /// A remark for the person at the terminal. There is no place to report if writing it fails.
    static func errorLine(_ text: String) {
        try? write(Array((text.shown(keeping: "\n") + "\n").utf8).span, to: .errors)
    }

    /// Says how a new file derives its key from a passphrase, where that is not scrypt.
    static func noteDerivation() {
        guard PasswordAlgorithm.forFiles == .pbkdf2() else { return }
        errorLine(
            "signet: PBKDF2 with 600000 iterations, since the loaded libcrypto offers no scrypt")
    }

    /// Reports which keys of a set cannot be used here, and why.
    static func leftOut(_ keys: [SkippedKey]) {
        for key in keys { errorLine("signet: left out \(key)") }
    }

    /// Writes to a standard stream. Everything that the program writes there passes through here.
    static func write(_ bytes: Span<UInt8>, to stream: StandardStreams.Stream) throws(SystemFailure)
    {
        guard let captured = CapturedStreams.current else {
            if stream == .errors || isTerminal { ProgressLine.erase() }
            return try StandardStreams.write(bytes, to: stream)
        }
        captured.append(bytes, to: stream)
    }

    static func error(_ failure: CommandFailure) {
        errorLine("signet: \(failure.message) [\(failure.code)]")
        if let advice = failure.advice { errorLine("        \(advice)") }
    }
}
