// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// A subject and a text in UTF-8. Printing shows nothing, because the text contains the code.
public struct MessageText: Sendable, Redacted {
    /// The longest subject, in bytes.
    public static var maximumSubjectByteCount: Int { 256 }
    /// The longest body, in bytes.
    public static var maximumBodyByteCount: Int { 65_536 }

    let subject: String
    package let body: String

    /// Makes a text.
    ///
    /// - Parameters:
    ///   - subject: one line.
    ///   - body: lines separated by `\n` or `\r\n`.
    /// - Throws: `invalidParameter` for an empty or overlong text, and for control characters
    ///   except tabs in the body: nothing here can become a field of the message.
    public init(subject: String, body: String) throws(AccountError) {
        guard (1...Self.maximumSubjectByteCount).contains(subject.utf8.count) else {
            throw AccountError(
                .invalidParameter,
                "A message's subject has 1 to \(Self.maximumSubjectByteCount) bytes, not "
                    + "\(subject.utf8.count).")
        }
        guard (1...Self.maximumBodyByteCount).contains(body.utf8.count) else {
            throw AccountError(
                .invalidParameter,
                "A message's body has 1 to 65,536 bytes, not \(body.utf8.count).")
        }
        let lines = Self.lines(body)
        guard Self.isText(subject), lines.allSatisfy(Self.isTextWithTabs) else {
            throw AccountError(
                .invalidParameter, "A subject or a body holds a control character.")
        }
        self.subject = subject
        self.body = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\r\n")
    }

    /// Without control characters and line separators of any kind.
    static func isText(_ text: String) -> Bool { isText(text.unicodeScalars) }

    private static func isTextWithTabs(_ line: [UInt8]) -> Bool {
        isText(String(decoding: line, as: UTF8.self).unicodeScalars.lazy.filter { $0 != "\t" })
    }

    private static func isText(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        scalars.allSatisfy {
            switch $0.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }

    /// The lines without their ends; a CR that ends no line stays, and is rejected.
    private static func lines(_ body: String) -> [[UInt8]] {
        body.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
            Array(line.last == 0x0d ? line.dropLast() : line)
        }
    }
}
