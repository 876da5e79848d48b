// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why an issuer's keys are unavailable. It carries nothing that the server sent.
public typealias KeySourceError = CodedError<KeySourceErrorDomain>

/// The domain of ``KeySourceError``.
public enum KeySourceErrorDomain: ErrorDomain {
    /// When to retry. Comparing errors ignores it.
    public struct Details: Equatable, Sendable {
        let retryAfterSeconds: Int?

        /// Details never make two errors differ.
        public static func == (a: Self, b: Self) -> Bool { true }
    }
}

extension KeySourceError.Code {
    /// No complete answer: see the transport's code in the message.
    public static var unreachable: Self { Self(rawValue: "unreachable") }
    /// Not answered in time.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The status of the answer is not 200.
    public static var status: Self { Self(rawValue: "status") }
    /// Redirected to another host, to http, or too often.
    public static var redirect: Self { Self(rawValue: "redirect") }
    /// The answer is longer than the limit, or holds more keys.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// The answer is not the expected JWK set, certificate map or provider metadata.
    public static var invalidDocument: Self { Self(rawValue: "invalidDocument") }
    /// The provider's metadata name another issuer.
    public static var issuerMismatch: Self { Self(rawValue: "issuerMismatch") }
    /// The answer holds no usable key.
    public static var noUsableKeys: Self { Self(rawValue: "noUsableKeys") }
    /// A refresh failed recently; the next attempt follows after a pause.
    public static var coolingDown: Self { Self(rawValue: "coolingDown") }
    /// No key in hand has a token's `kid`, or the key with this `kid` may have been replaced, and
    /// no fetch for it is allowed yet.
    public static var keyHeldBack: Self { Self(rawValue: "keyHeldBack") }
    /// The caller's task was cancelled while it waited.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
}

extension KeySourceError {
    /// How many seconds until the next fetch is allowed (`coolingDown`, `keyHeldBack`); nil if
    /// unknown or not to be told.
    public var retryAfterSeconds: Int? { details.retryAfterSeconds }

    /// An error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - retryAfterSeconds: seconds until the next fetch is allowed; nil if unknown.
    ///   - underlying: the error of a lower layer, its cause.
    ///   - message: a sentence for the operator.
    public init(
        _ code: Code, retryAfterSeconds: Int? = nil, underlying: (any Error)? = nil,
        _ message: ErrorMessage
    ) {
        self.init(
            code, details: .init(retryAfterSeconds: retryAfterSeconds), underlying: underlying,
            message)
    }
}
