// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A token whose signature and claims have been checked. Only a ``TokenVerifier`` makes one.
public struct VerifiedToken<Claims> {
    /// The claims as the caller's type, decoded from the parse that the checks have read.
    public let claims: Claims
    /// The registered claims.
    public let registered: RegisteredClaims
    /// The protected header.
    public let header: TokenHeader
    /// The identifier of the key that verified, where it has one.
    public var keyID: String? { verifiedKeyID.text(header) }
    private let verifiedKeyID: VerifiedKeyID

    @inline(__always)
    init(claims: Claims, registered: RegisteredClaims, _ checked: SignatureChecker.Checked) {
        self.claims = claims
        self.registered = registered
        header = checked.header
        verifiedKeyID = checked.keyID
    }
}

extension VerifiedToken: Sendable where Claims: Sendable {}
