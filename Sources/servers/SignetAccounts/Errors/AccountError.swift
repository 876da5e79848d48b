// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// Why an operation on accounts, sessions, codes or limits failed.
///
/// It never carries a token, a code, a password or an address. Two errors are equal when their
/// codes are. `underlying` is the error that it stands for, such as the `TokenError` of an
/// `invalidToken`, and `fullCode` names the two codes for a log: `invalidToken.expired`.
public typealias AccountError = CodedError<AccountErrorDomain>

/// The domain of ``AccountError``.
public enum AccountErrorDomain: ErrorDomain {
    /// Further data of an error. Comparing errors ignores it.
    public struct Details: Equatable, Sendable {
        /// How long to wait before the same call may succeed.
        public var retryAfter: Duration?
        /// How long ago the sign-in may be, with `signInTooOld`.
        public var maximumAuthenticationAge: Duration?
        /// The limit that is reached, with `tooManyRequests`: its name, a slash and what it counts
        /// (`destination`, `destination-from-address`, `address`, `address-56`, `address-48`,
        /// `no-address`, `known-client`, `account`), such as `sign-ins/address`. It is for a log,
        /// and names no person.
        public var limit: String?

        /// All details are equal.
        public static func == (a: Self, b: Self) -> Bool { true }
    }
}

extension AccountErrorDomain {
    /// The limit that is reached, with `tooManyRequests`.
    public static func reachedLimit(of error: AccountError) -> String? { error.limit }
}

// The database.
extension AccountError.Code {
    /// The database is unreachable, full, read-only or too slow: 503. Nothing was written.
    public static var unavailable: Self { Self(rawValue: "unavailable") }
    /// The caller's task was cancelled. Nothing was written.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// The connection was lost during the commit, which may or may not have happened.
    public static var outcomeUnknown: Self { Self(rawValue: "outcomeUnknown") }
    /// The database holds data that Signet never writes, or of a newer version.
    public static var corrupt: Self { Self(rawValue: "corrupt") }
    /// The row already exists, or a row that it refers to does not.
    public static var conflict: Self { Self(rawValue: "conflict") }
    /// An option, an argument or a call is outside the documented limits.
    public static var invalidParameter: Self { Self(rawValue: "invalidParameter") }
}

extension AccountError {
    /// Makes an error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - retryAfter: how long to wait before the same call may succeed.
    ///   - underlying: the error of a layer below that this error stands for; `fullCode` names the
    ///     two codes.
    ///   - message: a sentence for people, without anything secret.
    public init(
        _ code: Code, retryAfter: Duration? = nil, underlying: (any Error)? = nil,
        _ message: ErrorMessage
    ) {
        self.init(
            code, details: .init(retryAfter: retryAfter), underlying: underlying, message)
    }

    /// How long to wait before the same call may succeed, if known.
    public var retryAfter: Duration? { details.retryAfter }

    /// How long ago the sign-in may be, with `signInTooOld`.
    public var maximumAuthenticationAge: Duration? { details.maximumAuthenticationAge }

    /// The limit that is reached, with `tooManyRequests`, for a log: `sign-ins/address`.
    public var limit: String? { details.limit }

    static func column(
        _ column: Int, expected type: StaticString, found: StaticString
    ) -> AccountError {
        AccountError(
            .corrupt,
            "Column \(column) of an answer of the database is \(shown: found.description), not "
                + "\(shown: type.description).")
    }
}
