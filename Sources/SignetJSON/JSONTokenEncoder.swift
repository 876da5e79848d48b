// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Encodes a Swift type as compact JSON: UTF-8, members in the order in which they are encoded, and
/// only those characters escaped that RFC 8259, section 7 demands.
///
/// The one strict reader reads what was written: two members of one name and nesting past the limit
/// are errors, and so are numbers that are not finite. A `Double` is written in the shortest form
/// that reads back the same: without a fraction when it is a whole number below 2^53. Foundation's
/// types that encode themselves otherwise than tokens hold them are refused (``FoundationType``).
package struct JSONTokenEncoder: Sendable {
    /// Whether the whole text may be a single string, number, boolean or null.
    package var allowsFragments: Bool
    /// How deep arrays and objects may be nested. Never more than 512.
    package var maximumDepth: Int

    package init(allowsFragments: Bool = false, maximumDepth: Int = 32) {
        self.allowsFragments = allowsFragments
        self.maximumDepth = maximumDepth
    }

    /// Encodes a value. An error inside of its `encode(to:)` counts even where that catches it.
    /// - Throws: ``JSONError``: `duplicateMember`, `numberOutOfRange` (not finite), `tooDeep`,
    ///   `tooLarge`, `unsupportedType`, or `typeMismatch`: nothing but a fragment was encoded, or a
    ///   type encoded two values in one place, or threw its own error.
    package func encode<Value: Encodable>(_ value: Value) throws(JSONError) -> [UInt8] {
        try encodeDocument(value).bytes
    }

    /// Encodes a value as a document.
    /// - Throws: as ``encode(_:)``.
    package func encodeDocument<Value: Encodable>(_ value: Value) throws(JSONError) -> JSONDocument
    {
        let maximumDepth = min(maximumDepth, JSONDocument.depthCeiling)
        let encoding = JSONEncoding(maximumDepth: maximumDepth)
        // What was thrown has been noted, and the end throws the first fault.
        try? encoding.set(0, value: value)
        let text = try encoding.finish(allowsFragments: allowsFragments)
        return try JSONDocument(
            text, limits: .init(maximumByteCount: text.count, maximumDepth: maximumDepth))
    }
}

/// A place in what is being encoded, as an encoder.
struct JSONNodeEncoder: Encoder {
    let encoding: JSONEncoding
    let position: Int

    var codingPath: [any CodingKey] { encoding.codingPath(to: position) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            JSONKeyedEncoding(encoding: encoding, position: encoding.open(position, .object)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncoding(encoding: encoding, position: encoding.open(position, .array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueEncoding(encoding: encoding, position: position)
    }
}
