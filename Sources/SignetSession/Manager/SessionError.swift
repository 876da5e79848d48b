// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there is no token, or why a server gave none.
///
/// It never carries a token. Two errors are equal when their codes are.
public typealias SessionError = CodedError<SessionErrorDomain>

/// The domain of ``SessionError``.
public enum SessionErrorDomain: ErrorDomain {
    /// What an error carries besides; errors are compared without it.
    public struct Details: Equatable, Sendable {
        /// How long the server, or the pause after a failure, asks to wait.
        public var retryAfter: Duration?
        /// What the store said, where it was the store.
        public var storeError: StoreError?

        /// All are equal.
        public static func == (a: Self, b: Self) -> Bool { true }
    }
}

extension SessionError.Code {
    /// The server's definite word: this session is over.
    public static var refused: Self { Self(rawValue: "refused") }
    /// There was no connection.
    public static var unreachable: Self { Self(rawValue: "unreachable") }
    /// The time for one exchange has passed.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The server failed (5xx).
    public static var serverFailed: Self { Self(rawValue: "serverFailed") }
    /// The server asks for fewer requests (429).
    public static var rateLimited: Self { Self(rawValue: "rateLimited") }
    /// The answer is not a token endpoint's.
    public static var invalidAnswer: Self { Self(rawValue: "invalidAnswer") }
    /// The server has no such call.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// The caller's task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }

    /// There is no session: sign in.
    public static var signedOut: Self { Self(rawValue: "signedOut") }
    /// The access token has expired, and there is nothing to get another one with: sign in again.
    public static var expired: Self { Self(rawValue: "expired") }
    /// The store is locked: unlock it and ask again.
    public static var locked: Self { Self(rawValue: "locked") }
    /// The store could not be read or written, or another process held the session for too long.
    public static var unavailable: Self { Self(rawValue: "unavailable") }

    /// The text is not a token.
    public static var invalidToken: Self { Self(rawValue: "invalidToken") }
    /// A lifetime, a user or a profile outside of its limits.
    public static var invalidGrant: Self { Self(rawValue: "invalidGrant") }
    /// An option outside of its limits.
    public static var invalidOption: Self { Self(rawValue: "invalidOption") }
}

extension SessionError {
    /// An error with a code and a sentence.
    public init(_ code: Code, retryAfter: Duration? = nil, _ message: String) {
        self.init(code, details: .init(retryAfter: retryAfter), message)
    }

    /// What a store's error means for a session: never that there is none.
    init(_ error: StoreError) {
        self.init(
            error.answer == .locked
                ? .locked : error.code == .cancelled ? .cancelled : .unavailable,
            details: .init(storeError: error), "The store of the session: \(error.message)")
    }

    /// How long to wait before asking again, where that is known.
    public var retryAfter: Duration? { details.retryAfter }

    /// What the store said, where it was the store.
    public var storeError: StoreError? { details.storeError }

    /// Whether the same call may succeed later, without anyone doing anything.
    public var isTemporary: Bool {
        switch code {
        case .unreachable, .timedOut, .serverFailed, .rateLimited, .invalidAnswer, .unavailable:
            true
        default: false
        }
    }
}
