// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// Why a request of a ``BearerClient`` failed, with a sentence for the person who waits.
///
/// It never carries a token, and prints no response. Two errors are equal when their codes and
/// statuses are.
public typealias APIError = CodedError<APIErrorDomain>

/// The domain of ``APIError``.
public enum APIErrorDomain: ErrorDomain {
    /// Details besides the code. Comparing errors includes the status.
    public struct Details: Equatable, Sendable {
        /// The response's status, if there was a response.
        public var status: Int?
        /// The response, which may hold personal data and is not printed.
        public var response: TransportResponse?
        /// How old the sign-in may be, if the server asks for a more recent sign-in.
        public var maximumAuthenticationAge: Duration?

        /// Compares the statuses.
        public static func == (a: Self, b: Self) -> Bool { a.status == b.status }
    }
}

extension APIError.Code {
    /// There is no session, or it has ended. Nothing was sent, except requests that were
    /// answered 401.
    public static var notSignedIn: Self { Self(rawValue: "notSignedIn") }
    /// The session's store is locked or unavailable, or its server gives no token now. The session
    /// stays, and `sessionError` says more. Nothing was sent, except requests that were
    /// answered 401.
    public static var sessionUnavailable: Self { Self(rawValue: "sessionUnavailable") }
    /// 401 for a newly exchanged token: the API does not accept it.
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
    /// A status outside 200 to 299 without a code of its own, including redirects, which are not
    /// followed.
    public static var status: Self { Self(rawValue: "status") }
    /// The response is not HTTP, or not the requested JSON.
    public static var invalidAnswer: Self { Self(rawValue: "invalidAnswer") }
    /// The answer is longer than the request allows.
    public static var answerTooLarge: Self { Self(rawValue: "answerTooLarge") }
    /// The body exceeds the client's limit. Nothing was sent.
    public static var requestTooLarge: Self { Self(rawValue: "requestTooLarge") }
    /// The address belongs to none of the client's origins. Nothing was sent.
    public static var otherOrigin: Self { Self(rawValue: "otherOrigin") }
    /// The request cannot be sent: it has its own `Authorization`, or is not valid HTTP.
    public static var invalidRequest: Self { Self(rawValue: "invalidRequest") }
    /// The client was made without an origin, or with a limit out of its range.
    public static var invalidOption: Self { Self(rawValue: "invalidOption") }
    /// The caller's task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
}

extension APIError {
    /// Makes an error with a code and a sentence, for tests and code that wraps Signet.
    public init(_ code: Code, status: Int? = nil, _ message: ErrorMessage) {
        self.init(code, details: .init(status: status), message)
    }

    /// The response's status, if there was a response.
    public var status: Int? { details.status }

    /// The response's bytes, if there was a response, within the request's limit. Not printed, and
    /// not to be shown unchecked: the server wrote them.
    public var exposedBody: [UInt8]? { details.response?.body }

    /// How old the sign-in may be, with `insufficientAuthentication`: `max_age` of the server's
    /// challenge, in whole seconds. Nil if the challenge has no `max_age`.
    public var maximumAuthenticationAge: Duration? { details.maximumAuthenticationAge }

    /// The session's error, if there was no token.
    public var sessionError: SessionError? { underlying as? SessionError }

    /// The transport's error, if there was no response.
    public var transportFailure: TransportFailure? { underlying as? TransportFailure }
}

extension APIErrorDomain {
    /// The code, the status if there was one, and the sentence.
    public static func description(of error: APIError) -> String {
        let status = error.status.map { " (\($0))" } ?? ""
        return "\(error.code)\(status): \(error.message)"
    }
}

extension APIErrorDomain.Details: Redacted {}
