// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJSON

/// A message by RFC 5322: one UTF-8 text in base64, so no line is longer than 76 characters or
/// begins with a dot.
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

    var bytes: [UInt8] {
        let sender = name.isEmpty ? "<\(from)>" : EncodedText.words(name) + "\r\n <\(from)>"
        let head = [
            "Date: \(Self.text(of: date))", "From: \(sender)", "To: <\(to)>",
            "Subject: \(EncodedText.field(text.subject))", "Message-ID: <\(id)@\(domain)>",
            // RFC 3834, section 5: no automatic replies.
            "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
        ]
        var lines = head.map { Array($0.utf8) }
        var rest = Array(Base64Standard.encode(text.body.utf8).utf8)[...]
        while !rest.isEmpty {
            lines.append(Array(rest.prefix(76)))
            rest = rest.dropFirst(76)
        }
        return lines.flatMap { $0 + [0x0d, 0x0a] }
    }

    /// RFC 5322, section 3.3. Times before 1970 or after 9999 are clamped.
    static func text(of date: NumericDate) -> String {
        let seconds = Int(min(max(date.secondsSince1970, 0), Double(CivilTime.latest)))
        return CivilTime(secondsSince1970: seconds).rfc5322
    }
}
