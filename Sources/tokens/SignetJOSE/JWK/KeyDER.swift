// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto

/// Reads keys in DER by what they are: PKCS#8, SEC1, PKCS#1 and SubjectPublicKeyInfo.
package enum KeyDER {
    /// A key of a class.
    ///
    /// - Parameters:
    ///   - place: what holds the key, as the subject of a sentence.
    ///   - label: what the file calls the key, which says its class; nil takes any key.
    /// - Throws: `encryptedKey`, `unsupportedKeyType`, `invalidKeyMaterial`, `libraryFailure`;
    ///   `malformed` where neither the bytes nor the label say which structure it is.
    static func decode(
        _ der: Span<UInt8>, in place: ErrorMessage, labelled label: DecodedKey.Structure?
    ) throws(KeyError) -> DecodedKey {
        let structure: DecodedKey.Structure
        switch (DERShape(of: der), label) {
        case (.key(let found), let label):
            guard label == nil || label?.isPrivate == found.isPrivate else {
                throw KeyError(
                    .invalidKeyMaterial,
                    found.isPrivate
                        ? "\(place) is for a public key, and holds a private one (\(shown: found.name))."
                        : "\(place) is for a private key, and holds a public one (\(shown: found.name))."
                )
            }
            structure = found
        case (.encryptedKey, _): throw PEM.encrypted
        case (.certificate, _):
            throw KeyError(
                .invalidKeyMaterial,
                "\(place) holds a certificate, not a key: read it as a certificate.")
        case (.pkcs12, _):
            throw KeyError(.unsupportedKeyType, InputShape.pkcs12.sentence(about: place))
        case (nil, let label?): structure = label
        case (nil, nil):
            throw KeyError(
                .malformed,
                "\(place) holds neither PKCS#8, SEC1, PKCS#1 nor SubjectPublicKeyInfo.")
        }
        guard !structure.hasExplicitCurve(der) else {
            throw KeyError(
                .unsupportedKeyType,
                "\(place) has a curve in numbers, not by name. Write its name: "
                    + "openssl pkey -in KEY.pem -ec_param_enc named_curve -out NAMED.pem")
        }
        return try PEM.translatingErrors(
            refused: .invalidKeyMaterial,
            message: { "\(place) does not hold a key that parses. \(messageOf: $0)" },
            { () throws(CryptographyError) in try DecodedKey(der: der, as: structure) })
    }
}
