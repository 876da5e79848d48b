// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Strict base64url: RFC 4648, section 5, without padding, as RFC 7515, section 2 demands.
///
/// Decoding accepts exactly one text for each sequence of bytes. Refused are padding, `+` and `/`, white space, any
/// other foreign character, a length that no sequence of bytes has, and non-zero trailing bits (RFC 4648, section
/// 3.5), so a token cannot be altered without altering its bytes. There is no limit on length here: bound the text
/// first. The time taken depends on the data, as with any table.
public enum Base64URL {
    /// The base64url text of `bytes`, without padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        append(encoding: Array(bytes).span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for.
    /// - Throws: ``JOSEEncodingError``: `invalidCharacter`, `invalidLength` or `nonZeroTrailingBits`.
    public static func decode(_ text: some StringProtocol) throws(JOSEEncodingError) -> [UInt8] {
        let characters = Array(text.utf8)
        guard let bytes = decode(characters.span) else { throw fault(in: characters) }
        return bytes
    }

    /// The bytes that `text` stands for; nil when it is malformed.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? { Base64.url.decode(text) }

    /// The bytes that a part of `text` stands for; nil when the part is malformed or outside `text`.
    package static func decode(_ text: Span<UInt8>, in range: Range<Int>) -> [UInt8]? {
        guard range.lowerBound >= 0, range.upperBound <= text.count else { return nil }
        return Base64.url.decode(text.extracting(range))
    }

    /// Appends the base64url text of `bytes`, as ASCII, to `text`.
    package static func append(encoding bytes: Span<UInt8>, to text: inout [UInt8]) {
        Base64.url.append(encoding: bytes, to: &text)
    }

    /// How many bytes so many characters stand for; nil for a length that no text has.
    package static func decodedCount(_ characterCount: Int) -> Int? {
        Base64.decodedCount(characterCount)
    }

    /// How many characters so many bytes become.
    package static func encodedCount(_ byteCount: Int) -> Int { Base64.encodedCount(byteCount) }

    private static func fault(in characters: [UInt8]) -> JOSEEncodingError {
        let isForeign = characters.contains { !Base64.url.contains($0) }
        if isForeign { return JOSEEncodingError(code: .invalidCharacter) }
        return JOSEEncodingError(
            code: characters.count & 3 == 1 ? .invalidLength : .nonZeroTrailingBits)
    }
}
