// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A token whose signature and claims have been checked. Only a ``TokenVerifier`` makes one.
public struct VerifiedToken<Claims> {
    /// The claims as the caller's type, decoded from the parse that the checks have read.
    public let claims: Claims
    @usableFromInline let checked: CheckedToken

    /// The registered claims.
    public var registered: RegisteredClaims { checked.registered }
    /// The protected header.
    public var header: TokenHeader { checked.header }
    /// The identifier of the key that verified, where it has one.
    public var keyID: String? { checked.keyID }

    @usableFromInline
    init(claims: Claims, _ checked: CheckedToken) {
        self.claims = claims
        self.checked = checked
    }
}

extension VerifiedToken {
    /// The same token, with its claims as another type.
    package func decoded<Other: Decodable>(as type: Other.Type) throws(TokenError) -> VerifiedToken<
        Other
    > {
        VerifiedToken<Other>(claims: try checked.decoded(type), checked)
    }
}

extension VerifiedToken: Sendable where Claims: Sendable {}

/// What a ``TokenVerifier`` has found good, whatever type its claims are to be.
@usableFromInline
struct CheckedToken: Sendable {
    let registered: RegisteredClaims
    let header: TokenHeader
    let keyID: String?

    /// The claims as a type of the caller's.
    @usableFromInline
    func decoded<Claims: Decodable>(_ type: Claims.Type) throws(TokenError) -> Claims {
        do throws(JSONError) {
            return try JSONTokenDecoder().decode(type, from: registered.root)
        } catch {
            throw TokenError(decoding: error)
        }
    }
}
