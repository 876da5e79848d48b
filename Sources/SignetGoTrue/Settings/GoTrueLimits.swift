// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// How often one client may ask, counted separately for each kind, before anything else is done. The
/// networks of an IPv6 client count too (`RateLimits`). Codes have their own limits (`CodePolicy`),
/// and wrong passwords of one destination have `RateLimit.passwordTries`: each known client by
/// itself, and all others together.
public struct GoTrueLimits: Sendable {
    /// Wrong codes: 30 at once, then one every 10 s.
    public var verifications: RateLimit
    /// Sign-ins with a password, an ID token or a browser: 30 at once, then one every 10 s.
    public var signIns: RateLimit
    /// Sign-ups, including guests: 30 at once, then one every 2 minutes.
    public var signUps: RateLimit
    /// Exchanges of refresh tokens: 150 at once, then one every 2 s. Only those of the client itself
    /// count: no one else can have them refused.
    public var refreshes: RateLimit

    /// The recommended limits.
    public init() throws(AccountError) {
        verifications = .codesTriedFromAddress
        signIns = try RateLimit(burst: 30, interval: .seconds(10))
        signUps = try RateLimit(burst: 30, interval: .seconds(120))
        refreshes = try RateLimit(burst: 150, interval: .seconds(2))
    }
}
