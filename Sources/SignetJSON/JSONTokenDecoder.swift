// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Decodes a Swift type from a ``JSONNode``: from the index that the checks read, never from a second parse.
///
/// Strict: a value of the wrong type is an error and never "absent"; integers are exact and checked against the width
/// of the type; `Double` and `Float` are finite. By the conventions of `Codable`, `null` counts as absent where an
/// optional is decoded, and members that the type does not ask for are ignored.
package struct JSONTokenDecoder: Sendable {
    package init() {}

    /// Decodes a value.
    ///
    /// Containers throw `DecodingError`, whose path is printable and whose text holds no value.
    /// - Throws: ``JSONError`` with the path: `typeMismatch`, `missingMember`, `numberOutOfRange`
    ///   or `unsupportedType`. Whatever else the type throws of itself becomes `typeMismatch`, and
    ///   its text is dropped, for it may hold a value.
    package func decode<Value: Decodable>(_ type: Value.Type, from node: JSONNode) throws(JSONError)
        -> Value
    {
        node.index.forgetFailures()
        do {
            return try node.index.value(type, at: node.position)
        } catch {
            throw node.index.folded(error)
        }
    }

    /// Reads a text and decodes a value from it.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], limits: JSONDocument.Limits = .init()
    ) throws(JSONError) -> Value {
        try decode(type, from: JSONDocument(bytes, limits: limits).root)
    }
}

/// A value as a decoder. Small enough to be an existential without an allocation; it carries no path, for the path
/// is found again in the index when somebody asks.
struct JSONNodeDecoder: Decoder {
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

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        JSONSingleValueDecoding(index: index, position: position)
    }
}
