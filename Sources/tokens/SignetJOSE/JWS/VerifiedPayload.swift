// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The payload of a JWS whose signature has verified. Only a ``JWSVerifier`` makes it.
public struct VerifiedPayload: Sendable {
    /// The signed bytes. The application interprets them.
    public let payload: [UInt8]
    /// The protected header.
    public let header: TokenHeader
    /// The identifier of the key that verified; nil if the key has none.
    public let keyID: String?

    init(_ checked: SignatureChecker.Checked) {
        payload = checked.payload
        header = checked.header
        keyID = checked.keyID
    }
}
