// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The payload of a JWS whose signature has verified. Only a ``JWSVerifier`` makes one.
public struct VerifiedPayload: Sendable {
    /// The bytes that were signed. What they mean is the application's business.
    public let payload: [UInt8]
    /// The protected header.
    public let header: TokenHeader
    /// The identifier of the key that verified, where it has one.
    public let keyID: String?

    init(_ checked: SignatureChecker.Checked) {
        payload = checked.payload
        header = checked.header
        keyID = checked.keyID
    }
}
