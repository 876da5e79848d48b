// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there was no complete response. It carries no body, no query and no secret.
public typealias TransportFailure = CodedError<TransportFailureDomain>

/// The domain of ``TransportFailure``.
public enum TransportFailureDomain: ErrorDomain {
    /// Details besides the code. Comparing failures ignores them.
    public struct Details: Hashable, Sendable {
        var isUnknownHost = false

        /// Details never make two failures differ.
        public static func == (a: Self, b: Self) -> Bool { true }

        /// Hashes nothing.
        public func hash(into hasher: inout Hasher) {}
    }
}

extension TransportFailure {
    /// A failure with a code and a sentence, for your own transport.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - underlying: the error that your transport met, for `fullCode`.
    ///   - message: a sentence for people, without anything secret.
    public init(_ code: Code, underlying: (any Error)? = nil, _ message: ErrorMessage) {
        self.init(code, details: .init(), underlying: underlying, message)
    }

    /// `unreachable`, because no host has the name: nothing was sent.
    package static func unknownHost(_ message: ErrorMessage) -> TransportFailure {
        TransportFailure(.unreachable, details: .init(isUnknownHost: true), message)
    }

    /// Whether no host has the name, so that nothing was sent. False if the transport cannot tell.
    package var isUnknownHost: Bool { details.isUnknownHost }
}

extension TransportFailure.Code {
    /// No name, no route, no listener, or the connection broke.
    public static var unreachable: Self { Self(rawValue: "unreachable") }
    /// Not answered in time.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The server's certificate was not trusted, or TLS failed for another reason.
    public static var notTrusted: Self { Self(rawValue: "notTrusted") }
    /// The server's key is not pinned for its host, although other keys are.
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
