// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Reads JSON that strangers send, with the reader that tokens are read with, and writes what it
/// reads: for the bodies of a server's requests and answers.
///
/// ```swift
/// func order(from body: [UInt8]) -> Order? {
///     do throws(JSONError) {
///         return try StrictJSON.decode(from: body, maximumByteCount: 4_096)
///     } catch {
///         print(error.code.rawValue)
///         return nil
///     }
/// }
/// ```
///
/// Checked: UTF-8 without a byte order mark, the grammar of RFC 8259, surrogate escapes in pairs,
/// no member named twice at any depth, at most 32 levels, nothing after the value, and the size. A
/// value of a wrong type is an error and never counts as absent; integers are exact. Members that
/// the type does not ask for are ignored.
///
/// **Not** bounded: what a program does with the strings. Swift's `==`, `switch` and dictionaries
/// normalise them, which takes the square of the length of a run of combining characters: check the
/// length of a string first.
///
/// No input ends the process. Foundation's `JSONDecoder` does not promise that: in Swift 6.3.1 on
/// Linux, 513 opening brackets end the process.
public enum StrictJSON {
    /// The longest text that is read unless the caller says otherwise, in bytes.
    public static let defaultMaximumByteCount = 65_536

    /// Decodes a value from a whole text.
    ///
    /// - Parameters:
    ///   - type: what is decoded.
    ///   - text: the whole text, UTF-8.
    ///   - maximumByteCount: longer texts are refused unread.
    /// - Throws: ``JSONError`` with the offset or the path: `malformed`, `invalidUTF8`,
    ///   `duplicateMember`, `tooDeep`, `tooLarge`, `typeMismatch`, `missingMember`,
    ///   `numberOutOfRange`, `unsupportedType`. It holds no value of the text. Containers throw
    ///   `DecodingError` into a type's own `init(from:)`.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from text: some Collection<UInt8>,
        maximumByteCount: Int = defaultMaximumByteCount
    ) throws(JSONError) -> Value {
        // Before the copy.
        guard text.count <= maximumByteCount else { throw JSONError(code: .tooLarge) }
        var limits = JSONDocument.Limits()
        limits.maximumByteCount = maximumByteCount
        return try JSONTokenDecoder().decode(type, from: Array(text), limits: limits)
    }

    /// Encodes a value as compact UTF-8 JSON, an object or an array, which
    /// ``decode(_:from:maximumByteCount:)`` reads. Members are in the order in which they are
    /// encoded.
    ///
    /// - Parameters:
    ///   - value: what is encoded.
    ///   - maximumDepth: the deepest nesting of arrays and objects, 512 at most.
    /// - Throws: ``JSONError``: `duplicateMember`, `numberOutOfRange` (not finite), `tooDeep`,
    ///   `unsupportedType` for a type of Foundation's that would be written in a form of its own,
    ///   or `typeMismatch`: the value is a single string or number, or its `encode(to:)` failed.
    public static func encode(
        _ value: some Encodable, maximumDepth: Int = 32
    ) throws(JSONError) -> [UInt8] {
        try JSONTokenEncoder(maximumDepth: maximumDepth).encode(value)
    }
}
