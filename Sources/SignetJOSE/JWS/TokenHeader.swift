// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The protected header of a compact JWS whose signature has verified (RFC 7515, section 4), as far
/// as Signet uses it.
///
/// `jwk`, `jku`, `x5u` and `x5c` are never looked at: a token does not say which key to trust.
public struct TokenHeader: Sendable {
    /// `alg`.
    public let algorithm: String
    /// `kid`.
    public let keyID: String?
    /// `typ`.
    public let type: String?
    /// `cty`.
    public let contentType: String?

    /// The header of a token whose signature has been found good.
    init(_ verified: ReceivedHeader) {
        algorithm = verified.algorithmName.swiftString()
        keyID = verified.keyID?.swiftString()
        type = verified.type?.swiftString()
        contentType = verified.contentType?.swiftString()
    }
}
