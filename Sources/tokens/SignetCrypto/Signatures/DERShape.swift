// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The kind of a value in DER (a key, a certificate, …), by the kinds of its first elements, whatever
/// its file says. The value has **not** been checked.
package enum DERShape: Sendable, Equatable {
    case key(DecodedKey.Structure)
    /// EncryptedPrivateKeyInfo (RFC 5958, section 3).
    case encryptedKey
    /// A certificate (RFC 5280, section 4.1), or a similar signed structure.
    case certificate
    /// PFX (RFC 7292, section 4): keys and certificates behind a password.
    case pkcs12

    /// The kind of the value; nil for anything else.
    package init?(of der: Span<UInt8>) {
        guard let whole = DERElement(der, at: 0, before: der.count),
            whole.tag == DERElement.sequence, let parts = whole.children(in: der),
            parts.count >= 2
        else { return nil }
        switch parts[0].tag {
        case DERElement.integer: self.init(numbered: parts)
        case DERElement.sequence: self.init(algorithm: parts[0].firstChild(in: der), parts: parts)
        default: return nil
        }
    }

    /// A structure whose first element is a version or a number.
    private init?(numbered parts: [DERElement]) {
        switch parts[1].tag {
        case DERElement.octetString: self = .key(.ecPrivateKey)
        case DERElement.sequence where parts.count == 2: return nil
        case DERElement.sequence where parts[2].tag == DERElement.octetString:
            self = .key(.privateKeyInfo)
        case DERElement.sequence where parts[2].tag == DERElement.sequence: self = .pkcs12
        case DERElement.integer where parts.count == 2: self = .key(.rsaPublicKey)
        // A private key of RSA has nine numbers or more. DSA's has six, and is no key here.
        case DERElement.integer where parts.count >= 9: self = .key(.rsaPrivateKey)
        default: return nil
        }
    }

    /// A structure whose first element is a sequence, which names an algorithm or is the content of
    /// a certificate.
    private init?(algorithm first: DERElement?, parts: [DERElement]) {
        switch (first?.tag, parts[1].tag) {
        case (DERElement.objectIdentifier, DERElement.bitString):
            self = .key(.subjectPublicKeyInfo)
        case (DERElement.objectIdentifier, DERElement.octetString): self = .encryptedKey
        case (_, DERElement.sequence)
        where parts.count == 3 && parts[2].tag == DERElement.bitString:
            self = .certificate
        default: return nil
        }
    }
}
