// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

/// Why a call to a Supabase project failed. It carries no token, code or address, and no sentence
/// of the server, which may quote them.
public typealias SupabaseError = CodedError<SupabaseErrorDomain>

/// The domain of ``SupabaseError``.
public enum SupabaseErrorDomain: ErrorDomain {
    /// Details besides the code. Comparing errors includes GoTrue's code.
    public struct Details: Equatable, Sendable {
        /// The response's status, if there was a response.
        public var status: Int?
        /// GoTrue's code, if it is a published one.
        public var serverCode: GoTrueCode?
        /// The delay of `Retry-After`, up to an hour. GoTrue sends none, but a proxy may.
        public var retryAfter: Duration?
        /// Whether a GoTrue without codes refused a refresh token. Without a description it may
        /// have refused any other credential.
        var isInvalidGrant = false

        /// Compares GoTrue's codes.
        public static func == (a: Self, b: Self) -> Bool { a.serverCode == b.serverCode }
    }

    /// The code, GoTrue's code and the sentence.
    public static func description(of error: SupabaseError) -> String {
        let code = error.serverCode.map { " (\($0))" } ?? ""
        return "\(error.code)\(code): \(error.message)"
    }
}

extension SupabaseError.Code {
    /// GoTrue refused: see `serverCode`, which GoTrue gives for most reasons.
    public static var refused: Self { Self(rawValue: "refused") }
    /// The project does not take the key of a `SupabaseAdmin`.
    public static var keyRefused: Self { Self(rawValue: "keyRefused") }
    /// Too many requests (429).
    public static var rateLimited: Self { Self(rawValue: "rateLimited") }
    /// The server failed (5xx), or another request uses the same session (409): retry.
    public static var serverFailed: Self { Self(rawValue: "serverFailed") }
    /// There was no connection.
    public static var unreachable: Self { Self(rawValue: "unreachable") }
    /// There was no complete response in time.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The server's certificate was not trusted.
    public static var notTrusted: Self { Self(rawValue: "notTrusted") }
    /// The response is not GoTrue's.
    public static var invalidAnswer: Self { Self(rawValue: "invalidAnswer") }
    /// The caller's task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// The input cannot be sent, and was not.
    public static var invalidInput: Self { Self(rawValue: "invalidInput") }
    /// There was no ID token to sign in with. Nothing was sent.
    public static var missingIDToken: Self { Self(rawValue: "missingIDToken") }
    /// The callback address does not belong to this sign-in.
    public static var invalidCallback: Self { Self(rawValue: "invalidCallback") }
    /// The provider, or GoTrue, sent the browser back with an error.
    public static var signInRefused: Self { Self(rawValue: "signInRefused") }
    /// The code was accepted, and the user's other address must be confirmed too.
    public static var confirmationPending: Self { Self(rawValue: "confirmationPending") }
}

extension SupabaseError {
    /// An error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - status: the response's status.
    ///   - serverCode: GoTrue's code.
    ///   - retryAfter: how long the server asks to wait.
    ///   - underlying: the error of a lower layer, its cause.
    ///   - message: a sentence for people, without anything secret.
    public init(
        _ code: Code, status: Int? = nil, serverCode: GoTrueCode? = nil,
        retryAfter: Duration? = nil, underlying: (any Error)? = nil, _ message: ErrorMessage
    ) {
        self.init(
            code,
            details: .init(status: status, serverCode: serverCode, retryAfter: retryAfter),
            underlying: underlying, message)
    }

    /// The response's status, if there was a response.
    public var status: Int? { details.status }

    /// GoTrue's code, if it is a published one.
    public var serverCode: GoTrueCode? { details.serverCode }

    /// How long the server asks to wait.
    public var retryAfter: Duration? { details.retryAfter }

    /// A sentence to show to the person (`SignInText`), without any text of the server.
    public var userMessage: String {
        switch code {
        case .rateLimited: SignInText.tooManyAttempts
        case .unreachable, .timedOut: SignInText.noConnection
        case .missingIDToken: message
        case .refused: serverCode.map(Self.text) ?? SignInText.unknownError
        default: SignInText.unknownError
        }
    }

    /// Whether GoTrue says that the session has ended.
    var endsSession: Bool {
        guard code == .refused, let serverCode else { return false }
        return [
            .sessionNotFound, .sessionExpired, .refreshTokenNotFound, .refreshTokenAlreadyUsed,
        ].contains(serverCode)
    }

    /// Whether a refusal of a refresh token means that the token gives no session any more.
    /// Meaningless for every other call.
    var refusesRefreshToken: Bool {
        guard code == .refused else { return false }
        return endsSession || isBan || serverCode == .userNotFound || details.isInvalidGrant
    }

    /// Whether the user is banned: the session ends here, while the server keeps it.
    var isBan: Bool { serverCode == .userBanned }

    private static func text(for code: GoTrueCode) -> String {
        switch code {
        case .otpExpired: SignInText.wrongCode
        case .userNotFound: SignInText.noAccount
        case .sessionNotFound, .sessionExpired, .refreshTokenNotFound, .refreshTokenAlreadyUsed,
            .badJWT:
            SignInText.sessionExpired
        default: SignInText.unknownError
        }
    }
}
