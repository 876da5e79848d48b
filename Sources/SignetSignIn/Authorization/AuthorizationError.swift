// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a sign-in with an authorization code came to nothing. It carries no code, no token, no
/// verifier and no secret.
public typealias AuthorizationError = CodedError<AuthorizationErrorDomain>

/// The domain of ``AuthorizationError``.
public enum AuthorizationErrorDomain: ErrorDomain {
    /// What others said. The provider's error code counts when errors are compared.
    public struct Details: Equatable, Sendable {
        var refusal: ProviderRefusal?
        var underlying: (any Error)?
        var status: Int?
        var retryAfter: Duration?

        /// Compares the provider's error codes.
        public static func == (a: Self, b: Self) -> Bool { a.refusal?.error == b.refusal?.error }
    }

    /// The code, the provider's error code where it is a registered one, and the sentence.
    public static func description(of error: AuthorizationError) -> String {
        let refusal = error.refusal.map { " (\($0.registeredError ?? "other"))" } ?? ""
        return "\(error.code.rawValue)\(refusal): \(error.message)"
    }
}

extension AuthorizationError.Code {
    /// Not a callback, or a value of it, in the one form that is read here.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Longer than the limit. Nothing of it was read.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// A parameter that is read is there twice (RFC 6749, section 3.1).
    public static var repeatedParameter: Self { Self(rawValue: "repeatedParameter") }
    /// The address that was called is not the redirect URI that was asked for.
    public static var redirectMismatch: Self { Self(rawValue: "redirectMismatch") }
    /// The answer stands in the fragment: the implicit flow, which is not offered (RFC 9700,
    /// section 2.1.2).
    public static var fragment: Self { Self(rawValue: "fragment") }
    /// The callback has no `state`.
    public static var stateMissing: Self { Self(rawValue: "stateMissing") }
    /// The callback's `state` belongs to another sign-in, perhaps of another person.
    public static var stateMismatch: Self { Self(rawValue: "stateMismatch") }
    /// The provider says that it sends `iss`, and it is not there (RFC 9207).
    public static var issuerMissing: Self { Self(rawValue: "issuerMissing") }
    /// `iss` is another provider than the one that was asked (RFC 9207).
    public static var issuerMismatch: Self { Self(rawValue: "issuerMismatch") }
    /// The callback has neither a code nor an error.
    public static var codeMissing: Self { Self(rawValue: "codeMissing") }
    /// The provider answered with an error: see `refusal`.
    public static var refused: Self { Self(rawValue: "refused") }
    /// The endpoint did not answer, or is overloaded: worth trying again, with a code of a
    /// new sign-in.
    public static var unavailable: Self { Self(rawValue: "unavailable") }
    /// The endpoint's answer does not follow its specification (RFC 6749, section 5).
    public static var invalidResponse: Self { Self(rawValue: "invalidResponse") }
    /// The userinfo endpoint's answer is about another person than the ID token (OpenID Connect
    /// Core 1.0, section 5.3.2).
    public static var subjectMismatch: Self { Self(rawValue: "subjectMismatch") }
    /// PKCE was left out by a client without a secret (RFC 9700, section 2.1.1). Nothing was
    /// sent: the program is to blame.
    public static var pkceRequired: Self { Self(rawValue: "pkceRequired") }
    /// No sign-in of this browser waits for this callback: its cookie is absent, damaged or
    /// another provider's, or the sign-in was finished before. Begin a new one.
    public static var notPending: Self { Self(rawValue: "notPending") }
    /// The sign-in was begun more than 10 minutes ago. Begin a new one.
    public static var expired: Self { Self(rawValue: "expired") }
    /// The store of sign-ins that have begun failed: see `underlying`.
    public static var storeUnavailable: Self { Self(rawValue: "storeUnavailable") }
    /// The caller's task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// libcrypto has no randomness, lacks SHA-256, or could not sign.
    public static var libraryFailure: Self { Self(rawValue: "libraryFailure") }
}

extension AuthorizationError {
    /// What the provider said, for `refused`. Nothing of it is in the message.
    public var refusal: ProviderRefusal? { details.refusal }
    /// What the store threw, for `storeUnavailable`. The description is without it.
    public var underlying: (any Error)? { details.underlying }

    /// The status of the answer that was none: 429 or 5xx, for `unavailable`.
    public var status: Int? { details.status }
    /// What such an answer asks for in `Retry-After`, up to an hour.
    public var retryAfter: Duration? { details.retryAfter }

    /// An error with a code and a sentence.
    public init(
        _ code: Code, refusal: ProviderRefusal? = nil, underlying: (any Error)? = nil,
        _ message: String
    ) {
        self.init(code, details: .init(refusal: refusal, underlying: underlying), message)
    }
}
