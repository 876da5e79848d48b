// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// An access token of which everything was checked (RFC 9068). Only an ``AccessTokenVerifier`` makes one.
public struct VerifiedAccessToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// `iss`.
    public let issuer: String
    /// `sub`: a person, or the client itself where no person takes part.
    public let subject: String
    /// `client_id`: the client that asked for the token.
    public let clientID: String
    /// `aud`, as a list even where the token has a single string.
    public let audience: [String]
    /// `jti`.
    public let tokenID: String
    /// The words of `scope`, in the order of the token; empty where it has none.
    public let scopes: [String]
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

    /// Whether `scope` has this word. A request for which it has not is answered 403 `insufficient_scope` (RFC 6750, section 3.1), not 401.
    public func hasScope(_ scope: String) -> Bool { ReceivedText(scope).isOne(of: scopes) }

    /// All claims as a type of the caller's, from the parse that the checks have read.
    ///
    /// - Throws: `claimInvalid` with a path when they do not fit the type.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(IdentityError) -> Claims {
        try registered.decode(type)
    }

    /// Issuer, subject and client.
    public var description: String {
        "VerifiedAccessToken(\(issuer) \(subject), client \(clientID.printableName))"
    }

    /// Shows issuer, subject and client only.
    public var customMirror: Mirror {
        Mirror(self, children: ["issuer": issuer, "subject": subject, "clientID": clientID])
    }
}
