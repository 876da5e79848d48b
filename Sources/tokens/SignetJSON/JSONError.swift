// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a JSON text was rejected or does not fit a Swift type. Two errors are equal when their codes
/// are. No error holds a value of the document, because claims are personal data.
///
/// The description of `JSONError(code: .typeMismatch, path: "aud[0]")` is "A value is not of the
/// type that is expected, at aud[0]."
public typealias JSONError = CodedError<JSONErrorDomain>

/// The domain of ``JSONError``.
public enum JSONErrorDomain: ErrorDomain {
    /// Where the text is wrong, or what does not fit it. Comparing errors ignores the details.
    public struct Details: Equatable, Sendable {
        /// The byte at which a text is not JSON.
        let offset: Int?
        /// The same byte for people, where the text was at hand.
        var place: Place?
        /// The member of valid JSON that does not fit.
        let path: String?
        /// The type of Foundation that Signet does not encode or decode.
        let foundationType: FoundationType?

        /// A line of the text, and the byte in it, counted from 1.
        struct Place: Sendable {
            let line: Int
            let column: Int
        }

        /// All are equal.
        public static func == (a: Self, b: Self) -> Bool { true }
    }

    /// The sentence with the place, without any value.
    public static func description(of error: JSONError) -> String {
        var place: ErrorMessage = ""
        if let path = error.path, !path.isEmpty { place += ", at \(shown: path)" }
        if let there = error.details.place {
            place += ", at line \(there.line), column \(there.column)"
        } else if let offset = error.offset {
            place += ", at byte \(offset)"
        }
        return sentence(for: error.code, at: place, details: error.details).description
    }

    /// The sentence for people: the fault, its place and, for a type of Foundation, what to declare
    /// instead.
    fileprivate static func sentence(
        for code: JSONError.Code, at place: ErrorMessage, details: Details
    ) -> ErrorMessage {
        let remedy: ErrorMessage = details.foundationType.map { " \($0.remedy)" } ?? ""
        return "\(fault(code))\(place).\(remedy)"
    }

    private static func fault(_ code: JSONError.Code) -> ErrorMessage {
        switch code {
        case .malformed: "The text is not JSON"
        case .duplicateMember: "An object has two members of one name"
        case .tooDeep: "Arrays and objects are nested too deeply"
        case .tooLarge: "The JSON text is too large"
        case .invalidUTF8: "The text is not UTF-8"
        case .typeMismatch: "A value is not of the type that is expected"
        case .missingMember: "A required member is absent"
        case .numberOutOfRange: "A number does not fit the type that is expected"
        case .unsupportedType: "The value has a Foundation type that is not supported"
        // A code is a text, and a program may make one that is not listed below.
        default: "The JSON text is invalid (\(code))"
        }
    }
}

extension JSONError.Code {
    /// The text is not JSON (RFC 8259), or holds a lone surrogate escape.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// An object names a member twice (RFC 7515, section 4; RFC 7519, section 4).
    public static var duplicateMember: Self { Self(rawValue: "duplicateMember") }
    /// Arrays and objects are nested past the limit.
    public static var tooDeep: Self { Self(rawValue: "tooDeep") }
    /// The text, or the number of values in it, is past the limit; or a name has more than 30
    /// combining characters in a row.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// The text is not well-formed UTF-8 (RFC 3629).
    public static var invalidUTF8: Self { Self(rawValue: "invalidUTF8") }
    /// A value does not have the requested type, or a type rejected the value.
    public static var typeMismatch: Self { Self(rawValue: "typeMismatch") }
    /// A required member or element is absent.
    public static var missingMember: Self { Self(rawValue: "missingMember") }
    /// A number is not finite, or does not fit the requested type exactly.
    public static var numberOutOfRange: Self { Self(rawValue: "numberOutOfRange") }
    /// The Swift type holds a `Date`, `URL`, `Data` or `Decimal` of Foundation, which Signet does
    /// not encode or decode. The program must change; the description says what to declare instead.
    public static var unsupportedType: Self { Self(rawValue: "unsupportedType") }
}

extension JSONError: CustomReflectable {
    /// Where the text is wrong, in bytes from its start; nil for valid JSON that does not fit the
    /// type.
    public var offset: Int? { details.offset }
    /// The line of ``offset``, from 1, where the text was at hand. Only a line feed ends a line.
    public var line: Int? { details.place?.line }
    /// The byte in ``line``, from 1.
    public var column: Int? { details.place?.column }
    /// The path of the wrong member, for example `address.lines[2]`; nil when unknown. It has
    /// member names and positions only. Names come from the document, so each is cut to 64
    /// characters of printable ASCII.
    public var path: String? { details.path }
    /// The code and the place, for a message in which they stand in brackets: `malformed, line 1,
    /// column 7`.
    package var fault: ErrorMessage {
        details.place.map { "\(code), line \($0.line), column \($0.column)" } ?? "\(code)"
    }
    /// The type to declare instead, for `unsupportedType`.
    package var remedy: ErrorMessage? { foundationType?.remedy }
    /// For `unsupportedType`.
    var foundationType: FoundationType? { details.foundationType }

    /// Makes an error.
    public init(code: Code, offset: Int? = nil, path: String? = nil) {
        self.init(code: code, offset: offset, path: path, foundationType: nil)
    }

    init(code: Code, offset: Int? = nil, path: String? = nil, foundationType: FoundationType?) {
        self.init(
            code, details: .init(offset: offset, path: path, foundationType: foundationType))
    }

    /// The error of a text at a byte of it.
    init(code: Code, offset: Int, in text: [UInt8]) {
        var place = Domain.Details.Place(line: 1, column: 1)
        for byte in text.prefix(offset) {
            place =
                byte == 0x0a
                ? .init(line: place.line + 1, column: 1)
                : .init(line: place.line, column: place.column + 1)
        }
        self.init(
            code, details: .init(offset: offset, place: place, path: nil, foundationType: nil))
    }

    /// The message is without the place: the description adds it.
    private init(_ code: Code, details: Domain.Details) {
        self.init(code, details: details, Domain.sentence(for: code, at: "", details: details))
    }

    /// Shows the code, the offset and the path, and nothing of the document.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["code": code.rawValue, "offset": offset as Any, "path": path as Any])
    }
}

extension ErrorMessage.StringInterpolation {
    /// The fault of a text and its place, without any value of the text. `reported:` takes a text
    /// as it is, where `shown:` would escape and cut it.
    package mutating func appendInterpolation(_ error: JSONError) {
        appendInterpolation(reported: error.description)
    }
}
