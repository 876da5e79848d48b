// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The meaning of the algorithm names in the figures.
enum AlgorithmName {
    /// The hash that a name ends in, as in `HMAC-SHA-256` and `RSASSA-PSS SHA-512`.
    static func hash(_ name: String) throws(AuditError) -> HashAlgorithm {
        guard let hash = HashAlgorithm.allCases.first(where: { name.hasSuffix($0.rawValue) }) else {
            throw AuditError(.malformed, "\(shown: name) does not name a hash.")
        }
        return hash
    }

    /// The curve that a name holds, as in `EC P-256` and `ECDSA P-256 SHA-256`.
    static func curve(_ name: String) throws(AuditError) -> EllipticCurve {
        let words = name.split(separator: " ")
        guard
            let curve = EllipticCurve.allCases.first(where: {
                words.contains(Substring($0.rawValue))
            })
        else {
            throw AuditError(.malformed, "\(shown: name) does not name a curve.")
        }
        return curve
    }

    static func rsaScheme(_ name: String) throws(AuditError) -> RSAScheme {
        if name.hasPrefix("RSASSA-PSS ") { return .pss }
        if name.hasPrefix("RSASSA-PKCS1-v1_5 ") { return .pkcs1v15 }
        throw AuditError(.malformed, "\(shown: name) does not name an RSA scheme.")
    }
}
