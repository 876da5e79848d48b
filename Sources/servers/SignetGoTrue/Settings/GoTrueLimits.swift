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
    /// Sign-ins with a password, an ID token or a browser: 30 at once, then one every 10 s. Where it
    /// is reached, a browser's code still counts, and a client with the secret of a sign-in there.
    public var signIns: RateLimit
    /// Sign-ups, including guests: 30 at once, then one every 2 minutes.
    public var signUps: RateLimit
    /// Exchanges of refresh tokens: 150 at once, then one every 2 s, of one client alone. Where it is
    /// reached, each session has as many: no one else can have a good token refused.
    public var refreshes: RateLimit
    /// Refused requests that are recorded by destination: 100 at once, then one every 36 s.
    let refusals: RateLimit

    /// The recommended limits.
    public init() throws(AccountError) {
        verifications = .codesTriedFromAddress
        signIns = try RateLimit(burst: 30, interval: .seconds(10))
        signUps = try RateLimit(burst: 30, interval: .seconds(120))
        refreshes = try RateLimit(burst: 150, interval: .seconds(2))
        refusals = try .perHour(100)
    }
}
