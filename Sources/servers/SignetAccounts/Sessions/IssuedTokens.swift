// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
public import SignetIdentity

/// The tokens of a sign-in or a refresh (RFC 6749, section 5.1). Printing shows no token.
public struct IssuedTokens: Sendable, Redacted {
    /// The access token, with its lifetime and identifiers.
    public let access: IssuedSessionToken
    /// Gets the next pair, once. Anyone who has it has the session: send it only to the client.
    public let refreshToken: String
    /// The session.
    public let session: AccountSession

    /// `access_token`.
    public var accessToken: String { access.token }
    /// `expires_in`: the seconds that the access token is valid.
    public var expiresIn: Int { access.expiresIn }
}
