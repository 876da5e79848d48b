// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
public import SignetSignIn

/// The response to a sign-in or a refresh, with the names of RFC 6749, section 5.1, and optionally
/// the user. Encoding it writes out the access token and the refresh token: send it to the client,
/// over TLS, with `Cache-Control: no-store`. Printing shows nothing.
public struct TokenAnswer: Encodable, Sendable, Redacted {
    private let tokens: IssuedTokens
    private let user: UserAccount?

    /// Makes a response, with the user if one is given.
    public init(_ tokens: IssuedTokens, user: UserAccount? = nil) {
        self.tokens = tokens
        self.user = user
    }

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case user
    }

    /// Writes `access_token`, `token_type`, `expires_in`, `refresh_token`, and `user` where there
    /// is one.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(tokens.accessToken, forKey: .accessToken)
        try members.encode("Bearer", forKey: .tokenType)
        try members.encode(tokens.expiresIn, forKey: .expiresIn)
        try members.encode(tokens.refreshToken, forKey: .refreshToken)
        try members.encodeIfPresent(user, forKey: .user)
    }
}

extension AccountSession: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, device
        case begunAt = "begun_at"
        case refreshedAt = "refreshed_at"
    }

    /// Writes what the user's own list shows: `id`, `device` where it is known, `begun_at` and
    /// `refreshed_at` in seconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encodeIfPresent(device, forKey: .device)
        try members.encode(begunAt, forKey: .begunAt)
        try members.encode(refreshedAt, forKey: .refreshedAt)
    }
}
