// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
package import SignetCrypto
internal import SignetMemory

/// The textual encoding of unencrypted keys (RFC 7468). `PEM.decode` makes a key of
///
/// ```
/// -----BEGIN PUBLIC KEY-----        PUBLIC KEY is the label
/// MCowBQYDK2VwAyEAGb9ECWmE…         base64 of DER (binary, X.690)
/// -----END PUBLIC KEY-----
/// ```
///
/// The DER is PKCS#8, SPKI, PKCS#1 or SEC1. Programs mix up the labels, so a label only tells
/// whether the key is private. An X.509 certificate (`CERTIFICATE`) holds a public key as well.
package enum PEM {
    /// The longest text that is read, in bytes.
    package static let maximumByteCount = 65_536

    /// What the blocks of a text hold.
    private struct Contents {
        var key: DecodedKey?
        var certificates = [X509Certificate]()
        /// Why a certificate was not read: further certificates of the chain may have a kind of key
        /// that libcrypto does not know.
        var unread: KeyError?
    }

    /// The only key of a text. Text outside the blocks is ignored, and so are the parameters that
    /// `openssl ecparam` and servers put next to a key. Two keys are rejected; the first is not
    /// preferred.
    ///
    /// A PEM may also hold the key's certificate, which must parse, and further certificates of its
    /// chain. Without a key, the key of the only certificate is used.
    package static func decode(_ text: Span<UInt8>) throws(KeyError) -> DecodedKey {
        guard text.count <= maximumByteCount else { throw tooLarge(text.count) }
        let found = try readBlocks(text)
        if let key = found.key {
            try requireCertificate(for: key, in: found)
            return key
        }
        if let unread = found.unread { throw unread }
        guard !found.certificates.isEmpty else { throw noBlock(text) }
        return try onlyKey(of: found.certificates)
    }

    /// Reads every block. An error of libcrypto itself is thrown for a certificate, too.
    private static func readBlocks(_ text: Span<UInt8>) throws(KeyError) -> Contents {
        var found = Contents()
        var reader = PEMReader(text)
        defer { reader.wipe() }
        while var block = try reader.next() {
            defer { cleanse(&block.contents) }
            switch block.label {
            case "EC PARAMETERS", "DH PARAMETERS": break
            case "CERTIFICATE":
                do {
                    found.certificates.append(try certificate(der: block.contents.span))
                } catch {
                    guard error.code == .malformed else { throw error }
                    found.unread = error
                }
            default:
                let key = try block.key()
                guard found.key == nil else {
                    throw KeyError(.malformed, "The PEM holds more than one key.")
                }
                found.key = key
            }
        }
        return found
    }

    /// Refuses a key beside certificates unless one of them is for it and allows signatures.
    private static func requireCertificate(
        for key: DecodedKey, in found: Contents
    ) throws(KeyError) {
        if found.certificates.isEmpty && found.unread == nil { return }
        let own = found.certificates.filter { $0.key.hasSamePublicKey(as: key) }
        guard let first = own.first else {
            // The certificate that was not read may be the key's.
            throw found.unread
                ?? KeyError(.invalidKeyMaterial, "The certificate in the PEM is not for its key.")
        }
        // One certificate may be for signing and a second for decryption.
        if !own.contains(where: \.allowsSignatures) { try first.requireSignatures() }
    }

    /// The key of a PEM without a key block: that of its only certificate.
    private static func onlyKey(of certificates: [X509Certificate]) throws(KeyError) -> DecodedKey {
        guard let first = certificates.first, certificates.count == 1 else {
            throw KeyError(
                .malformed,
                "The PEM holds \(certificates.count) certificates. Keep the one whose key is meant."
            )
        }
        try first.requireSignatures()
        return first.key
    }

    /// The only certificate of a text, which must hold no further block.
    package static func certificate(_ text: Span<UInt8>) throws(KeyError) -> X509Certificate {
        guard text.count <= maximumByteCount else { throw tooLarge(text.count) }
        var reader = PEMReader(text)
        guard let block = try reader.next(), block.label == "CERTIFICATE", try reader.next() == nil
        else {
            throw KeyError(.malformed, "There is not exactly one PEM block, \"CERTIFICATE\".")
        }
        return try certificate(der: block.contents.span)
    }

    /// The certificate in a block's contents.
    static func certificate(der: Span<UInt8>) throws(KeyError) -> X509Certificate {
        try translatingErrors(
            refused: .malformed,
            message: { _ in "The certificate is not valid X.509 or its key is of an unknown kind."
            },
            { () throws(CryptographyError) in try X509Certificate(der: der) })
    }

    /// Calls SignetCrypto to read a structure. Bytes that it refuses become an error with `code`.
    static func translatingErrors<Parsed>(
        refused code: KeyError.Code, message: (CryptographyError) -> ErrorMessage,
        _ parse: () throws(CryptographyError) -> Parsed
    ) throws(KeyError) -> Parsed {
        do {
            return try parse()
        } catch {
            // The failure says nothing about the input: libcrypto had no memory.
            if error.code == .libraryFailure { throw KeyError(error) }
            throw KeyError(code, underlying: error, message(error))
        }
    }

    static func tooLarge(_ byteCount: Int) -> KeyError {
        KeyError(.tooLarge, "The PEM has \(byteCount) bytes; it may have \(maximumByteCount).")
    }

    /// The error for a text without a block: what it looks like (JSON, say, or an SSH key), or what
    /// is missing.
    private static func noBlock(_ text: Span<UInt8>) -> KeyError {
        if let shape = InputShape(of: text, ignoresMark: true), shape != .pem, !shape.isAlphabet {
            return KeyError(.malformed, shape.sentence(about: "The key"))
        }
        return KeyError(
            .malformed, "There is no PEM block: expected \"-----BEGIN ...-----\" and its END.")
    }

    /// The error for an encrypted key.
    static var encrypted: KeyError {
        KeyError(.encryptedKey, InputShape.encryptedPEM.sentence(about: "The key"))
    }

    /// The PEM text of a structure: a block in lines of 64 characters.
    package static func encode(label: String, der: Span<UInt8>) -> SecretBytes {
        var text = [UInt8]()
        // Reserved once: growing would leave a copy of a private key.
        text.reserveCapacity(der.count * 2 + 128)
        var body = [UInt8]()
        body.reserveCapacity(der.count * 2)
        Base64Standard.append(encoding: der, to: &body)
        text.append(contentsOf: "-----BEGIN \(label)-----\n".utf8)
        var start = 0
        while start < body.count {
            let end = min(start + 64, body.count)
            text.append(contentsOf: body[start..<end])
            text.append(UInt8(ascii: "\n"))
            start = end
        }
        text.append(contentsOf: "-----END \(label)-----\n".utf8)
        let secret = SecretBytes(copying: text)
        cleanse(&text)
        cleanse(&body)
        return secret
    }
}
