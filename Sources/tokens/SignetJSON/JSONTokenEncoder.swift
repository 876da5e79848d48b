// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Encodes a Swift type as compact UTF-8 JSON, members in the order in which they are encoded. It
/// escapes only the characters that RFC 8259, section 7 requires.
///
/// The strict reader then reads the result. Duplicate members, nesting past the limit and numbers
/// that are not finite are errors. A `Double` is written in the shortest form that reads back the
/// same, without a fraction if it is a whole number below 2^53. Foundation types that encode
/// themselves in a form that tokens do not use are rejected (``FoundationType``).
package struct JSONTokenEncoder: Sendable {
    /// Whether a single string, number, boolean or null may be the whole text.
    package var allowsFragments: Bool
    /// The deepest nesting of arrays and objects. Never more than 512.
    package var maximumDepth: Int

    package init(allowsFragments: Bool = false, maximumDepth: Int = 32) {
        self.allowsFragments = allowsFragments
        self.maximumDepth = maximumDepth
    }

    /// Encodes a value. An error in its `encode(to:)` counts even if the type catches it.
    /// - Throws: ``JSONError``: `duplicateMember`, `numberOutOfRange` (not finite), `tooDeep`,
    ///   `tooLarge`, `unsupportedType`, or `typeMismatch`: the value is a fragment, or a type
    ///   encoded two values in the same place or threw its own error.
    package func encode<Value: Encodable>(_ value: Value) throws(JSONError) -> [UInt8] {
        try encodeDocument(value).bytes
    }

    /// Encodes a value as a document. Throws the errors of ``encode(_:)``.
    package func encodeDocument<Value: Encodable>(_ value: Value) throws(JSONError) -> JSONDocument
    {
        let maximumDepth = min(maximumDepth, JSONDocument.depthCeiling)
        let encoding = JSONEncoding(maximumDepth: maximumDepth)
        // The error is recorded, and the end throws the first one.
        try? encoding.set(0, value: value)
        let text = try encoding.finish(allowsFragments: allowsFragments)
        return try JSONDocument(
            text, limits: .init(maximumByteCount: text.count, maximumDepth: maximumDepth))
    }
}

/// An encoder for a place in the text.
struct JSONNodeEncoder: Encoder {
    let encoding: JSONEncoding
    let position: Int

    var codingPath: [any CodingKey] { encoding.codingPath(to: position) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            JSONKeyedEncoding(encoding: encoding, position: encoding.open(position, as: .object)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncoding(encoding: encoding, position: encoding.open(position, as: .array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueEncoding(encoding: encoding, position: position)
    }
}
