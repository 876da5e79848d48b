// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// An HMAC algorithm of JWS (RFC 7518, section 3.2).
public struct HMACAlgorithm: Sendable, Hashable, CustomStringConvertible, CaseIterable {
    package let hash: HashAlgorithm

    /// HMAC with SHA-256.
    public static let hs256 = HMACAlgorithm(hash: .sha256)
    /// HMAC with SHA-384.
    public static let hs384 = HMACAlgorithm(hash: .sha384)
    /// HMAC with SHA-512.
    public static let hs512 = HMACAlgorithm(hash: .sha512)

    /// Every algorithm of this type.
    public static let allCases: [HMACAlgorithm] = [.hs256, .hs384, .hs512]

    private init(hash: HashAlgorithm) { self.hash = hash }

    /// The algorithm that a JWS header calls `name`, compared exactly; nil for an unknown name.
    public init?(name: String) {
        guard case .code(let found) = JWSAlgorithm(name: name.utf8.span) else { return nil }
        self = found
    }

    /// The registered name, as it stands in the `alg` member.
    public var name: String {
        switch hash {
        case .sha256: "HS256"
        case .sha384: "HS384"
        case .sha512: "HS512"
        }
    }

    /// The registered name.
    public var description: String { name }

    /// The minimum length of a key in bytes: the length of the hash (RFC 7518, section 3.2).
    public var minimumKeyByteCount: Int { hash.byteCount }
}
