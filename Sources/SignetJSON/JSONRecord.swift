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

/// One entry of the index over a document: a value, or the name of the member whose value is the
/// entry after it. Entries are in the order of the text; what is inside of a container lies
/// between its entry and the one that it leads to.
struct JSONRecord: Sendable {
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        /// A string or name that has to be unescaped.
        static let escaped = Flags(rawValue: 1)
        /// A string or name with bytes past ASCII.
        static let beyondASCII = Flags(rawValue: 2)
        /// A number without fraction and exponent.
        static let integer = Flags(rawValue: 4)
        /// The literal `true`.
        static let isTrue = Flags(rawValue: 8)
        /// An object with more than ``JSONRecord/smallMemberCount`` members.
        static let large = Flags(rawValue: 16)
    }

    /// Up to here, members are looked for one by one; past it, by hash.
    static let smallMemberCount = 32

    /// The first byte: of a string, after its quotation mark.
    var start: UInt32
    /// The byte behind the last one: of a string, its closing quotation mark.
    var end: UInt32
    /// The entry behind this one and all that is inside of it.
    var next: UInt32
    var kind: JSONKind
    var flags: Flags
    /// Of a name, its ends.
    var ends: Ends = 0

    /// The first and the last byte of a text, unescaped: most names that differ, differ here.
    typealias Ends = UInt16

    @inline(__always)
    static func ends(of text: Span<UInt8>) -> Ends {
        guard text.count > 0 else { return 0 }
        return UInt16(text[0]) | UInt16(text[text.count &- 1]) << 8
    }
}

extension ContiguousArray<JSONRecord> {
    /// The entry behind the member whose name is at `position`.
    @inline(__always)
    func name(after position: Int) -> Int {
        let value = self[position &+ 1]
        // Most values are scalars, behind which the processor goes on without waiting for `next`.
        guard value.kind == .array || value.kind == .object else { return position &+ 2 }
        return Int(value.next)
    }
}

/// What the scanner throws: small, so that the usual way carries no strings.
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

    var described: JSONError {
        let code: JSONError.Code =
            switch kind {
            case .malformed: .malformed
            case .duplicateMember: .duplicateMember
            case .tooDeep: .tooDeep
            case .tooLarge: .tooLarge
            case .invalidUTF8: .invalidUTF8
            }
        return JSONError(code: code, offset: offset)
    }
}
