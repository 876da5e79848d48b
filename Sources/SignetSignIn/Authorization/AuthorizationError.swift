// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a sign-in with an authorization code came to nothing. It carries no code, no token, no verifier and no secret.
public struct AuthorizationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not a callback, or a value of it, in the one form that is read here.
        public static let malformed = Code(rawValue: "malformed")
        /// Longer than the limit. Nothing of it was read.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A parameter that is read is there twice (RFC 6749, section 3.1).
        public static let repeatedParameter = Code(rawValue: "repeatedParameter")
        /// The address that was called is not the redirect URI that was asked for.
        public static let redirectMismatch = Code(rawValue: "redirectMismatch")
        /// The answer stands in the fragment: the implicit flow, which is not offered (RFC 9700, section 2.1.2).
        public static let fragment = Code(rawValue: "fragment")
        /// The callback has no `state`.
        public static let stateMissing = Code(rawValue: "stateMissing")
        /// The callback's `state` belongs to another sign-in: perhaps somebody else's.
        public static let stateMismatch = Code(rawValue: "stateMismatch")
        /// The provider says that it sends `iss`, and it is not there (RFC 9207).
        public static let issuerMissing = Code(rawValue: "issuerMissing")
        /// `iss` is another provider than the one that was asked (RFC 9207).
        public static let issuerMismatch = Code(rawValue: "issuerMismatch")
        /// The callback has neither a code nor an error.
        public static let codeMissing = Code(rawValue: "codeMissing")
        /// The provider answered with an error: see ``AuthorizationError/refusal``.
        public static let refused = Code(rawValue: "refused")
        /// The token endpoint did not answer, or is overloaded: worth trying again, with a code of a new sign-in.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The token endpoint's answer is none of RFC 6749, section 5.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// PKCE was left out by a client without a secret (RFC 9700, section 2.1.1). Nothing was
        /// sent: the program is to blame.
        public static let pkceRequired = Code(rawValue: "pkceRequired")
        /// No sign-in of this browser waits for this callback: its cookie is absent, damaged or
        /// another provider's, or the sign-in was finished before. Begin a new one.
        public static let notPending = Code(rawValue: "notPending")
        /// The sign-in was begun more than 10 minutes ago. Begin a new one.
        public static let expired = Code(rawValue: "expired")
        /// The store of sign-ins that have begun failed: see ``AuthorizationError/underlying``.
        public static let storeUnavailable = Code(rawValue: "storeUnavailable")
        /// The caller's task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// libcrypto has no randomness, or lacks SHA-256.
        public static let libraryFailure = Code(rawValue: "libraryFailure")
    }

    /// The stable reason.
    public let code: Code
    /// What the provider said, for `refused`.
    public let refusal: ProviderRefusal?
    /// What the store threw, for `storeUnavailable`. The description is without it.
    public let underlying: (any Error)?
    /// A sentence for a person who operates the server. Nothing in it is the provider's text.
    public let message: String

    /// An error with a code and a sentence.
    public init(
        _ code: Code, refusal: ProviderRefusal? = nil, underlying: (any Error)? = nil,
        _ message: String
    ) {
        self.code = code
        self.refusal = refusal
        self.underlying = underlying
        self.message = message
    }

    /// Compares codes and the provider's error codes, not sentences.
    public static func == (a: AuthorizationError, b: AuthorizationError) -> Bool {
        a.code == b.code && a.refusal?.error == b.refusal?.error
    }

    /// The code, the provider's error code where it is a registered one, and the sentence.
    public var description: String {
        "\(code.rawValue)\(refusal.map { " (\($0.registeredError ?? "other"))" } ?? ""): \(message)"
    }
}
