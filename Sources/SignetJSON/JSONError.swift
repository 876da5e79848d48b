// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a JSON text was refused, or why a Swift value and a JSON text do not fit. Two errors are equal when their
/// codes are. No error holds a value of the document: claims are personal data.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// What is wrong: stable, to be matched on; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String

        /// Makes a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text is not JSON (RFC 8259), or holds a lone surrogate escape.
        public static let malformed = Code(rawValue: "malformed")
        /// An object names a member twice (RFC 7515, section 4; RFC 7519, section 4).
        public static let duplicateMember = Code(rawValue: "duplicateMember")
        /// Arrays and objects are nested past the limit.
        public static let tooDeep = Code(rawValue: "tooDeep")
        /// The text, or the number of values in it, is past the limit; or a name has more than 30 combining characters
        /// in a row.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The text is not well-formed UTF-8 (RFC 3629).
        public static let invalidUTF8 = Code(rawValue: "invalidUTF8")
        /// A value is of another type than asked for, or a type refused the value.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// A required member or element is absent.
        public static let missingMember = Code(rawValue: "missingMember")
        /// A number does not fit the type asked for exactly, or is not finite.
        public static let numberOutOfRange = Code(rawValue: "numberOutOfRange")
        /// The Swift type holds a `Date`, `URL`, `Data` or `Decimal` of Foundation, which are not
        /// coded: the program is at fault, and the description says what to declare instead.
        public static let unsupportedType = Code(rawValue: "unsupportedType")
    }

    /// What is wrong.
    public let code: Code
    /// Where the text is wrong, in bytes from its start; nil when it is JSON and does not fit the
    /// type.
    public let offset: Int?
    /// The member that is wrong: member names and positions only, such as `address.lines[2]`; nil when unknown.
    /// Names come from the document, so each is cut to 64 characters and is printable ASCII.
    public let path: String?
    /// For `unsupportedType`.
    let foundationType: FoundationType?

    /// Makes an error.
    public init(code: Code, offset: Int? = nil, path: String? = nil) {
        self.init(code: code, offset: offset, path: path, foundationType: nil)
    }

    init(code: Code, offset: Int? = nil, path: String? = nil, foundationType: FoundationType?) {
        self.code = code
        self.offset = offset
        self.path = path
        self.foundationType = foundationType
    }

    /// Shows the code, the offset and the path, and nothing of the document.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["code": code.rawValue, "offset": offset as Any, "path": path as Any])
    }

    /// Errors are equal when their codes are.
    public static func == (a: JSONError, b: JSONError) -> Bool { a.code == b.code }

    /// A sentence for a person, with the place and without any value.
    public var description: String {
        var text =
            switch code {
            case .malformed: "The text is not JSON"
            case .duplicateMember: "An object has two members of one name"
            case .tooDeep: "Arrays and objects are nested too deep"
            case .tooLarge: "The JSON text is too large"
            case .invalidUTF8: "The text is not UTF-8"
            case .typeMismatch: "A value is not of the type that is expected"
            case .missingMember: "A required member is absent"
            case .numberOutOfRange: "A number does not fit the type that is expected"
            case .unsupportedType: "A type of Foundation is not coded"
            default: "The JSON text is invalid (\(code.rawValue))"
            }
        if let path, !path.isEmpty { text += ", at \(path)" }
        if let offset { text += ", at byte \(offset)" }
        return text + "." + (remedy.map { " \($0)" } ?? "")
    }

    /// What to declare instead, for `unsupportedType`.
    package var remedy: String? { foundationType?.remedy }
}
