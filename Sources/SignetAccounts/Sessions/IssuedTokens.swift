// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
public import SignetPlatform

/// What a sign-in or a refresh gives (RFC 6749, section 5.1). Printing it shows no token.
public struct IssuedTokens: Sendable, Redacted {
    /// What requests carry, with its lifetime and identifiers.
    public let access: IssuedSessionToken
    /// What gets the next pair, once. To have it is to have the session: it goes to the client and
    /// nowhere else.
    public let refreshToken: String
    /// The session.
    public let session: AccountSession

    /// `access_token`.
    public var accessToken: String { access.token }
    /// `expires_in`: the seconds that the access token is valid.
    public var expiresIn: Int { access.expiresIn }
}
