// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetJOSE

/// Why a request is refused, in GoTrue's words: programs match the code, and people read the text.
/// The response's body has one of these shapes:
///
///     {"code":400,"error_code":"validation_failed","msg":"…"}
///     {"code":"validation_failed","error_code":"validation_failed","message":"…"}
///     {"error":"invalid request","error_description":"…"}
///     {"message":"Invalid API key","hint":"…"}
///
/// The first two are GoTrue's: the second for a client that asks for the errors of 2024-01-01. The
/// third is OAuth's, for ID tokens, and the fourth that of the gateway in front of GoTrue.
package struct GoTrueRefusal: Error, Equatable {
    private enum Shape: Equatable {
        case goTrue
        /// OAuth's `error` and `error_description`.
        case oauth(String)
        /// The message of the gateway in front of GoTrue.
        case gateway
    }

    package private(set) var status: Int
    package let code: String
    let message: String
    private var shape = Shape.goTrue
    private var retryAfter: Duration?
    /// Why a password is weak, in GoTrue's words.
    private var weaknesses: [String] = []

    init(_ status: Int, code: String, message: ErrorMessage) {
        self.status = status
        self.code = code
        self.message = message.description
    }

    /// A refusal in OAuth's form (RFC 6749, section 5.2), for ID tokens.
    static func oauth(_ error: String, description: ErrorMessage) -> GoTrueRefusal {
        var refusal = GoTrueRefusal(400, code: "bad_oauth", message: description)
        refusal.shape = .oauth(error)
        return refusal
    }

    /// The response of the gateway in front of GoTrue.
    static var apiKey: GoTrueRefusal {
        var refusal = GoTrueRefusal(401, code: "no_api_key", message: "Invalid API key")
        refusal.shape = .gateway
        return refusal
    }

    /// The refusal while a limit allows no code yet.
    private static func tooEarly(_ code: String, for error: AccountError) -> GoTrueRefusal {
        var refusal = GoTrueRefusal(
            429, code: code,
            message: "For security purposes, you can only request this once in a while")
        refusal.retryAfter = error.retryAfter
        return refusal
    }

    /// Whether this server or the provider is at fault: the code decides, not the status.
    var isOwnFault: Bool { code.utf8.elementsEqual(Self.unexpected.code.utf8) }

    /// Whether the same request may succeed later: a limit is reached, or a part is unavailable.
    var isPassing: Bool { status == 429 || status == 503 }

    static func weakPassword(_ message: ErrorMessage, reasons: [String]) -> GoTrueRefusal {
        var refusal = GoTrueRefusal(422, code: "weak_password", message: message)
        refusal.weaknesses = reasons
        return refusal
    }

    /// The refusal of a hook, in its own words.
    private static func hook(_ error: AccountError) -> GoTrueRefusal {
        guard let refusal = error.underlying as? GoTrueHooks.Refusal else { return .unexpected }
        guard error.code == .hookRefused else {
            return .weakPassword(refusal.message, reasons: refusal.reasons)
        }
        return GoTrueRefusal(403, code: refusal.code.description, message: refusal.message)
    }

    func retrying(after duration: Duration?) -> GoTrueRefusal {
        var refusal = self
        refusal.retryAfter = duration
        return refusal
    }

    /// The same refusal, with status 503 instead of 429.
    ///
    /// auth-js and supabase-auth end a session if its refresh is refused, also with 429. A server
    /// error keeps the session.
    var keepingSession: GoTrueRefusal {
        guard status == 429 else { return self }
        var refusal = self
        refusal.status = 503
        return refusal
    }

    /// The response that reports this refusal.
    ///
    /// - Parameter namesCodes: whether the client has requested the errors of 2024-01-01.
    func response(namesCodes: Bool) -> GoTrueResponse {
        var fields: [GoTrueResponse.Field] = []
        if shape == .goTrue { fields.append(.init(name: "x-sb-error-code", value: code)) }
        if let retryAfter {
            let seconds = max(1, retryAfter.secondsUp)
            fields.append(.init(name: "Retry-After", value: "\(seconds)"))
        }
        // Texts and numbers always encode; an empty object would be JSON all the same.
        let text = try? StrictJSON.encode(JSONValue.object(bodyMembers(namesCodes: namesCodes)))
        return .json(text ?? Array("{}".utf8), status: status, fields: fields)
    }

    /// The members of the body: the shapes of ``GoTrueRefusal``.
    private func bodyMembers(namesCodes: Bool) -> [String: JSONValue] {
        var members: [String: JSONValue]
        switch shape {
        case .gateway: return ["message": .string(message), "hint": "Send the project's apikey."]
        case .oauth(let error):
            return ["error": .string(error), "error_description": .string(message)]
        case .goTrue where namesCodes:
            // A page of another origin cannot read this response's version field, unless the HTTP
            // server exposes the field. Clients then read `error_code` instead of `code`.
            members = [
                "code": .string(code), "error_code": .string(code), "message": .string(message),
            ]
        case .goTrue:
            members = [
                "code": .integer(Int64(status)), "error_code": .string(code),
                "msg": .string(message),
            ]
        }
        if !weaknesses.isEmpty {
            members["weak_password"] = ["reasons": .array(weaknesses.map(JSONValue.string))]
        }
        return members
    }
}

extension GoTrueRefusal {
    static func invalid(_ message: ErrorMessage) -> GoTrueRefusal {
        GoTrueRefusal(400, code: "validation_failed", message: message)
    }

    static var badJSON: GoTrueRefusal {
        GoTrueRefusal(400, code: "bad_json", message: "Could not parse request body as JSON")
    }

    static var metadataTooLarge: GoTrueRefusal {
        .invalid(
            "The metadata have more than \(GoTrueMetadata.maximumByteCount) bytes, "
                + "\(GoTrueMetadata.maximumDepth) levels, or "
                + "\(GoTrueMetadata.maximumNameByteCount) bytes in a name")
    }

    static var otpExpired: GoTrueRefusal {
        GoTrueRefusal(403, code: "otp_expired", message: "Token has expired or is invalid")
    }

    static var nonceNotValid: GoTrueRefusal {
        GoTrueRefusal(
            422, code: "reauthentication_not_valid", message: "Nonce has expired or is invalid")
    }

    static var invalidCredentials: GoTrueRefusal {
        GoTrueRefusal(400, code: "invalid_credentials", message: "Invalid login credentials")
    }

    static var noRefreshToken: GoTrueRefusal {
        GoTrueRefusal(
            400, code: "refresh_token_not_found",
            message: "Invalid Refresh Token: Refresh Token Not Found")
    }

    static var signUpDisabled: GoTrueRefusal {
        GoTrueRefusal(
            422, code: "signup_disabled", message: "Signups not allowed for this instance")
    }

    static var userNotFound: GoTrueRefusal {
        GoTrueRefusal(
            403, code: "user_not_found", message: "User from sub claim in JWT does not exist")
    }

    static var unexpected: GoTrueRefusal {
        GoTrueRefusal(
            500, code: "unexpected_failure", message: "Unexpected failure, please check server logs"
        )
    }

    /// The refusal for an account error. Callers replace it where GoTrue has a more specific code.
    init(_ error: AccountError) {
        self =
            switch error.code {
            case .tooManyRequests:
                GoTrueRefusal(
                    429, code: "over_request_rate_limit", message: "Request rate limit reached"
                )
                .retrying(after: error.retryAfter)
            case .tooManyMessages: .tooEarly("over_sms_send_rate_limit", for: error)
            case .tooManyMails: .tooEarly("over_email_send_rate_limit", for: error)
            case .wrongCode: .otpExpired
            case .unknownUser: .userNotFound
            case .userBanned: GoTrueRefusal(403, code: "user_banned", message: "User is banned")
            case .invalidToken:
                GoTrueRefusal(
                    403, code: "bad_jwt",
                    message: "invalid JWT: unable to parse or verify signature")
            case .sessionEnded:
                GoTrueRefusal(
                    403, code: "session_not_found",
                    message: "Session from session_id claim in JWT does not exist")
            case .invalidGrant: .noRefreshToken
            // No request here names a client. The session goes on at the endpoint of OAuth.
            case .missingClient, .otherClient: .invalid("The session is of an OAuth client")
            case .sessionExpired:
                GoTrueRefusal(
                    400, code: "session_expired", message: "Invalid Refresh Token: Session Expired")
            case .refreshTokenReused:
                GoTrueRefusal(
                    400, code: "refresh_token_already_used",
                    message: "Invalid Refresh Token: Already Used")
            case .passwordTooShort:
                .weakPassword("Password is too short.", reasons: ["length"])
            case .hookRefused, .passwordRefused: .hook(error)
            case .unsupportedPasswordHash:
                GoTrueRefusal(
                    422, code: "password_needs_reset",
                    message: "This password cannot be checked any more: please sign in with a code "
                        + "and set a new password")
            case .identityTaken:
                GoTrueRefusal(
                    422, code: "identity_already_exists",
                    message: "Identity is already linked to another user")
            case .noSignUp: .signUpDisabled
            case .signInTooOld:
                GoTrueRefusal(
                    400, code: "reauthentication_needed",
                    message: "This update requires reauthentication")
            case .metadataTooLarge: .metadataTooLarge
            case .tooManyFactors, .factorNameTaken, .unknownFactor, .unknownChallenge,
                .challengeEnded, .factorNeeded:
                .factor(error)
            case .lastIdentity:
                GoTrueRefusal(
                    422, code: "single_identity_not_deletable",
                    message: "User must have at least 1 identity after unlinking")
            case .unsettledIdentity:
                GoTrueRefusal(
                    422, code: "single_identity_not_deletable",
                    message: "User must have an identity that was linked at least a day ago after "
                        + "unlinking")
            case .unknownIdentity:
                GoTrueRefusal(422, code: "identity_not_found", message: "Identity doesn't exist")
            case .busy, .unavailable, .outcomeUnknown, .cancelled, .tokenTooLarge:
                GoTrueRefusal(
                    503, code: "unexpected_failure", message: "Please try again in a moment"
                )
                .retrying(after: error.retryAfter ?? .seconds(1))
            default: .unexpected  // a fault of this server
            }
    }
}
