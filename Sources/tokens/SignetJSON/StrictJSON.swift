// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Reads JSON that strangers send, with the reader that tokens are read with: for the bodies of a
/// server's requests.
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
/// No input ends the process. Foundation's `JSONDecoder` gives no such promise: in Swift 6.3.1 on
/// Linux, 513 opening brackets do it.
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
}
