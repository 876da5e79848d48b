// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// How many requests a client may make, counted for each kind of request before a password, token
/// or code is looked at. The networks around an IPv6 address count too (`RateLimits`). Codes have
/// their own limits (`CodePolicy`), and so have the wrong passwords of a destination
/// (`RateLimit.passwordTries`): each known client has its own tries, and unknown clients share
/// theirs.
public struct GoTrueLimits: Sendable {
    /// Wrong codes: 30 at once, then 1 every 10 s. At the limit, the right code of a client that
    /// shows its challenge is still accepted.
    public var verifications: RateLimit
    /// Sign-ins with a password, an ID token or a browser: 30 at once, then 1 every 10 s. At the
    /// limit, a browser's valid code is still exchanged, and passwords are still checked for a
    /// client that shows the `device` secret of an earlier sign-in at the destination.
    public var signIns: RateLimit
    /// Sign-ups, including guests: 30 at once, then 1 every 2 minutes.
    public var signUps: RateLimit
    /// Exchanges of refresh tokens: 150 at once, then 1 every 2 s. Only requests from the client's
    /// own address count. At the limit, each session has a limit of the same size, so no stranger
    /// can have a good token refused.
    public var refreshes: RateLimit
    /// Refused requests that are recorded by destination: 100 at once, then 1 every 36 s.
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
