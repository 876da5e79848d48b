// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Checks the text of HTTP header fields (RFC 9110, section 5).
package enum FieldText {
    /// Whether the text is a token (section 5.6.2), as names are.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isToken)
    }

    /// Whether the text has no control character: a line end would begin a new field. The tab,
    /// which RFC 9110 allows inside a value, is refused too: no field that Signet sends needs a
    /// tab.
    package static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }

    package static func isToken(_ octet: UInt8) -> Bool {
        octet.isDigit || octet.isLetter || "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }
}
