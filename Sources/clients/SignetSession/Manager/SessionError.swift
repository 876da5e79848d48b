// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there is no token, or why a server gave none.
///
/// It never carries a token. Two errors are equal when their codes are.
public typealias SessionError = CodedError<SessionErrorDomain>

/// The domain of ``SessionError``.
public enum SessionErrorDomain: ErrorDomain {
    /// Details besides the code. Comparing errors ignores them.
    public struct Details: Equatable, Sendable {
        /// How long the server, or the pause after a failure, asks to wait.
        public var retryAfter: Duration?

        /// Details never make two errors differ.
        public static func == (a: Self, b: Self) -> Bool { true }
    }
}

extension SessionError.Code {
    /// The server definitely said that this session has ended.
    public static var refused: Self { Self(rawValue: "refused") }
    /// There was no connection.
    public static var unreachable: Self { Self(rawValue: "unreachable") }
    /// The time for an exchange passed.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The server failed (5xx).
    public static var serverFailed: Self { Self(rawValue: "serverFailed") }
    /// The server asks for fewer requests (429).
    public static var rateLimited: Self { Self(rawValue: "rateLimited") }
    /// The response is not valid for a token endpoint.
    public static var invalidAnswer: Self { Self(rawValue: "invalidAnswer") }
    /// The server does not support this call.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// The caller's task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }

    /// There is no session: sign in.
    public static var signedOut: Self { Self(rawValue: "signedOut") }
    /// The access token has expired, and there is no refresh token: sign in again.
    public static var expired: Self { Self(rawValue: "expired") }
    /// The store is locked: unlock it and ask again.
    public static var locked: Self { Self(rawValue: "locked") }
    /// The store could not be read or written, or another process held the session too long.
    public static var unavailable: Self { Self(rawValue: "unavailable") }

    /// ``SessionManager/drain()`` was called: the server is asked no more.
    public static var drained: Self { Self(rawValue: "drained") }

    /// The text is not a token.
    public static var invalidToken: Self { Self(rawValue: "invalidToken") }
    /// A lifetime, a user or a profile outside its limits.
    public static var invalidGrant: Self { Self(rawValue: "invalidGrant") }
    /// An option outside its limits.
    public static var invalidOption: Self { Self(rawValue: "invalidOption") }
}

extension SessionError {
    /// An error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - retryAfter: how long the server asks to wait.
    ///   - underlying: the error of a lower layer, its cause.
    ///   - message: a sentence for people, without anything secret.
    public init(
        _ code: Code, retryAfter: Duration? = nil, underlying: (any Error)? = nil,
        _ message: ErrorMessage
    ) {
        self.init(
            code, details: .init(retryAfter: retryAfter), underlying: underlying, message)
    }

    /// Translates a store's error. It never means that there is no session.
    init(_ error: StoreError) {
        self.init(
            error.kind == .locked
                ? .locked : error.code == .cancelled ? .cancelled : .unavailable,
            underlying: error, "The store of the session: \(messageOf: error)")
    }

    /// How long to wait before a retry, if known.
    public var retryAfter: Duration? { details.retryAfter }

    /// The store's error, if the store failed.
    public var storeError: StoreError? { underlying as? StoreError }

    /// Whether the same call may succeed later without any change.
    public var isTemporary: Bool {
        switch code {
        case .unreachable, .timedOut, .serverFailed, .rateLimited, .invalidAnswer, .unavailable:
            true
        default: false
        }
    }
}
