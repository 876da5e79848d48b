// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// What holds for tokens of every provider. The defaults are the recommended values.
public struct TokenVerificationOptions: Sendable {
    /// How far clocks may differ: 0 to 300 s. Added in the token's favour to `exp`, `nbf`, `iat`
    /// and `auth_time`.
    public var leeway: Duration = .seconds(30)
    /// The longest time since `iat`; nil for no limit. A server that takes each token once, right
    /// after the sign-in, sets a few minutes.
    public var maximumAge: Duration?
    /// Longer tokens are refused unread, in bytes: 64 to 262 144.
    public var maximumTokenByteCount = 16_384
    /// Where the time comes from.
    public var clock = TimeSource.system
    /// How remote keys are kept. The algorithms are the provider's; any set here are ignored.
    public var keySet = KeySetOptions()

    /// The recommended values.
    public init() {}
}
