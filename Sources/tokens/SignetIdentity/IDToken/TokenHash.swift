// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// `at_hash` and `c_hash` (OpenID Connect Core 3.1.3.6 and 3.3.2.11): the left half of the hash
/// that goes with the token's `alg`.
enum TokenHash {
    /// Whether a claim is the hash of this value. A hash that cannot be computed does not match.
    static func matches(_ claim: ReceivedText, of value: String, algorithm: String) -> Bool {
        guard let hash = hashAlgorithm(of: algorithm),
            let digest = try? MessageDigest.digest(value.utf8, using: hash)
        else {
            return false
        }
        let wanted = Base64URL.encode(digest.prefix(digest.count / 2))
        return ConstantTime.areEqual(wanted.utf8, claim.utf8)
    }

    /// The hash of a token's `alg`; nil for an unknown `alg`.
    private static func hashAlgorithm(of name: String) -> HashAlgorithm? {
        if let known = HMACAlgorithm(name: name) { return known.hash }
        guard let known = SignatureAlgorithm(name: name) else { return nil }
        return switch known.family {
        case .rsa(_, let hash), .ec(_, let hash): hash
        // Ed25519 hashes with SHA-512 (RFC 8032, section 5.1).
        case .ed25519: .sha512
        }
    }
}
