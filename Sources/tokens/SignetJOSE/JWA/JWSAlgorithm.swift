// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The algorithm of a JWS (RFC 7515, section 4.1.1): a signature, or a MAC under a secret.
enum JWSAlgorithm: Sendable, Equatable {
    case signature(SignatureAlgorithm)
    case code(HMACAlgorithm)

    /// The algorithm of exactly this name; nil for every name that Signet does not know.
    init?(name: Span<UInt8>) {
        for known in Self.known where bytesAreEqual(known.name.utf8.span, name) {
            self = known.algorithm
            return
        }
        return nil
    }

    private static let known =
        HMACAlgorithm.allCases.map { (name: $0.name, algorithm: Self.code($0)) }
        + SignatureAlgorithm.allCases.map { (name: $0.name, algorithm: Self.signature($0)) }
}
