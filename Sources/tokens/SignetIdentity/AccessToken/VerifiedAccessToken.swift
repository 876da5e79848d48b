// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// An access token that passed every check. Only an ``AccessTokenVerifier``, or SignetSignIn's
/// `TokenIntrospection`, makes it.
public struct VerifiedAccessToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// `iss`.
    public let issuer: String
    /// The acting party: the subject (`sub`), or the client itself.
    public let principal: Principal
    /// The client that requested the token, if stated (`client_id`, `azp`, `cid`, `appid`).
    public let clientID: String?
    /// `aud`, as a list even for a single string.
    public let audience: [String]
    /// `jti`, if the token has one.
    public let tokenID: String?
    /// The scopes, in the order of the token; empty if it has none.
    public let scopes: [String]
    /// Roles, groups or permissions, from the profile's claims; empty if the token has none.
    public let roles: [String]
    /// `iat`, if the token has one.
    public let issuedAt: NumericDate?
    /// `exp`. Nil only for the answer of an introspection that states none.
    public let expiration: NumericDate?
    /// How long a program may reuse this result at most before it verifies again: until `exp`, or
    /// 60 s after an introspection whose answer states none. Signet itself caches no result.
    public let reusableUntil: NumericDate
    /// `auth_time`: when the person last proved who they are.
    public let authenticationTime: NumericDate?
    /// `acr`: how the person authenticated.
    public let authenticationContext: String?
    /// `authorization_details` (RFC 9396): what the client may do beside its scopes; empty if the
    /// token has none.
    public let authorizationDetails: [AuthorizationDetail]
    /// `act`: who uses the token for the subject (RFC 8693, section 4.1); nil if the subject acts
    /// itself.
    public let actor: TokenActor?
    /// `may_act`: who may become an actor for the subject (RFC 8693, section 4.4). It grants this
    /// request nothing; servers that exchange tokens read it.
    public let permittedActor: TokenActor?
    /// The `kid` of the key that verified.
    public let keyID: String?
    let registered: RegisteredClaims

    /// Whether the token has this scope. If not, answer 403 `insufficient_scope` (RFC 6750, section
    /// 3.1), not 401.
    public func hasScope(_ scope: String) -> Bool { ReceivedText(scope).isOne(of: scopes) }

    /// Whether the token has this role, group or permission.
    public func hasRole(_ role: String) -> Bool { ReceivedText(role).isOne(of: roles) }

    /// Whether the token has a scope or a role; an empty name does not count.
    var hasGrant: Bool { !scopes.allSatisfy(\.isEmpty) || !roles.allSatisfy(\.isEmpty) }

    /// Decodes all claims as a type of yours, from the checked parse.
    ///
    /// - Throws: `claimInvalid` with a path if they do not fit the type.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(IdentityError) -> Claims {
        try registered.decode(type)
    }

    /// The claims as they were signed, as JSON.
    package var signedClaims: [UInt8] { Array(registered.root.rawBytes) }

    /// Issuer, principal and client, in printable ASCII.
    public var description: String {
        let client = clientID?.printableName ?? "not named"
        return "VerifiedAccessToken(\(issuer) \(principal), client \(client))"
    }

    /// Only the issuer, the principal and the client.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["issuer": issuer, "principal": principal, "clientID": clientID as Any])
    }
}
