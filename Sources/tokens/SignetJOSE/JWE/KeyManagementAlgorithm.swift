// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// How the key of an encrypted token's content is chosen or sent: `alg` of a JWE (RFC 7518, section
/// 4; RFC 8037 for X25519).
///
/// Not offered: `RSA1_5`, `PBES2-…` and `A…GCMKW`.
public enum KeyManagementAlgorithm: String, Sendable, Hashable, CaseIterable,
    CustomStringConvertible
{
    /// The shared key encrypts the content itself.
    case direct = "dir"
    /// A fresh key for each token, wrapped with a shared key by AES key wrap (RFC 3394).
    case a128KW = "A128KW"
    case a192KW = "A192KW"
    case a256KW = "A256KW"
    /// Agreed with the receiver's public key and a fresh key pair. The result encrypts the content.
    case ecdhES = "ECDH-ES"
    /// Agreed in the same way. The result wraps a fresh key.
    case ecdhESA128KW = "ECDH-ES+A128KW"
    case ecdhESA192KW = "ECDH-ES+A192KW"
    case ecdhESA256KW = "ECDH-ES+A256KW"
    /// RSAES OAEP with SHA-1, for tokens of issuers that have nothing else. It only decrypts, and
    /// only for a key that was bound to it by name.
    case rsaOAEP = "RSA-OAEP"
    /// A fresh key for each token, encrypted to the receiver's public key by RSAES OAEP.
    case rsaOAEP256 = "RSA-OAEP-256"
    case rsaOAEP384 = "RSA-OAEP-384"
    case rsaOAEP512 = "RSA-OAEP-512"

    /// The algorithm that a header or a key calls `name`, compared exactly; nil for an unknown
    /// name.
    public init?(name: String) { self.init(utf8: name.utf8.span) }

    init?(utf8 name: Span<UInt8>) {
        guard let found = Self.allCases.first(where: { bytesAreEqual($0.rawValue.utf8.span, name) })
        else { return nil }
        self = found
    }

    /// The registered name, as it stands in `alg`.
    public var name: String { rawValue }

    /// The registered name.
    public var description: String { name }

    /// What an algorithm does with the key of the content.
    enum Family {
        /// The shared key is that key.
        case direct
        /// Wraps it under a shared key of this length.
        case wrapping(byteCount: Int)
        /// Agrees on that key, or on a key of this length that wraps it.
        case agreement(wrappingByteCount: Int?)
        /// Encrypts it to a public RSA key. The hash is SHA-1 if nil.
        case encryption(HashAlgorithm?)
    }

    var family: Family {
        switch self {
        case .direct: .direct
        case .a128KW: .wrapping(byteCount: 16)
        case .a192KW: .wrapping(byteCount: 24)
        case .a256KW: .wrapping(byteCount: 32)
        case .ecdhES: .agreement(wrappingByteCount: nil)
        case .ecdhESA128KW: .agreement(wrappingByteCount: 16)
        case .ecdhESA192KW: .agreement(wrappingByteCount: 24)
        case .ecdhESA256KW: .agreement(wrappingByteCount: 32)
        case .rsaOAEP: .encryption(nil)
        case .rsaOAEP256: .encryption(.sha256)
        case .rsaOAEP384: .encryption(.sha384)
        case .rsaOAEP512: .encryption(.sha512)
        }
    }

    /// Whether sender and receiver share the key.
    package var isSymmetric: Bool {
        switch family {
        case .direct, .wrapping: true
        case .agreement, .encryption: false
        }
    }
}
