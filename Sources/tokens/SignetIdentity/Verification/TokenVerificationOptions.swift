// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The rules for tokens of every provider. The defaults are recommended.
public struct TokenVerificationOptions: Sendable {
    /// The tolerated clock difference: 30 s; 0 to 300 s. Applied in the token's favour to `exp`,
    /// `nbf`, `iat` and `auth_time`.
    public var leeway: Duration = .seconds(30)
    /// The maximum age since `iat`; nil for no limit. For single-use tokens right after a sign-in,
    /// set a few minutes.
    public var maximumAge: Duration?
    /// The longest token, in bytes: 16,384; 64 to 262,144. Longer tokens are rejected unread. The
    /// limit is for a signed token: an encrypted one around it may be a third longer, and 8 KiB.
    public var maximumTokenByteCount = 16_384
    /// The source of the time.
    public var clock = TimeSource.system
    /// How remote keys are kept. Its algorithms are ignored: they are the provider's.
    public var keySet = KeySetOptions()

    /// The recommended values.
    public init() {}
}
