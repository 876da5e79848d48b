// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// `let claims: JSONValue = ["sub": "u-1", "roles": ["admin"], "level": 3, "note": .null]`
//
// No literal for `null`: with one, `members["note"] = note.isEmpty ? nil : note` would compile as
// before and write a `null` where the member was to be left out.

extension JSONValue: ExpressibleByBooleanLiteral {
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// A number, as ``number(_:)`` even where it is whole.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// An object. If two members have the same name, the later member counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { $1 }))
    }
}
