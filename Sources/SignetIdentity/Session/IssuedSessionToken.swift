// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// A new session token, and what the server remembers or answers about it. Printing it does not
/// show the token.
public struct IssuedSessionToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// The compact JWT. Any holder of it is signed in: pass it to the client and nowhere else.
    public let token: String
    /// `jti`: 128 random bits in base64url. A list of revoked tokens stores it until
    /// ``expiration``.
    public let tokenID: String
    /// `sid`: the session, which lives on when its token is renewed.
    public let sessionID: String
    /// `iat`, which is `nbf` too.
    public let issuedAt: NumericDate
    /// `exp`.
    public let expiration: NumericDate
    /// The seconds for an answer's `expiresIn`: exactly `exp` - `iat`.
    public let expiresIn: Int

    /// The identifiers and the lifetime, without the token.
    public var description: String {
        "IssuedSessionToken(jti: \(tokenID), expiresIn: \(expiresIn), token redacted)"
    }

    /// Shows the identifiers and the lifetime only.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["tokenID": tokenID, "sessionID": sessionID, "expiresIn": expiresIn])
    }
}
