// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase

/// A message by RFC 5322: a UTF-8 text in base64, so no line is longer than 76 characters or begins
/// with a dot.
struct MailMessage {
    let from: String
    /// The name before the sender's address; empty for none.
    let name: String
    let to: String
    let text: MessageText
    /// The part of the message's identifier before the `@`.
    let id: String
    /// The part after the `@`.
    let domain: String
    let date: NumericDate

    /// The most characters in a line of base64 (RFC 2045, section 6.8).
    private static let lineLength = 76

    var bytes: [UInt8] {
        let sender = name.isEmpty ? "<\(from)>" : EncodedText.words(name) + "\r\n <\(from)>"
        let head = [
            "Date: \(date.rfc5322)", "From: \(sender)", "To: <\(to)>",
            "Subject: \(EncodedText.field(text.subject))", "Message-ID: <\(id)@\(domain)>",
            // RFC 3834, section 5: no automatic replies.
            "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
        ]
        var lines = head.map { Array($0.utf8) }
        var rest = Array(Base64Text.encode(Array(text.body.utf8)).utf8)[...]
        while !rest.isEmpty {
            lines.append(Array(rest.prefix(Self.lineLength)))
            rest = rest.dropFirst(Self.lineLength)
        }
        return lines.flatMap { $0 + [0x0d, 0x0a] }
    }
}
