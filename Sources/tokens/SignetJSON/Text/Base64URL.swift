// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Strict base64url: RFC 4648, section 5, without padding, as RFC 7515, section 2 demands.
///
/// Decoding accepts exactly one text for each sequence of bytes. It refuses every character outside
/// the alphabet (padding, `+`, `/`, white space), a length that no sequence of bytes has, and
/// non-zero trailing bits (RFC 4648, section 3.5), so a token cannot be altered without altering
/// its bytes. There is no limit on length here: bound the text first. The time taken depends on the
/// data, as with any table.
public enum Base64URL {
    /// The base64url text of `bytes`, without padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        Base64.url.append(encoding: Array(bytes).span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for.
    /// - Throws: ``JOSEEncodingError``: `invalidCharacter`, `invalidLength` or
    ///   `nonZeroTrailingBits`.
    public static func decode(_ text: some StringProtocol) throws(JOSEEncodingError) -> [UInt8] {
        let characters = Array(text.utf8)
        guard let bytes = Base64.url.decode(characters.span) else { throw fault(in: characters) }
        return bytes
    }

    private static func fault(in characters: [UInt8]) -> JOSEEncodingError {
        let isForeign = characters.contains { !Base64.url.contains($0) }
        if isForeign { return JOSEEncodingError(code: .invalidCharacter) }
        return JOSEEncodingError(
            code: characters.count & 3 == 1 ? .invalidLength : .nonZeroTrailingBits)
    }
}
