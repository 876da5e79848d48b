// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Passwords and second factors.
extension AccountError.Code {
    /// A stored password hash is malformed, or exceeds the limits of memory or work.
    public static var invalidPasswordHash: Self { Self(rawValue: "invalidPasswordHash") }
    /// A stored password hash needs an algorithm that the loaded libcrypto lacks.
    public static var unsupportedPasswordHash: Self { Self(rawValue: "unsupportedPasswordHash") }
    /// Too many passwords are being checked: 503, with `retryAfter`.
    public static var busy: Self { Self(rawValue: "busy") }
    /// The user has as many second factors as a user may have: 409.
    public static var tooManyFactors: Self { Self(rawValue: "tooManyFactors") }
    /// The user has a second factor of this name: 409.
    public static var factorNameTaken: Self { Self(rawValue: "factorNameTaken") }
}
