// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// A new session token, with what the server stores or returns. Printing does not show the token.
public struct IssuedSessionToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// The compact JWT. Any holder of it is signed in: pass it only to the client.
    public let token: String
    /// `jti`: 128 random bits in base64url. A list of revoked tokens stores it until
    /// ``expiration``.
    public let tokenID: String
    /// `sid`: the session, which continues when its token is renewed.
    public let sessionID: String
    /// `iat`, and also `nbf`.
    public let issuedAt: NumericDate
    /// `exp`.
    public let expiration: NumericDate
    /// The seconds for a response's `expiresIn`: exactly `exp` - `iat`.
    public let expiresIn: Int

    /// The identifiers and the lifetime, without the token.
    public var description: String {
        "IssuedSessionToken(jti: \(tokenID), expiresIn: \(expiresIn), token redacted)"
    }

    /// Only the identifiers and the lifetime.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["tokenID": tokenID, "sessionID": sessionID, "expiresIn": expiresIn])
    }
}
