// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Decodes a Swift type from a ``JSONNode``, a value of a parsed document:
/// `try JSONTokenDecoder().decode(Claims.self, from: document.root)` reads `{"exp":7}` into a
/// `struct Claims: Decodable { let exp: Int }`. The text was checked and indexed when the document
/// was parsed; an *entry* (``JSONRecord``) is a value in that index, and a position its number.
///
/// Strict: a value of the wrong type is an error and never "absent". Integers are exact and must
/// fit the type; `Double` and `Float` must be finite. As usual with `Codable`, `null` counts as
/// absent for an optional, and members that the type does not ask for are ignored.
package struct JSONTokenDecoder: Sendable {
    package init() {}

    /// Decodes a value.
    ///
    /// Containers throw `DecodingError`, whose path is printable and whose text holds no value.
    /// - Throws: ``JSONError`` with the path: `typeMismatch`, `missingMember`, `numberOutOfRange`
    ///   or `unsupportedType`. An error of the type's own becomes `typeMismatch`, without its text,
    ///   which may hold a value.
    package func decode<Value: Decodable>(_ type: Value.Type, from node: JSONNode) throws(JSONError)
        -> Value
    {
        node.index.forgetFailures()
        do {
            return try node.index.value(type, at: node.position)
        } catch {
            throw node.index.converted(error)
        }
    }

    /// Reads a text and decodes a value from it.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], limits: JSONDocument.Limits = .init()
    ) throws(JSONError) -> Value {
        try decode(type, from: JSONDocument(bytes, limits: limits).root)
    }
}

/// A value as a decoder, which a type's `init(from:)` gets. It carries no path, because the index
/// can find it again: so it is small enough for `any Decoder` to hold without an allocation.
struct JSONNodeDecoder: Decoder, SingleValueDecodingContainer {
    let index: JSONIndex
    let position: Int

    var codingPath: [any CodingKey] { index.codingPath(to: position) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try JSONKeyedDecoding(index: index, position: position))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedDecoding(index: index, position: position)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { index[position].kind == .null }
    func decode(_ type: String.Type) throws -> String { try index.string(at: position) }
    func decode(_ type: Bool.Type) throws -> Bool { try index.bool(at: position) }
    func decode(_ type: Double.Type) throws -> Double { try index.double(at: position) }
    func decode(_ type: Float.Type) throws -> Float { try index.float(at: position) }
    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        try index.integer(at: position)
    }
    func decode(_ type: Int128.Type) throws -> Int128 { try index.integer(at: position) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try index.integer(at: position) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try index.value(type, at: position)
    }
}

// The value at a position as a Swift type, or the error that says what stands there instead.
extension JSONIndex {
    func string(at position: Int) throws(DecodingError) -> String {
        let record = self[position]
        guard record.kind == .string else {
            throw mismatch(String.self, expected: "a string", at: position)
        }
        return text(of: record).swiftString()
    }

    func bool(at position: Int) throws(DecodingError) -> Bool {
        let record = self[position]
        guard record.kind == .bool else {
            throw mismatch(Bool.self, expected: "a boolean", at: position)
        }
        return record.flags.contains(.isTrue)
    }

    func integer<Value: FixedWidthInteger>(at position: Int) throws(DecodingError) -> Value {
        let record = self[position]
        // Nearly all have at most 18 digits, and are computed as Int64: arithmetic in a generic
        // type is slow.
        if let short = shortInteger(record) {
            let value = Value(truncatingIfNeeded: short)
            // It fits if nothing was lost on the way there and back.
            guard Int64(truncatingIfNeeded: value) == short, short >= 0 || Value.isSigned else {
                throw numberFault(Value.self, at: position)
            }
            return value
        }
        guard let value = integer(record, as: Value.self) else {
            throw numberFault(Value.self, at: position)
        }
        return value
    }

    func double(at position: Int) throws(DecodingError) -> Double {
        guard let value = double(self[position]) else {
            throw numberFault(Double.self, at: position)
        }
        return value
    }

    func float(at position: Int) throws(DecodingError) -> Float {
        guard let double = double(self[position]) else {
            throw numberFault(Float.self, at: position)
        }
        // Infinite for a number beyond the range of Float.
        let value = Float(double)
        guard value.isFinite else { throw numberFault(Float.self, at: position) }
        return value
    }

    /// Decodes a value by the `init(from:)` of its type.
    /// - Throws: `DecodingError`, or what the type throws, as it is: the code around may know it.
    func value<Value: Decodable>(_ type: Value.Type, at position: Int) throws -> Value {
        // Generic callers, such as an array's elements, arrive here with scalars: spare them three
        // containers.
        if type == String.self, let text = try string(at: position) as? Value { return text }
        // `Date`, `URL`, `Data` and `Decimal` of Foundation, which would misread the text.
        if let foundationType = FoundationType(type) {
            throw refusal(of: foundationType, type: type, at: position)
        }
        do {
            return try Value(from: JSONNodeDecoder(index: self, position: position))
        } catch {
            noteFailure(at: position)
            throw error
        }
    }
}
