// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a request presented no token that could be verified. It carries nothing of what the request
/// held.
public typealias BearerTokenError = CodedError<BearerTokenErrorDomain>

/// The domain of ``BearerTokenError``.
public enum BearerTokenErrorDomain: ErrorDomain {}

extension BearerTokenError.Code {
    /// The request presents no token.
    public static var missing: Self { Self(rawValue: "missing") }
    /// There are several `Authorization` fields, or several cookies of the session's name.
    public static var repeated: Self { Self(rawValue: "repeated") }
    /// `Authorization` has another scheme than Bearer.
    public static var otherScheme: Self { Self(rawValue: "otherScheme") }
    /// It is not one space and the characters of a token, or the cookie is not.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Longer than the limit.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// `Authorization` and the cookie hold different tokens, so the user is ambiguous.
    public static var conflict: Self { Self(rawValue: "conflict") }
}
