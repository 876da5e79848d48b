// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto
internal import SignetJOSE

/// Identifiers in the forms that GoTrue's clients expect.
enum Identifiers {
    private static let uuidByteCount = 16

    /// A random UUID (RFC 9562, section 5.4).
    static func uuid() throws(AccountError) -> String {
        do {
            return uuid(version: 4, bytes: try SecureRandom.bytes(count: uuidByteCount))
        } catch { throw .crypto(error) }
    }

    /// The UUID of a name, always the same (section 5.8).
    static func uuid(of name: [String]) throws(AccountError) -> String {
        // No issuer or subject contains a zero byte, so the parts cannot run together.
        var octets: [UInt8] = []
        for part in name { octets += Array(part.utf8) + [0] }
        return uuid(version: 8, bytes: Array(try digest(octets).prefix(uuidByteCount)))
    }

    /// A session's name as a UUID: its 16 bytes in hexadecimal digits.
    ///
    /// - Throws: `corrupt` for a name that `RefreshTokens` has not given.
    static func uuid(ofSession id: String) throws(AccountError) -> String {
        guard let bytes = try? Base64URL.decode(id), bytes.count == uuidByteCount else {
            throw AccountError(.corrupt, "The name of a session is not \(uuidByteCount) bytes.")
        }
        return grouped(bytes)
    }

    /// A UUID that a client sent, in lower case; nil for every other text.
    static func uuid(received text: ReceivedText) -> String? {
        let octets = text.utf8.map(\.inLowerCase)
        guard octets.count == 36 else { return nil }
        let isUUID = octets.enumerated().allSatisfy { index, octet in
            [8, 13, 18, 23].contains(index)
                ? octet == UInt8(ascii: "-") : octet.hexadecimalValue != nil
        }
        return isUUID ? String(decoding: octets, as: UTF8.self) : nil
    }

    static func digest(_ octets: some Collection<UInt8>) throws(AccountError) -> [UInt8] {
        do {
            return try MessageDigest.digest(octets, using: .sha256)
        } catch { throw .crypto(error) }
    }

    private static func uuid(version: UInt8, bytes: [UInt8]) -> String {
        grouped(
            bytes.enumerated().map { index, byte in
                // The version in four bits, and the variant 0b10 in two (section 4).
                switch index {
                case 6: byte & 0x0f | version << 4
                case 8: byte & 0x3f | 0x80
                default: byte
                }
            })
    }

    private static func grouped(_ bytes: [UInt8]) -> String {
        [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]]
            .map(\.hexDigits).joined(separator: "-")
    }
}
