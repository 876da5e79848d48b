// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A mail server's replies so far: enough to know what a failure is about, and whether the message
/// was accepted (RFC 5321, section 4.2).
package struct MailReplies {
    /// The limit for all lines of all replies.
    package static var maximumByteCount: Int { 65_536 }

    /// Whether the server has asked for the message: later replies are about the message.
    package private(set) var hasAskedForMessage = false
    /// Whether the server has accepted the message.
    package private(set) var isAccepted = false
    private var byteCount = 0

    package init() {}

    /// Takes a line with its end; false over the limit.
    package mutating func take(_ line: some RandomAccessCollection<UInt8>) -> Bool {
        guard line.count <= Self.maximumByteCount - byteCount else { return false }
        byteCount += line.count
        // 250-TEXT, and 250 TEXT as the last line of a reply (RFC 5321, section 4.2). Only the last
        // line counts.
        guard line.dropFirst(3).first != UInt8(ascii: "-") else { return true }
        if hasAskedForMessage {
            isAccepted = isAccepted || line.starts(with: "250".utf8)
        } else {
            hasAskedForMessage = line.starts(with: "354".utf8)
        }
        return true
    }
}
