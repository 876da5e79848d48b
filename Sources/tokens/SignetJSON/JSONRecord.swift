// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The kind of a JSON value.
package enum JSONKind: UInt8, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object
}

/// An entry of the index over a document: a value, or the name of the member whose value comes
/// next. Entries are in the order of the text; a container's contents lie between its entry and
/// `next`. The index of `{"aud":["a","b"],"exp":7}`:
///
/// ```
/// entry  text       next
///     0  {…}           7    the object
///     1  aud           2    a name
///     2  […]           5    its value
///     3  a             4
///     4  b             5
///     5  exp           6    the next name, at the `next` of the value before
///     6  7             7
/// ```
struct JSONRecord: Sendable {
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        /// A string or name with escapes.
        static let escaped = Flags(rawValue: 1)
        /// A string or name with non-ASCII bytes.
        static let beyondASCII = Flags(rawValue: 2)
        /// A number without fraction or exponent.
        static let integer = Flags(rawValue: 4)
        /// The literal `true`.
        static let isTrue = Flags(rawValue: 8)
        /// An object with more than ``JSONRecord/smallMemberCount`` members.
        static let large = Flags(rawValue: 16)
    }

    /// Up to this many members are searched linearly, more by hash.
    static let smallMemberCount = 32

    /// The first byte: of a string, after its quotation mark.
    var start: UInt32
    /// The byte after the end: for a string, its closing quotation mark.
    var end: UInt32
    /// The entry after this entry and everything inside it.
    var next: UInt32
    var kind: JSONKind
    var flags: Flags
    /// The first and the last byte of a string or name as written; if it is empty, its quotation
    /// marks. Different names mostly differ here.
    var ends: UInt16
}

/// The error that the scanner throws: small, so the usual path carries no strings.
struct JSONFault: Error {
    enum Kind {
        case malformed
        case duplicateMember
        case tooDeep
        case tooLarge
        case invalidUTF8
    }

    let kind: Kind
    let offset: Int

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The error for people.
    func described(in text: [UInt8]) -> JSONError {
        let code: JSONError.Code =
            switch kind {
            case .malformed: .malformed
            case .duplicateMember: .duplicateMember
            case .tooDeep: .tooDeep
            case .tooLarge: .tooLarge
            case .invalidUTF8: .invalidUTF8
            }
        return JSONError(code: code, offset: offset, in: text)
    }
}
