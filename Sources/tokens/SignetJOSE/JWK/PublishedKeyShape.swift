// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Detects key files that are passed as secrets: ``HMACKey`` refuses them. In the classic attack, a
/// program feeds a published RSA key to HMAC, so that anyone can make its tokens.
///
/// A key file is text or DER (binary, X.690). Either is found as it is, in UTF-16 and in base64.
/// `matches` is true of each of these, and of no random secret:
///
/// ```
/// -----BEGIN PUBLIC KEY-----        PEM; also the marks of SSH and XML
/// {"kty":"RSA","n":"…","e":"AQAB"}  a JWK
/// 30 82 01 22 30 0d 06 09 2a …      DER: a sequence (30) with an object identifier (06)
/// MIIBIjANBgkqhkiG9w0BAQEF…         the same in base64
/// ```
enum PublishedKeyShape {
    /// Searched anywhere in the text: files begin with comments and attributes, and settings add
    /// quotation marks. CVE-2026-34950: a leading space defeated a check of the beginning only.
    private static let marks = [
        "-----BEGIN ", "---- BEGIN ", "ssh-rsa AAAA", "ssh-dss AAAA", "ssh-ed25519 AAAA",
        "ecdsa-sha2-nistp", "sk-ssh-ed25519", "PuTTY-User-Key-File", "RSAKeyValue>", "<Modulus>",
        "ECKeyValue>",
    ]

    /// The kinds of keys in DER, as SubjectPublicKeyInfo, PKCS#8 and certificates name them.
    private static let objectIdentifiers: [[UInt8]] = [
        // rsaEncryption and RSA's signatures, which differ in the next byte
        [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01],
        // id-ecPublicKey
        [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01],
        // Ed25519, in its sequence
        [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70],
        // ecdsa-with-SHA2
        [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03],
    ]

    /// Whether the bytes are a key file.
    static func matches(_ bytes: Span<UInt8>) -> Bool {
        isKey(bytes) || isKeyInUTF16(bytes) || isKeyInBase64(bytes)
    }

    /// Text in UTF-16, as some shells and editors save it: ASCII text with a zero byte in each
    /// character. The zero bytes are left out.
    private static func isKeyInUTF16(_ bytes: Span<UInt8>) -> Bool {
        var text = [UInt8]()
        text.reserveCapacity(bytes.count)
        defer { cleanse(&text) }
        for index in bytes.indices where bytes[index] != 0 { text.append(bytes[index]) }
        return text.count < bytes.count && isKey(text.span)
    }

    /// Whether the bytes, as they are, hold the text of a key file, or begin as a key in DER does.
    private static func isKey(_ bytes: Span<UInt8>) -> Bool {
        for mark in marks where contains(bytes, wanted: Array(mark.utf8)) { return true }
        return hasKeyType(bytes) || isKeyInDER(bytes)
    }

    /// Whether the name `kty` of a JWK's member is there, in either kind of quotation marks,
    /// possibly escaped (`\"kty\"` in a text within a text). Its letters may be escaped too:
    /// `k\u0074y`.
    private static func hasKeyType(_ bytes: Span<UInt8>) -> Bool {
        for start in bytes.indices where isQuote(bytes, at: start) {
            guard var end = endOfName("kty", in: bytes, from: start + 1) else { continue }
            if end < bytes.count, bytes[end] == UInt8(ascii: "\\") { end += 1 }
            if isQuote(bytes, at: end) { return true }
        }
        return false
    }

    /// The position after the letters of `name`, each as it is or escaped; nil if they are not
    /// there.
    private static func endOfName(
        _ name: String, in bytes: Span<UInt8>, from start: Int
    ) -> Int? {
        var position = start
        for letter in name.utf8 {
            guard let end = endOfLetter(letter, in: bytes, at: position) else { return nil }
            position = end
        }
        return position
    }

    private static func isQuote(_ bytes: Span<UInt8>, at position: Int) -> Bool {
        position < bytes.count
            && (bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'"))
    }

    /// The position after a letter, or after the escape `\u00xx` that stands for it; nil if
    /// neither is there.
    private static func endOfLetter(
        _ letter: UInt8, in bytes: Span<UInt8>, at position: Int
    ) -> Int? {
        if position < bytes.count, bytes[position] == letter { return position + 1 }
        guard bytes.count - position >= 6, bytes[position] == UInt8(ascii: "\\") else { return nil }
        let escape = Array("\\u00\(String(letter, radix: 16))".utf8)
        // With the bit 0x20 a letter is lower case: `\U006B` counts as well.
        for index in escape.indices where bytes[position + index] | 0x20 != escape[index] | 0x20 {
            return nil
        }
        return position + escape.count
    }

    /// How many bytes tell that DER is a key.
    private static let beginningByteCount = 64

    /// Whether the bytes begin as a key does: a sequence (30) of RSA's numbers, of an EC key's, or
    /// with the object identifier of a kind of key.
    private static func isKeyInDER(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        let beginning = bytes.extracting(0..<min(bytes.count, beginningByteCount))
        return isRSAKey(beginning) || isECPrivateKey(beginning)
            || objectIdentifiers.contains { contains(beginning, wanted: $0) }
    }

    /// SEC1 (RFC 5915): version 1, and a scalar of 32, 48 or 66 octets (P-256, P-384, P-521).
    private static func isECPrivateKey(_ der: Span<UInt8>) -> Bool {
        // 30 77  02 01 01  04 20 …     the sequence, INTEGER 1, OCTET STRING of 32
        // 30 81 a4  02 01 01  04 30 …  81: one octet of length follows
        let start = der[1] < 0x80 ? 2 : 2 + Int(der[1] & 0x0f)
        guard start + 5 <= der.count else { return false }
        return der[start] == 2 && der[start + 1] == 1 && der[start + 2] == 1 && der[start + 3] == 4
            && [32, 48, 66].contains(der[start + 4])
    }

    /// PKCS#1 (RFC 8017, appendix A.1), which names no algorithm: a sequence of numbers with a
    /// modulus. In a public key the modulus comes first and only an exponent follows; in a private
    /// key it follows version 0.
    private static func isRSAKey(_ der: Span<UInt8>) -> Bool {
        // 30 82 01 0a  02 82 01 01 …            public: the sequence, INTEGER of 257 octets
        // 30 82 04 a4  02 01 00  02 82 01 01 …  private: the sequence, version 0, the modulus
        var position = 1
        guard let sequenceLength = readLongLength(der, at: &position) else { return false }
        let isPrivate =
            position + 3 <= der.count && der[position] == 2 && der[position + 1] == 1
            && der[position + 2] == 0
        if isPrivate { position += 3 }
        // The tag of the modulus, an INTEGER.
        guard position < der.count, der[position] == 2 else { return false }
        position += 1
        guard let modulusLength = readLongLength(der, at: &position) else { return false }
        // A modulus has 512 bits or more.
        guard modulusLength >= 64 else { return false }
        if isPrivate { return modulusLength < sequenceLength }
        // Beside the modulus there are its tag and length (3 or 4 bytes), and a public exponent
        // with its own: at least 3 bytes, and hardly more than 44.
        return (6...48).contains(sequenceLength - modulusLength)
    }

    /// Reads a length of one or two octets after 0x81 or 0x82, and moves `position` past it; nil if
    /// there is none.
    private static func readLongLength(_ der: Span<UInt8>, at position: inout Int) -> Int? {
        guard position < der.count, der[position] == 0x81 || der[position] == 0x82 else {
            return nil
        }
        let octetCount = Int(der[position] & 0x0f)
        let end = position + 1 + octetCount
        guard end <= der.count else { return nil }
        var length = 0
        for index in (position + 1)..<end { length = length << 8 | Int(der[index]) }
        position = end
        return length
    }

    /// A key in either base64 alphabet: a PEM body without its frame, or a whole file as settings
    /// keep it. White space, quotation marks, a byte-order mark and `\n` for a line end are allowed
    /// around and within.
    private static func isKeyInBase64(_ bytes: Span<UInt8>) -> Bool {
        var text = [UInt8]()
        text.reserveCapacity(maximumEncodedByteCount)
        defer { cleanse(&text) }
        var position = 0
        while position < bytes.count, text.count < maximumEncodedByteCount {
            switch bytes[position] {
            // Skips the letter after it as well, as in `\n`.
            case UInt8(ascii: "\\"): position += 1
            // Skips white space, marks and quotation marks, and padding: incomplete groups are left
            // out below.
            case 0...0x20, 0x7f..., UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="): break
            default: text.append(bytes[position])
            }
            position += 1
        }
        // The whole text, or its beginning followed by anything.
        if isBase64OfKey(text.span) { return true }
        return isBase64OfKey(
            text.span.extracting(0..<min(text.count, encodedBeginningCharacterCount)))
    }

    /// Whether the groups of four characters, as many as are complete, are the base64 of a key.
    private static func isBase64OfKey(_ text: Span<UInt8>) -> Bool {
        let groups = text.extracting(0..<(text.count / 4 * 4))
        guard var decoded = Base64Standard.decode(groups) ?? Base64.url.decode(groups) else {
            return false
        }
        defer { cleanse(&decoded) }
        return isKey(decoded.span)
    }

    /// How much base64 is looked at.
    private static let maximumEncodedByteCount = 4_096
    /// The base64 of the bytes that tell a key in DER, in complete groups: 88 characters.
    private static let encodedBeginningCharacterCount = (beginningByteCount + 2) / 3 * 4

    /// Whether `wanted` stands anywhere in the bytes.
    private static func contains(_ bytes: Span<UInt8>, wanted: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count else { return false }
        for start in 0...(bytes.count - wanted.count) where bytes[start] == wanted[0] {
            var matched = 1
            while matched < wanted.count, bytes[start + matched] == wanted[matched] { matched += 1 }
            if matched == wanted.count { return true }
        }
        return false
    }
}
