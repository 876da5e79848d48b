// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Tells the shapes of key files from secrets: the classic confusion feeds a published RSA key to HMAC.
///
/// A random secret has none of these shapes, whatever its encoding.
enum PublishedKeyShape {
    /// Anywhere in the text: files have comments and attributes in front, and settings have quotation marks.
    /// CVE-2026-34950: one leading space defeated a check that looked at the beginning only.
    private static let marks = [
        "-----BEGIN ", "---- BEGIN ", "ssh-rsa AAAA", "ssh-dss AAAA", "ssh-ed25519 AAAA", "ecdsa-sha2-nistp",
        "sk-ssh-ed25519", "PuTTY-User-Key-File", "\"kty\"",
    ]

    /// rsaEncryption, id-ecPublicKey, Ed25519: as they stand in SubjectPublicKeyInfo, PKCS#8 and certificates.
    private static let objectIdentifiers: [[UInt8]] = [
        [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01],
        [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01], [0x06, 0x03, 0x2b, 0x65, 0x70, 0x03],
        [0x06, 0x03, 0x2b, 0x65, 0x70, 0x04],
    ]

    static func matches(_ bytes: Span<UInt8>) -> Bool {
        for mark in marks where contains(bytes, Array(mark.utf8)) { return true }
        return isDER(bytes) || isEncodedDER(bytes)
    }

    private static func isDER(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        let beginning = bytes.extracting(0..<min(bytes.count, 64))
        return objectIdentifiers.contains { contains(beginning, $0) }
    }

    /// The body of a PEM without its frame, in either alphabet of base64.
    private static func isEncodedDER(_ bytes: Span<UInt8>) -> Bool {
        var text = [UInt8]()
        text.reserveCapacity(88)
        defer { cleanse(&text) }
        for index in bytes.indices where bytes[index] > 0x20 {
            text.append(bytes[index])
            if text.count == 88 { break }
        }
        let whole = text.count / 4 * 4
        let beginning = text.span.extracting(0..<whole)
        guard var der = Base64Standard.decode(beginning) ?? Base64URL.decode(beginning) else { return false }
        defer { cleanse(&der) }
        return isDER(der.span)
    }

    private static func contains(_ bytes: Span<UInt8>, _ wanted: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count else { return false }
        for start in 0...(bytes.count - wanted.count) where bytes[start] == wanted[0] {
            var matched = 1
            while matched < wanted.count, bytes[start + matched] == wanted[matched] { matched += 1 }
            if matched == wanted.count { return true }
        }
        return false
    }
}
