// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The outer structure of a private key in DER, which ``DecodedKey`` checks before libcrypto reads
/// the key. libcrypto itself looks at no version, reads no key with a public key beside it, and,
/// where two curves are named, takes the inner curve.
///
/// ```
/// OneAsymmetricKey ::= SEQUENCE {       RFC 5958, section 2; PrivateKeyInfo if the version is 0
///     version      INTEGER (0, 1),      1 with a public key, 0 without
///     algorithm    SEQUENCE { kind OBJECT IDENTIFIER, curve or other parameters },
///     privateKey   OCTET STRING,        one of the two below, or the key alone
///     attributes   [0] SET OPTIONAL,
///     publicKey    [1] BIT STRING OPTIONAL }
/// RSAPrivateKey ::= SEQUENCE {          RFC 8017, appendix A.1.2
///     version      INTEGER (0), and eight numbers }
/// ECPrivateKey ::= SEQUENCE {           RFC 5915, section 3
///     version      INTEGER (1),
///     privateKey   OCTET STRING,
///     parameters   [0] EXPLICIT curve OPTIONAL,
///     publicKey    [1] EXPLICIT BIT STRING OPTIONAL }
/// ```
struct PrivateKeyStructure {
    /// The parts of OneAsymmetricKey up to the attributes, without a public key; empty for the
    /// further structures.
    private let parts: [DERElement]
    /// Where the public key beside the private key stands.
    private let publicKey: Range<Int>?

    /// Checks what libcrypto does not, and finds the public key.
    ///
    /// - Throws: `invalidKey`.
    init(_ der: Span<UInt8>, as structure: DecodedKey.Structure) throws(CryptographyError) {
        guard let root = DERElement(der, at: 0, before: der.count),
            root.tag == DERElement.sequence, root.whole.upperBound == der.count
        else { throw structure.notRead }
        guard let parts = root.children(in: der), parts.count >= 3,
            parts[0].tag == DERElement.integer
        else { throw structure.notRead }
        // RSAPrivateKey or ECPrivateKey alone.
        guard structure == .privateKeyInfo else {
            try Self.checkVersion(parts, as: structure, in: der)
            self.parts = []
            publicKey = nil
            return
        }
        let algorithm = parts[1]
        let privateKey = parts[2]
        guard let kindAndCurve = algorithm.children(in: der), let kind = kindAndCurve.first,
            algorithm.tag == DERElement.sequence, privateKey.tag == DERElement.octetString
        else { throw structure.notRead }
        publicKey = try Self.publicKey(parts, in: der)
        self.parts = Array(parts.dropLast(publicKey == nil ? 0 : 1))
        try Self.checkInnerKey(
            privateKey, kind: kind, outerCurve: kindAndCurve.dropFirst().first, in: der)
    }

    /// The octets of the public key beside the private key.
    func statedPublicKey(in der: Span<UInt8>) -> [UInt8]? {
        publicKey.map { der.extracting($0).copied() }
    }

    /// The same key as PrivateKeyInfo of version 0, which libcrypto reads. It is as secret as
    /// `der`.
    func withoutPublicKey(_ der: Span<UInt8>) -> [UInt8] {
        // Called for PrivateKeyInfo alone, which has parts: only there stands a public key.
        guard let first = parts.first, let last = parts.last else { return [] }
        let rest = first.whole.upperBound..<last.whole.upperBound
        var plain = [UInt8]()
        // Reserved once: growing would leave a copy of a private key.
        plain.reserveCapacity(der.count + 8)
        let version: [UInt8] = [DERElement.integer, 1, 0]
        DERElement.append(DERElement.sequence, length: version.count + rest.count, to: &plain)
        plain.append(contentsOf: version)
        der.extracting(rest).append(to: &plain)
        return plain
    }

    /// Checks the version, which says whether there is a public key, and finds the public key. Its
    /// tag stands in place of that of the BIT STRING (implicit); the library `ring` before 0.17
    /// wrote it around the BIT STRING (explicit).
    private static func publicKey(
        _ parts: [DERElement], in der: Span<UInt8>
    ) throws(CryptographyError) -> Range<Int>? {
        let version = parts[0]
        let last = parts[parts.count - 1]
        guard last.tag == implicitPublicKey || last.tag == explicitPublicKey else {
            guard !version.holds([1], in: der) else {
                throw CryptographyError(
                    .invalidKey, "PKCS#8 of version 1 has a public key, and this one has none.")
            }
            guard version.holds([0], in: der) else {
                throw CryptographyError(.invalidKey, "The version of PKCS#8 is neither 0 nor 1.")
            }
            return nil
        }
        guard version.holds([1], in: der) else {
            throw CryptographyError(
                .invalidKey, "PKCS#8 with a public key is of version 1, and this one is not.")
        }
        let inner = last.tag == implicitPublicKey ? last : last.firstChild(in: der)
        guard let inner, inner.whole.upperBound == last.whole.upperBound,
            inner.tag == last.tag || inner.tag == DERElement.bitString,
            let octets = inner.wholeOctets(in: der)
        else {
            throw CryptographyError(.invalidKey, "The public key in PKCS#8 is no BIT STRING.")
        }
        return octets
    }

    /// The tag `[1]`, in place of that of the BIT STRING.
    private static let implicitPublicKey: UInt8 = 0x81
    /// The tag `[1]`, around the BIT STRING.
    private static let explicitPublicKey: UInt8 = 0xa1

    // The object identifiers of the kinds (RFC 8017, appendix A.1; RFC 5480, section 2.1.1).
    private static let rsaEncryption: [UInt8] = [
        0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01,
    ]
    private static let ecPublicKey: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]

    /// Checks the key inside OneAsymmetricKey, if it has a structure of its own: its version, and
    /// that it names no other curve than the outer structure.
    private static func checkInnerKey(
        _ key: DERElement, kind: DERElement, outerCurve: DERElement?, in der: Span<UInt8>
    ) throws(CryptographyError) {
        let structure: DecodedKey.Structure
        if kind.holds(rsaEncryption, in: der) {
            structure = .rsaPrivateKey
        } else if kind.holds(ecPublicKey, in: der) {
            structure = .ecPrivateKey
        } else {
            return
        }
        guard let inner = key.firstChild(in: der), inner.tag == DERElement.sequence,
            inner.whole.upperBound == key.contents.upperBound,
            let parts = inner.children(in: der)
        else { throw structure.notRead }
        try checkVersion(parts, as: structure, in: der)
        guard structure == .ecPrivateKey, let innerCurve = curve(parts, in: der) else { return }
        guard let outerCurve,
            bytesAreEqual(
                der.extracting(innerCurve.whole), der.extracting(outerCurve.whole))
        else {
            throw CryptographyError(
                .invalidKey, "The PKCS#8 and the key inside it do not name the same curve.")
        }
    }

    /// Checks the version of RSAPrivateKey (RFC 8017, appendix A.1.2) or of ECPrivateKey (RFC
    /// 5915).
    private static func checkVersion(
        _ parts: [DERElement], as structure: DecodedKey.Structure, in der: Span<UInt8>
    ) throws(CryptographyError) {
        let version: UInt8 = structure == .ecPrivateKey ? 1 : 0
        guard let first = parts.first, first.tag == DERElement.integer else {
            throw structure.notRead
        }
        guard first.holds([version], in: der) else {
            throw CryptographyError(
                .invalidKey, "The version of \(shown: structure.name) is not \(version).")
        }
    }

    /// The curve that ECPrivateKey names, if it does: `[0]`.
    private static func curve(_ parts: [DERElement], in der: Span<UInt8>) -> DERElement? {
        parts.first { $0.tag == 0xa0 }?.firstChild(in: der)
    }

    /// Whether the numbers of a curve stand where its name is expected. `der` may be of any shape.
    static func hasExplicitCurve(_ der: Span<UInt8>, as structure: DecodedKey.Structure) -> Bool {
        guard let parts = DERElement(der, at: 0, before: der.count)?.children(in: der) else {
            return false
        }
        switch structure {
        case .rsaPublicKey, .rsaPrivateKey: return false
        case .ecPrivateKey: return curve(parts, in: der)?.tag == DERElement.sequence
        case .subjectPublicKeyInfo, .privateKeyInfo:
            // The version stands first in PrivateKeyInfo.
            let position = structure == .privateKeyInfo ? 1 : 0
            // SubjectPublicKeyInfo ::= SEQUENCE {   RFC 5280, section 4.1
            //     algorithm    SEQUENCE { kind OBJECT IDENTIFIER, curve },
            //     publicKey    BIT STRING }
            guard parts.count > position, let algorithm = parts[position].children(in: der),
                algorithm.count == 2
            else { return false }
            return algorithm[0].holds(ecPublicKey, in: der)
                && algorithm[1].tag == DERElement.sequence
        }
    }
}
