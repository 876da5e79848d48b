// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Paths as messages write them.
extension PathText {
    /// The text with each byte that is not UTF-8 as `\` and three octal digits. A text of UTF-8
    /// alone stays as it is.
    package static func shown(_ text: String) -> String {
        guard hasPairs(text) else { return text }
        return written(text) { String($0) }
    }

    /// A path with bytes that are not UTF-8 as one word of a shell (bash, zsh, ksh; POSIX since
    /// 2024), safe to paste: `$'m\374ller'`. Nil for a path without such bytes.
    ///
    /// - Parameter obeyed: whether a path with characters that a terminal would obey is written in
    ///   the same way.
    package static func shellWord(_ text: String, obeyed: Bool = false) -> String? {
        let isObeyed = obeyed && text.unicodeScalars.contains(where: \.isObeyed)
        guard isObeyed || hasPairs(text) else { return nil }
        let inside = written(text) { scalar in
            switch scalar {
            case "'", "\\": "\\" + String(scalar)
            case _ where scalar.isObeyed: String(scalar).utf8.map(octal).joined()
            default: String(scalar)
            }
        }
        return "$'\(inside)'"
    }

    /// Any text as one word of a shell, in quotation marks, safe to paste. A terminal obeys nothing
    /// in it.
    package static func quotedWord(_ text: String) -> String {
        if let word = shellWord(text, obeyed: true) { return word }
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.map(String.init).joined(separator: "'\\''") + "'"
    }

    private static func written(_ text: String, _ write: (Unicode.Scalar) -> String) -> String {
        var written = ""
        var rest = bytes(of: text)[...]
        while !rest.isEmpty {
            let (scalar, count) = scalar(at: rest)
            if let scalar {
                written += write(scalar)
            } else {
                for byte in rest.prefix(count) { written += octal(byte) }
            }
            rest = rest.dropFirst(count)
        }
        return written
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }
}
