// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// The two RSA signature schemes (RFC 8017, section 8).
public enum RSAScheme: Sendable, Hashable, CaseIterable {
    /// RSASSA-PKCS1-v1_5.
    case pkcs1v15
    /// RSASSA-PSS with MGF1 over the message's hash and a salt as long as that hash. A signature
    /// with a different salt length does not verify.
    case pss

    package func bridged(_ hash: HashAlgorithm) -> SignatureScheme {
        switch self {
        case .pkcs1v15: .rsaPKCS1(hash.bridged)
        case .pss: .rsaPSS(hash.bridged)
        }
    }
}
