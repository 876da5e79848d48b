// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A person's name, in any script. It is for display only and decides nothing.
///
/// Surrounding spaces are removed. Rejected: a name without visible characters, more than 100
/// Unicode scalars, control characters, line breaks, and characters that change the direction of
/// the surrounding text. **Not** checked: that the text is a person's name, whose name it is, and
/// what it says. Escape the name before writing it into a page. Printing does not show it.
public struct PersonName: Sendable, Redacted {
    /// The longest name, in Unicode scalars.
    public static let maximumScalarCount = 100

    /// The name.
    public let text: String

    /// A name from a form, or from a provider.
    ///
    /// - Throws: `invalidName`.
    public init(_ text: String) throws(SignInInputError) {
        // The size is checked before the text is split. A scalar has up to four bytes, and
        // surrounding spaces get as many again.
        guard text.utf8.count <= 8 * Self.maximumScalarCount else { throw Self.invalid }
        let name = Self.trimmed(text)
        guard name.count <= Self.maximumScalarCount, name.allSatisfy(Self.isAllowed),
            name.contains(where: Self.isSeen)
        else { throw Self.invalid }
        self.text = String(name)
    }

    /// The first word.
    var first: Substring {
        let scalars = text.unicodeScalars
        return text[..<(scalars.firstIndex { $0.properties.isWhitespace } ?? scalars.endIndex)]
    }

    static func trimmed(_ text: String) -> Substring.UnicodeScalarView {
        var rest = text.unicodeScalars[...]
        while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        return rest
    }

    /// Whether a character may stand in a name.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
            false
        // Joiners are allowed, which some scripts and emoji need, but no character that changes the
        // direction.
        case .format: scalar == "\u{200c}" || scalar == "\u{200d}"
        default: true
        }
    }

    /// Whether a character leaves something to see.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .format, .nonspacingMark, .enclosingMark, .spacingMark: false
        // Invisible: fillers, which Unicode calls letters, and the empty Braille pattern.
        default: !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}"
        }
    }

    private static var invalid: SignInInputError {
        SignInInputError(.invalidName, "Please enter a name of at most 100 characters.")
    }
}

extension SignInInputError.Code {
    /// A name that is invisible, too long, or holds characters that cannot be shown.
    public static var invalidName: Self { Self(rawValue: "invalidName") }
}
