// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// Why a request of a ``BearerClient`` brought nothing, with a sentence for the person who waits.
///
/// It never carries a token, and prints no answer. Two errors are equal when their codes and
/// statuses are.
public typealias APIError = CodedError<APIErrorDomain>

/// The domain of ``APIError``.
public enum APIErrorDomain: ErrorDomain {
    /// What an error carries besides.
    public struct Details: Equatable, Sendable {
        /// The answer's status, where there was an answer.
        public var status: Int?
        /// The answer, which may hold what is personal: it is not printed.
        public var response: TransportResponse?
        /// How old the sign-in may be at most, where a server asks for another one.
        public var maximumAuthenticationAge: Duration?
        /// What the session said, where there was no token.
        public var sessionError: SessionError?
        /// What the transport said, where there was no answer.
        public var transportFailure: TransportFailure?

        /// Compares the statuses.
        public static func == (a: Self, b: Self) -> Bool { a.status == b.status }
    }
}

extension APIError.Code {
    /// There is no session, or no longer. Nothing was sent, or nothing but what was answered 401.
    public static var notSignedIn: Self { Self(rawValue: "notSignedIn") }
    /// The store of the session is locked or out of reach, or its server gives no token now: the
    /// session stays, and `sessionError` says more. Nothing was sent, or as above.
    public static var sessionUnavailable: Self { Self(rawValue: "sessionUnavailable") }
    /// 401 to a token that was just exchanged: this server does not take it.
    public static var unauthorized: Self { Self(rawValue: "unauthorized") }
    /// 401, and the token is good: the server asks for a more recent or a stronger sign-in for this
    /// (`insufficient_user_authentication`, RFC 9470), and `maximumAuthenticationAge` says how
    /// recent. Let the person sign in again, then repeat the request. The session stays.
    public static var insufficientAuthentication: Self {
        Self(rawValue: "insufficientAuthentication")
    }
    /// 403: signed in, and not allowed.
    public static var forbidden: Self { Self(rawValue: "forbidden") }
    /// No connection, or it broke: the request may have been carried out.
    public static var offline: Self { Self(rawValue: "offline") }
    /// Not answered in time: the request may have been carried out.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// TLS failed, or the server's certificate or key is not trusted. Nothing was sent.
    public static var notTrusted: Self { Self(rawValue: "notTrusted") }
    /// Another status outside of 200 to 299; redirects too, which are not followed.
    public static var status: Self { Self(rawValue: "status") }
    /// What came is no HTTP answer, or not the JSON that was asked for.
    public static var invalidAnswer: Self { Self(rawValue: "invalidAnswer") }
    /// The answer is longer than the request allows.
    public static var answerTooLarge: Self { Self(rawValue: "answerTooLarge") }
    /// The body is longer than the client sends. Nothing was sent.
    public static var requestTooLarge: Self { Self(rawValue: "requestTooLarge") }
    /// The address is on none of the client's origins. Nothing was sent.
    public static var otherOrigin: Self { Self(rawValue: "otherOrigin") }
    /// The request cannot be sent: an `Authorization` of its own, or what HTTP does not carry.
    public static var invalidRequest: Self { Self(rawValue: "invalidRequest") }
    /// The client was made without an origin, or with a limit out of its range.
    public static var invalidOption: Self { Self(rawValue: "invalidOption") }
    /// The caller's task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
}

extension APIError {
    /// An error with a code and a sentence, for tests and for code that wraps Signet.
    public init(_ code: Code, status: Int? = nil, _ message: String) {
        self.init(code, details: .init(status: status), message)
    }

    /// The answer's status, where there was an answer.
    public var status: Int? { details.status }

    /// The bytes of the answer, where there was one, within the request's limit. Not printed, and
    /// not to be shown unread: they are the server's.
    public var exposedBody: [UInt8]? { details.response?.body }

    /// How old the sign-in may be at most, with `insufficientAuthentication`: `max_age` of the
    /// server's challenge, in whole seconds. Nil where it does not say.
    public var maximumAuthenticationAge: Duration? { details.maximumAuthenticationAge }

    /// What the session said, where there was no token.
    public var sessionError: SessionError? { details.sessionError }

    /// What the transport said, where there was no answer.
    public var transportFailure: TransportFailure? { details.transportFailure }
}

extension APIErrorDomain {
    /// The code, the status where there was one, and the sentence.
    public static func description(of error: APIError) -> String {
        let status = error.status.map { " (\($0))" } ?? ""
        return "\(error.code.rawValue)\(status): \(error.message)"
    }
}

extension APIErrorDomain.Details: Redacted {}
