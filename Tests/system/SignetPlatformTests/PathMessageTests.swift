// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetPlatform
import TestSupport
import Testing

@Suite("A path in the sentence of an error")
struct PathMessageTests {
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

    @Test("A path that looks like a secret is not shown", arguments: MessageTexts.secrets)
    func secrets(_ secret: String) {
        for path in [secret, "/home/ann/\(secret)/a"] where secret.count != 64 {
            let message: ErrorMessage = "\(path: path) \(typed: path)"
            #expect(
                message.description == "\(SecretShape.hidden) \(SecretShape.hidden)", "\(path)")
        }
        let hidden: ErrorMessage = "\(typed: secret)"
        #expect(hidden.description == SecretShape.hidden)
    }

    @Test("A name is shown as it is", arguments: MessageTexts.names)
    func names(_ name: String) {
        let message: ErrorMessage = "\(path: name)"
        #expect(message.description == "'\(name)'")
    }

    @Test("A sentence with long paths has at most 512 characters")
    func cap() {
        let flood = String(repeating: "token", count: 12_000)
        let messages: [ErrorMessage] = [
            "\(path: String(repeating: "/x", count: 4_000)) and \(reported: flood).",
            "\(SystemFailure(operation: "open \(flood)", errno: 2))",
        ]
        for message in messages {
            #expect(message.description.unicodeScalars.count == ErrorMessage.maximumCount)
        }
    }
}
