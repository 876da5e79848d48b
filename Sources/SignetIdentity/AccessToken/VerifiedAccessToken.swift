// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// An access token of which everything was checked. Only an ``AccessTokenVerifier`` makes one.
public struct VerifiedAccessToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// `iss`.
    public let issuer: String
    /// `sub`: a person, or the client itself where no person takes part.
    public let subject: String
    /// The client that asked for the token, where the token says (`client_id`, `azp`, `cid`,
    /// `appid`).
    public let clientID: String?
    /// `aud`, as a list even where the token has a single string.
    public let audience: [String]
    /// `jti`, where the token has one.
    public let tokenID: String?
    /// The scopes, in the order of the token; empty where it has none.
    public let scopes: [String]
    /// Roles, groups or permissions, from where the profile has them; empty where the token has
    /// none.
    public let roles: [String]
    /// `iat`.
    public let issuedAt: NumericDate
    /// `exp`.
    public let expiration: NumericDate
    /// `auth_time`: when the person last proved who they are.
    public let authenticationTime: NumericDate?
    /// `acr`: how they proved it.
    public let authenticationContext: String?
    /// The `kid` of the key that verified.
    public let keyID: String?
    let registered: RegisteredClaims

    /// Whether `scope` has this word. A request for which it has not is answered 403
    /// `insufficient_scope` (RFC 6750, section 3.1), not 401.
    public func hasScope(_ scope: String) -> Bool { ReceivedText(scope).isOne(of: scopes) }

    /// Whether there is such a role, group or permission.
    public func hasRole(_ role: String) -> Bool { ReceivedText(role).isOne(of: roles) }

    /// Whether it has a scope or a role; an empty name does not count.
    var hasGrant: Bool { !scopes.allSatisfy(\.isEmpty) || !roles.allSatisfy(\.isEmpty) }

    /// All claims as a type of the caller's, from the parse that the checks have read.
    ///
    /// - Throws: `claimInvalid` with a path when they do not fit the type.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(IdentityError) -> Claims {
        try registered.decode(type)
    }

    /// The claims as they were signed, as JSON.
    package var signedClaims: [UInt8] { Array(registered.root.rawBytes) }

    /// Issuer, subject and client, in printable ASCII.
    public var description: String {
        let subject = String(
            decoding: subject.utf8.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") },
            as: UTF8.self)
        return
            "VerifiedAccessToken(\(issuer) \(subject), client \(clientID?.printableName ?? "not named"))"
    }

    /// Shows issuer, subject and client only.
    public var customMirror: Mirror {
        Mirror(self, children: ["issuer": issuer, "subject": subject, "clientID": clientID as Any])
    }
}
