// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there was no complete response. It carries no body, no query and no secret.
public typealias TransportFailure = CodedError<TransportFailureDomain>

/// The domain of ``TransportFailure``.
public enum TransportFailureDomain: ErrorDomain {}

extension TransportFailure.Code {
    /// No name, no route, no listener, or the connection broke.
    public static var unreachable: Self { Self(rawValue: "unreachable") }
    /// Not answered in time.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The server's certificate was not trusted, or TLS failed for another reason.
    public static var notTrusted: Self { Self(rawValue: "notTrusted") }
    /// The server's key is not one of those pinned for its host.
    public static var notPinned: Self { Self(rawValue: "notPinned") }
    /// The body is longer than the request allows.
    public static var bodyTooLarge: Self { Self(rawValue: "bodyTooLarge") }
    /// The response is not valid HTTP.
    public static var invalidResponse: Self { Self(rawValue: "invalidResponse") }
    /// The request is not valid HTTP, and was not sent.
    public static var invalidRequest: Self { Self(rawValue: "invalidRequest") }
    /// The caller gave up.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
}
