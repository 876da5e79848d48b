// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// An asymmetric signature algorithm of JWS (RFC 7518, section 3.1; RFC 8037; RFC 9864).
///
/// The list is closed: a header with a name outside it is rejected before a key is looked up.
/// `none` is not in it. HMAC has its own type, so a public key cannot be used as an HMAC secret.
public struct SignatureAlgorithm: Sendable, Hashable, CustomStringConvertible, CaseIterable {
    package enum Identifier: String, Sendable, CaseIterable {
        case rs256 = "RS256"
        case rs384 = "RS384"
        case rs512 = "RS512"
        case ps256 = "PS256"
        case ps384 = "PS384"
        case ps512 = "PS512"
        case es256 = "ES256"
        case es384 = "ES384"
        case es512 = "ES512"
        case edDSA = "EdDSA"
        case ed25519 = "Ed25519"
    }

    package let identifier: Identifier

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    public static let rs256 = SignatureAlgorithm(identifier: .rs256)
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    public static let rs384 = SignatureAlgorithm(identifier: .rs384)
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    public static let rs512 = SignatureAlgorithm(identifier: .rs512)
    /// RSASSA-PSS with SHA-256.
    public static let ps256 = SignatureAlgorithm(identifier: .ps256)
    /// RSASSA-PSS with SHA-384.
    public static let ps384 = SignatureAlgorithm(identifier: .ps384)
    /// RSASSA-PSS with SHA-512.
    public static let ps512 = SignatureAlgorithm(identifier: .ps512)
    /// ECDSA on P-256 with SHA-256.
    public static let es256 = SignatureAlgorithm(identifier: .es256)
    /// ECDSA on P-384 with SHA-384.
    public static let es384 = SignatureAlgorithm(identifier: .es384)
    /// ECDSA on P-521 with SHA-512.
    public static let es512 = SignatureAlgorithm(identifier: .es512)
    /// Ed25519 under its older name `EdDSA` (RFC 8037).
    public static let edDSA = SignatureAlgorithm(identifier: .edDSA)
    /// Ed25519 under its fully specified name (RFC 9864).
    public static let ed25519 = SignatureAlgorithm(identifier: .ed25519)

    /// Every algorithm of this type.
    public static var allCases: [SignatureAlgorithm] {
        Identifier.allCases.map(SignatureAlgorithm.init(identifier:))
    }

    /// The algorithm that a JWS header calls `name`, compared exactly; nil for an unknown name.
    public init?(name: String) {
        guard case .signature(let found) = JWSAlgorithm(name: name.utf8.span) else { return nil }
        self = found
    }

    private init(identifier: Identifier) { self.identifier = identifier }

    /// The registered name, as it stands in the `alg` member.
    public var name: String { identifier.rawValue }

    /// The registered name.
    public var description: String { name }

    package var family: SignatureFamily {
        switch identifier {
        case .rs256: .rsa(.pkcs1v15, .sha256)
        case .rs384: .rsa(.pkcs1v15, .sha384)
        case .rs512: .rsa(.pkcs1v15, .sha512)
        case .ps256: .rsa(.pss, .sha256)
        case .ps384: .rsa(.pss, .sha384)
        case .ps512: .rsa(.pss, .sha512)
        case .es256: .ec(.p256, .sha256)
        case .es384: .ec(.p384, .sha384)
        case .es512: .ec(.p521, .sha512)
        case .edDSA, .ed25519: .ed25519
        }
    }

    /// The only JWS algorithm for a curve (RFC 7518, section 3.4).
    package static func implied(by curve: EllipticCurve) -> SignatureAlgorithm {
        switch curve {
        case .p256: .es256
        case .p384: .es384
        case .p521: .es512
        }
    }
}
