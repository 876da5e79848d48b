// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Encodes a Swift type as compact JSON: UTF-8, members in the order in which they are encoded, and only those
/// characters escaped that RFC 8259, section 7 demands.
///
/// What it writes, ``JSONDocument`` reads: two members of one name, numbers that are not finite, and nesting past the
/// limit are errors. A `Double` is written in the shortest form that reads back the same: without a fraction when it
/// is a whole number below 2^53. Foundation's types that encode themselves otherwise than tokens
/// hold them are refused (``FoundationType``).
package struct JSONTokenEncoder: Sendable {
    /// Whether the whole text may be a single string, number, boolean or null.
    package var allowsFragments: Bool
    /// How deep arrays and objects may be nested. Never more than 512.
    package var maximumDepth: Int

    package init(allowsFragments: Bool = false, maximumDepth: Int = 32) {
        self.allowsFragments = allowsFragments
        self.maximumDepth = maximumDepth
    }

    /// Encodes a value. Its `encode(to:)` may be called twice and has to encode the same each time.
    /// - Throws: ``JSONError``: `duplicateMember`, `numberOutOfRange` (not finite), `tooDeep`,
    ///   `tooLarge`, `unsupportedType`, or `typeMismatch`: nothing but a fragment was encoded, or a
    ///   type encoded two values in one place, or threw an error of its own.
    package func encode<Value: Encodable>(_ value: Value) throws(JSONError) -> [UInt8] {
        if let written = streamed(value) { return written.text }
        return try encodeWithTree(value)
    }

    /// Encodes a value with the index over it, so that no reader has to read it.
    /// - Throws: as the other form. What a document's own reader would refuse in a text that was encoded is
    ///   `tooLarge` or `duplicateMember`: names with endless combining characters, names that are canonically equivalent.
    func encodeWithEntries<Value: Encodable>(_ value: Value) throws(JSONError) -> JSONWritten {
        if let written = streamed(value) { return written }
        let bytes = try encodeWithTree(value)
        return try JSONDocument(
            bytes, limits: .init(maximumByteCount: max(bytes.count, 1), maximumDepth: maximumDepth)
        ).written
    }

    /// Encodes a value as a document.
    /// - Throws: as ``encodeWithEntries(_:)``.
    package func encodeDocument<Value: Encodable>(_ value: Value) throws(JSONError) -> JSONDocument {
        JSONDocument(try encodeWithEntries(value))
    }

    private func streamed<Value: Encodable>(_ value: Value) -> JSONWritten? {
        let target = JSONEncodingTarget(maximumDepth: min(maximumDepth, 512))
        do {
            try target.set(0, value: value)
        } catch {
            return nil
        }
        guard let written = target.finish() else { return nil }
        let kind = written[0].kind
        return kind == .object || kind == .array || allowsFragments ? written : nil
    }

    private func encodeWithTree<Value: Encodable>(_ value: Value) throws(JSONError) -> [UInt8] {
        let tree = JSONEncodingTree(maximumDepth: min(maximumDepth, 512))
        let target = JSONEncodingTarget(maximumDepth: min(maximumDepth, 512), tree: tree)
        // What was thrown has been noted, and the tree throws the first fault.
        try? target.set(0, value: value)
        guard target.isIntact else { throw JSONError(code: .typeMismatch) }
        return try tree.finish(allowsFragments: allowsFragments)
    }
}

/// A place in what is being encoded, as an encoder.
struct JSONNodeEncoder: Encoder {
    let target: JSONEncodingTarget
    let position: Int

    var codingPath: [any CodingKey] { target.codingPath(to: position) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONKeyedEncoding(target: target, position: target.open(position, .object)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncoding(target: target, position: target.open(position, .array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueEncoding(target: target, position: position)
    }
}
