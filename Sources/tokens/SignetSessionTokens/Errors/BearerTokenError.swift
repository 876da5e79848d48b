// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a request has no token to verify. It carries nothing of the request.
public typealias BearerTokenError = CodedError<BearerTokenErrorDomain>

/// The domain of ``BearerTokenError``.
public enum BearerTokenErrorDomain: ErrorDomain {}

extension BearerTokenError.Code {
    /// The request presents no token.
    public static var missing: Self { Self(rawValue: "missing") }
    /// There are several `Authorization` fields, or several cookies of the session's name.
    public static var repeated: Self { Self(rawValue: "repeated") }
    /// The scheme of `Authorization` is not Bearer.
    public static var otherScheme: Self { Self(rawValue: "otherScheme") }
    /// `Bearer` is not followed by spaces and a token, or the cookies hold no token or lack a part.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// A token, or all cookies together, are longer than the limit.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// `Authorization` and the cookie hold different tokens, so the user is ambiguous.
    public static var conflict: Self { Self(rawValue: "conflict") }
}
