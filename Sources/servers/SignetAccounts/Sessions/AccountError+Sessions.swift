// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

// Sessions.
extension AccountError.Code {
    /// The refresh token is not valid, or its session has ended (`invalid_grant`, RFC 6749, section
    /// 5.2).
    public static var invalidGrant: Self { Self(rawValue: "invalidGrant") }
    /// The session was unused for too long, or has reached its maximum age.
    public static var sessionExpired: Self { Self(rawValue: "sessionExpired") }
    /// The refresh token was exchanged before, and not just now: someone else has a copy. Its
    /// session has ended (RFC 9700, section 4.14.2).
    public static var refreshTokenReused: Self { Self(rawValue: "refreshTokenReused") }
    /// The token is of a session that was begun for another client than the request names
    /// (`invalid_client`, RFC 6749, section 5.2). The session goes on, so this is no
    /// `invalid_grant`.
    public static var otherClient: Self { Self(rawValue: "otherClient") }
    /// The token is of a session that was begun for a client, and the request names none
    /// (`invalid_request`, RFC 6749, section 5.2). The session goes on.
    public static var missingClient: Self { Self(rawValue: "missingClient") }
    /// There is no such user: deleted, or never added.
    public static var unknownUser: Self { Self(rawValue: "unknownUser") }
    /// The user is banned. Tell it only to a person who has proved to be this user.
    public static var userBanned: Self { Self(rawValue: "userBanned") }
    /// The claims make the access token longer than `SessionTokenIssuer.maximumTokenByteCount`: the
    /// program's fault, 503. No session has begun or ended, and a refresh token is as good as
    /// before.
    public static var tokenTooLarge: Self { Self(rawValue: "tokenTooLarge") }
    /// The access token is not valid (`invalid_token`, RFC 6750, section 3.1).
    public static var invalidToken: Self { Self(rawValue: "invalidToken") }
    /// The access token is valid, but its session has ended.
    public static var sessionEnded: Self { Self(rawValue: "sessionEnded") }
}

extension AccountError {
    static var invalidGrant: AccountError {
        AccountError(.invalidGrant, "The refresh token is not valid, or its session has ended.")
    }
    static var otherClient: AccountError {
        AccountError(.otherClient, "The session was begun for another client.")
    }
    static var missingClient: AccountError {
        AccountError(.missingClient, "The session was begun for a client: name it as client_id.")
    }
    package static var userBanned: AccountError {
        AccountError(.userBanned, "This account is banned.")
    }
    static func tokenTooLarge(_ error: TokenError) -> AccountError {
        AccountError(
            .tokenTooLarge, underlying: error,
            "The access token was not issued: with its claims it has over "
                + "\(SessionTokenIssuer.maximumTokenByteCount) bytes. Return less from `claims`, "
                + "which adds the program's own (RefreshTokens, GoTrueHooks), and read the rest "
                + "from the database where it is needed.")
    }
    static var sessionEnded: AccountError {
        AccountError(.sessionEnded, "The session was ended. Sign in again.")
    }
}
