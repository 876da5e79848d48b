// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a sign-in with an authorization code failed. It carries no code, no token, no verifier and
/// no secret.
public typealias AuthorizationError = CodedError<AuthorizationErrorDomain>

/// The domain of ``AuthorizationError``.
public enum AuthorizationErrorDomain: ErrorDomain {
    /// Details from the provider. Comparing errors includes the provider's error code.
    public struct Details: Equatable, Sendable {
        var refusal: ProviderRefusal?
        var status: Int?
        var retryAfter: Duration?

        /// Compares the provider's error codes.
        public static func == (a: Self, b: Self) -> Bool { a.refusal?.error == b.refusal?.error }
    }

    /// The code, the provider's error code if it is registered, and the sentence.
    public static func description(of error: AuthorizationError) -> String {
        let refusal = error.refusal.map { " (\($0.registeredError ?? "other"))" } ?? ""
        return "\(error.code)\(refusal): \(error.message)"
    }
}

extension AuthorizationError.Code {
    /// The callback, or a value in it, does not have the expected form.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Longer than the limit, and not read.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// A parameter is repeated (RFC 6749, section 3.1).
    public static var repeatedParameter: Self { Self(rawValue: "repeatedParameter") }
    /// The requested address is not the redirect URI.
    public static var redirectMismatch: Self { Self(rawValue: "redirectMismatch") }
    /// The response is in the fragment: the implicit flow, which Signet does not support (RFC 9700,
    /// section 2.1.2).
    public static var fragment: Self { Self(rawValue: "fragment") }
    /// The callback has no `state`.
    public static var stateMissing: Self { Self(rawValue: "stateMissing") }
    /// The callback's `state` belongs to another sign-in, perhaps of another person.
    public static var stateMismatch: Self { Self(rawValue: "stateMismatch") }
    /// The provider says that it sends `iss`, which is missing (RFC 9207).
    public static var issuerMissing: Self { Self(rawValue: "issuerMissing") }
    /// `iss` does not name the expected provider (RFC 9207).
    public static var issuerMismatch: Self { Self(rawValue: "issuerMismatch") }
    /// The callback has neither a code nor an error.
    public static var codeMissing: Self { Self(rawValue: "codeMissing") }
    /// The provider answered with an error: see `refusal`.
    public static var refused: Self { Self(rawValue: "refused") }
    /// The endpoint did not answer, or is overloaded: retry with a new sign-in.
    public static var unavailable: Self { Self(rawValue: "unavailable") }
    /// The endpoint's answer does not follow its specification (RFC 6749, section 5).
    public static var invalidResponse: Self { Self(rawValue: "invalidResponse") }
    /// The userinfo endpoint's answer is about another person than the ID token (OpenID Connect
    /// Core 1.0, section 5.3.2).
    public static var subjectMismatch: Self { Self(rawValue: "subjectMismatch") }
    /// The userinfo endpoint's answer has another form (JSON, signed, encrypted) than the program
    /// expects: the client is registered for the answer's form, or the program must expect it.
    public static var formMismatch: Self { Self(rawValue: "formMismatch") }
    /// A client without a secret left out PKCE (RFC 9700, section 2.1.1). Nothing was sent: the
    /// program's fault.
    public static var pkceRequired: Self { Self(rawValue: "pkceRequired") }
    /// No sign-in of this browser waits for this callback: its cookie is absent, damaged or another
    /// provider's, or the sign-in is already finished. Begin a new sign-in.
    public static var notPending: Self { Self(rawValue: "notPending") }
    /// The address that a native program gives the browser works once, and was opened a second
    /// time: by the person again, or by somebody else first. Begin a new sign-in.
    public static var openedTwice: Self { Self(rawValue: "openedTwice") }
    /// The sign-in began more than 10 minutes ago. Begin a new sign-in.
    public static var expired: Self { Self(rawValue: "expired") }
    /// The store of pending sign-ins failed: see `underlying`.
    public static var storeUnavailable: Self { Self(rawValue: "storeUnavailable") }
    /// The caller's task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// libcrypto has no randomness, lacks SHA-256, or could not sign.
    public static var libraryFailure: Self { Self(rawValue: "libraryFailure") }
}

extension AuthorizationError {
    /// The provider's error, for `refused`, and for `unavailable` if the answer of 429 or 5xx names
    /// an error. The message holds nothing of it.
    public var refusal: ProviderRefusal? { details.refusal }
    /// The status of the failed response: 429 or 5xx, for `unavailable`.
    public var status: Int? { details.status }
    /// The delay of the failed response's `Retry-After`, up to an hour.
    public var retryAfter: Duration? { details.retryAfter }

    /// An error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - refusal: the provider's error.
    ///   - underlying: the cause: the store's error, for `storeUnavailable`.
    ///   - message: a sentence for the operator.
    public init(
        _ code: Code, refusal: ProviderRefusal? = nil, underlying: (any Error)? = nil,
        _ message: ErrorMessage
    ) {
        self.init(code, details: .init(refusal: refusal), underlying: underlying, message)
    }
}
