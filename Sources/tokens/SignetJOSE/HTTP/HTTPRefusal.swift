// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// A server's answer to a request that failed: the status and, if any, the value of
/// `WWW-Authenticate` (RFC 6750, section 3).
///
/// ```swift
/// func refusal(of compact: Substring) -> HTTPRefusal? {
///     do throws(TokenError) {
///         _ = try verifier.verify(compact)
///         return nil
///     } catch {
///         // The log gets the reason. The client gets the same answer for every reason.
///         print("refused:", error.fullCode, error.claim ?? "")
///         return HTTPRefusal(error)
///     }
/// }
/// ```
///
/// Every error of Signet has a refusal. Write `HTTPRefusal(error)` in the request's only `catch`.
///
/// | error | answer |
/// |---|---|
/// | `TokenError`, `IdentityError`: the token is refused | 401, `invalid_token` |
/// | `IdentityError`: it lacks a scope | 403, `insufficient_scope` and the scopes |
/// | `BearerTokenError`: no Bearer token was presented | 401, without a reason |
/// | `BearerTokenError`: not presented as RFC 6750 requires | 400, `invalid_request` |
/// | `AuthorizationError`: not a callback, or not the callback of this sign-in | 400 |
/// | `AuthorizationError`: the provider refused | 403 |
/// | `JSONError`, `JOSEEncodingError`, `MailboxError`: the input is refused | 400, or 413 |
/// | `SealedCookieError`: not a sealed cookie of this server, or no longer good | 400 |
/// | `SignInInputError`: a person's input is not valid | 400 |
/// | `AccountError`: a token or session is refused, the user is gone | 401, 400 for a refresh token |
/// | `AccountError`: the sign-in is not recent enough | 401, `insufficient_user_authentication` and `max_age` |
/// | `AccountError`: a wrong code, a limit, something that already exists | 400, 429, 409 |
/// | the issuer's keys, the token endpoint, a store or a database is unavailable for now | 503 |
/// | `IdentityError.keyHeldBack`: the issuer may not be asked yet | 503, or 401 by option |
/// | an error that no row above names, of Signet or not: the program or the machine is at fault | 500 |
///
/// A refusal holds no reason and nothing of the request: log the reason (`fullCode`).
public struct HTTPRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The status: 400, 401, 403, 409, 413, 429, 500 or 503.
    public let status: Int
    /// The value of `WWW-Authenticate`; nil for none.
    public let challenge: String?
    /// The value of `Retry-After` in seconds (RFC 9110, section 10.2.3) for a 429 or 503, if known;
    /// nil for none.
    public let retryAfterSeconds: Int?
    /// `error` of a JSON body as OAuth has it (RFC 6749, section 5.2). It comes from the error's
    /// code and never from the status.
    ///
    /// `invalid_grant`, which tells clients that their session has ended, stands for a refresh
    /// token that an `AccountError` refuses (`invalidGrant`, `sessionExpired`,
    /// `refreshTokenReused`) and for nothing else: a body that cannot be read is `invalid_request`.
    /// The remaining values come from RFC 6750, section 3.1, and from RFC 6749, section 4.1.2.1
    /// (`access_denied`, `server_error`, `temporarily_unavailable`).
    public let oauthError: String

    /// The answer to a request that failed with this error.
    public init(_ error: any Error) {
        self =
            switch error {
            case let error as any RefusesRequest: error.httpRefusal
            case let error as any PassingFailure where error.mayPass: .unavailable
            default: .internalError
            }
    }

    private init(
        _ status: Int, oauthError: String = "invalid_request", challenge: String? = nil,
        retryAfterSeconds: Int? = nil
    ) {
        self.status = status
        self.oauthError = oauthError
        self.challenge = challenge
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// The same refusal with the time to try again, for a 429 or a 503; nil for none. A negative
    /// number counts as 0.
    public func retrying(afterSeconds seconds: Int?) -> HTTPRefusal {
        // RFC 9110, section 10.2.3: no sign. The program may have made the error itself.
        HTTPRefusal(
            status, oauthError: oauthError, challenge: challenge,
            retryAfterSeconds: seconds.map { max(0, $0) })
    }

    /// No token was presented. 401.
    public static let authenticate = HTTPRefusal(401, challenge: "Bearer")
    /// A token was presented and rejected, for any reason. 401.
    public static let invalidToken = HTTPRefusal(
        401, oauthError: "invalid_token", challenge: "Bearer error=\"invalid_token\"")
    /// The token is valid, but this needs a more recent sign-in (RFC 9470, section 3). 401.
    public static let insufficientAuthentication = HTTPRefusal(
        401, oauthError: "insufficient_user_authentication",
        challenge: "Bearer error=\"insufficient_user_authentication\"")
    /// The token is valid, but this needs a sign-in that is at most `maximumAge` old (`max_age`, in
    /// whole seconds): the client can ask its provider for it. 401. Nil or a negative time is left
    /// out.
    public static func insufficientAuthentication(maximumAge: Duration?) -> HTTPRefusal {
        guard let maximumAge, maximumAge >= .zero else { return .insufficientAuthentication }
        return HTTPRefusal(
            401, oauthError: "insufficient_user_authentication",
            challenge: "Bearer error=\"insufficient_user_authentication\", "
                + "max_age=\(maximumAge.wholeSeconds)")
    }
    /// The request does not present its token as RFC 6750 requires. 400.
    public static let invalidRequest = HTTPRefusal(
        400, challenge: "Bearer error=\"invalid_request\"")
    /// The token is valid but lacks the scopes that this needs (RFC 6750, section 3.1). 403. Scopes
    /// that a challenge cannot hold are left out.
    public static func insufficientScope(_ scopes: [String] = []) -> HTTPRefusal {
        let isWritable = scopes.allSatisfy { scope in
            !scope.isEmpty
                && scope.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
        }
        let needed =
            scopes.isEmpty || !isWritable ? "" : ", scope=\"\(scopes.joined(separator: " "))\""
        return HTTPRefusal(
            403, oauthError: "insufficient_scope",
            challenge: "Bearer error=\"insufficient_scope\"\(needed)")
    }
    /// The input is malformed. 400.
    public static let badRequest = HTTPRefusal(400)
    /// The refresh token is not valid, or its session has ended (`invalid_grant`). 400.
    public static let invalidGrant = HTTPRefusal(400, oauthError: "invalid_grant")
    /// The token endpoint does not have the grant that the request names (RFC 6749, section 5.2).
    /// 400.
    public static let unsupportedGrantType = HTTPRefusal(400, oauthError: "unsupported_grant_type")
    /// The client does not authenticate as the endpoint requires (RFC 6749, section 5.2). 401.
    public static let invalidClient = HTTPRefusal(
        401, oauthError: "invalid_client", challenge: "Basic realm=\"client\"")
    /// The caller is known but not permitted. 403.
    public static let forbidden = HTTPRefusal(403, oauthError: "access_denied")
    /// The input is too large. 413.
    public static let contentTooLarge = HTTPRefusal(413)
    /// The object that the request would create already exists. 409.
    public static let conflict = HTTPRefusal(409)
    /// A limit is reached (RFC 6585, section 4). 429.
    public static let tooManyRequests = HTTPRefusal(429, oauthError: "temporarily_unavailable")
    /// The program or the machine is at fault. 500.
    public static let internalError = HTTPRefusal(500, oauthError: "server_error")
    /// Something that the request needs is unavailable for now. 503.
    public static let unavailable = HTTPRefusal(503, oauthError: "temporarily_unavailable")

    /// Compares everything but the time: `.unavailable` equals a 503 with any `Retry-After`.
    public static func == (a: HTTPRefusal, b: HTTPRefusal) -> Bool {
        a.status == b.status && a.challenge == b.challenge && a.oauthError == b.oauthError
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(challenge)
        hasher.combine(oauthError)
    }

    /// The status, the challenge and when to try again.
    public var description: String {
        "\(status)\(challenge.map { ", \($0)" } ?? "")"
            + (retryAfterSeconds.map { ", retry after \($0) s" } ?? "")
    }
}
