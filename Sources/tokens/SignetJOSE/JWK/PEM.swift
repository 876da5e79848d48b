// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
package import SignetCrypto
internal import SignetMemory

/// The textual encoding of unencrypted keys (RFC 7468): PKCS#8, SPKI, PKCS#1 and SEC1, each under
/// any label of its class.
package enum PEM {
    /// The longest text that is read, in bytes.
    package static let maximumByteCount = 65_536

    /// The only key of a text. Text outside the blocks is ignored, and so are the parameters that
    /// `openssl ecparam` and servers put next to a key. Two keys are rejected; the first is not
    /// preferred.
    ///
    /// A PEM may also hold the key's certificate, which must parse, and further certificates of its
    /// chain. Without a key, the key of the only certificate is used.
    package static func decode(_ text: Span<UInt8>) throws(KeyError) -> DecodedKey {
        guard text.count <= maximumByteCount else { throw tooLarge(text.count) }
        var key: DecodedKey?
        var certificates = [X509Certificate]()
        var unreadCertificate: KeyError?
        var reader = PEMReader(text)
        defer { reader.wipe() }
        while var block = try reader.next() {
            defer { cleanse(&block.contents) }
            switch block.label {
            case "EC PARAMETERS", "DH PARAMETERS": break
            case "CERTIFICATE":
                do {
                    certificates.append(try certificate(der: block.contents.span))
                } catch {
                    // A further certificate of the chain, with a kind of key that libcrypto does
                    // not know, is ignored.
                    guard error.code == .malformed else { throw error }
                    unreadCertificate = error
                }
            default:
                let decoded = try block.key()
                guard key == nil else {
                    throw KeyError(.malformed, "The PEM holds more than one key.")
                }
                key = decoded
            }
        }
        guard let key else {
            if let unreadCertificate { throw unreadCertificate }
            guard !certificates.isEmpty else { throw noBlock(text) }
            return try onlyKey(of: certificates)
        }
        if unreadCertificate != nil || !certificates.isEmpty {
            try requireCertificate(for: key, among: certificates, unread: unreadCertificate)
        }
        return key
    }

    /// Refuses a key beside certificates unless one of them is for it and allows signatures.
    ///
    /// - Parameter unread: why a further certificate was not read; it may be the key's.
    private static func requireCertificate(
        for key: DecodedKey, among certificates: [X509Certificate], unread: KeyError?
    ) throws(KeyError) {
        let own = certificates.filter { $0.key.hasSamePublicKey(as: key) }
        guard let first = own.first else {
            throw unread
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

    static func certificate(der: Span<UInt8>) throws(KeyError) -> X509Certificate {
        try translatingErrors(
            refused: .malformed,
            message: { _ in "The certificate is not valid X.509 or its key is of an unknown kind."
            },
            { () throws(CryptographyError) in try X509Certificate(der: der) })
    }

    /// Reads a structure, with `code` if its bytes are refused.
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

    /// A text without a block: what it looks like, or else what is missing.
    private static func noBlock(_ text: Span<UInt8>) -> KeyError {
        let shape = InputShape(of: text, ignoresMark: true)
        return KeyError(
            .malformed,
            shape.flatMap { $0 == .pem || $0.isAlphabet ? nil : $0.sentence(about: "The key") }
                ?? "There is no PEM block: expected \"-----BEGIN ...-----\" and its END.")
    }

    static var encrypted: KeyError {
        KeyError(.encryptedKey, InputShape.encryptedPEM.sentence(about: "The key"))
    }

    /// A block in lines of 64 characters.
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
