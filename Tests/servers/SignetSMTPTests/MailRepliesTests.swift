// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CurlBridge
import Testing

@Suite("Replies of a mail server")
struct MailRepliesTests {
    private static func read(_ lines: [String]) -> (MailReplies, isTaken: Bool) {
        var replies = MailReplies()
        for line in lines where !replies.take(Array(line.utf8)) { return (replies, false) }
        return (replies, true)
    }

    @Test(
        "A message is accepted by 250 after 354 only",
        arguments: [
            (["220 a\r\n", "250 b\r\n", "354 go\r\n", "250 OK\r\n"], true, true),
            (["354 go\r\n", "250-a\r\n", "250 OK\r\n"], true, true),
            (["354 go\r\n", "250-a\r\n"], true, false), (["354 go\n", "250\n"], true, true),
            (["354-a\r\n", "250 OK\r\n"], false, false), (["250 OK\r\n"], false, false),
            (["354 go\r\n", "550 no\r\n"], true, false), (["354 go\r\n", "25\r\n"], true, false),
            (["354 go\r\n", "\r\n", ""], true, false), ([], false, false),
        ] as [([String], Bool, Bool)])
    func accepted(_ lines: [String], _ isAsked: Bool, _ isAccepted: Bool) {
        let (replies, isTaken) = Self.read(lines)
        #expect(isTaken)
        #expect(replies.hasAskedForMessage == isAsked && replies.isAccepted == isAccepted)
    }

    @Test("All replies together have 64 KiB")
    func limit() {
        let line = "250-" + String(repeating: "a", count: 1018) + "\r\n"
        #expect(Self.read([String](repeating: line, count: 64)).isTaken)
        #expect(!Self.read([String](repeating: line, count: 65)).isTaken)
    }
}
