// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How long sessions last.
///
/// Values outside the ranges given here are refused when ``RefreshTokens`` is made
/// (`invalidParameter`).
public struct RefreshTokenOptions: Sendable {
    /// How long after its first use a refresh token still gets what it got then: 10 s; 0 to 60 s. A
    /// client that did not hear the answer asks again.
    public var grace: Duration = .seconds(10)
    /// A session that was not refreshed for so long has ended: 7 days; 1 minute to a year.
    public var idleLifetime: Duration = .seconds(7 * 86_400)
    /// A session has ended so long after the sign-in: 90 days; 1 minute to a year.
    public var absoluteLifetime: Duration = .seconds(90 * 86_400)
    /// Told what happens, outside of every transaction; must be quick, since callers wait for it.
    public var onEvent: @Sendable (RefreshTokenEvent) -> Void = { _ in }

    /// The recommended values.
    public init() {}

    func check() throws(AccountError) {
        let lifetimes = Duration.seconds(60) ... .seconds(366 * 86_400)
        guard (Duration.zero ... .seconds(60)).contains(grace), lifetimes.contains(idleLifetime),
            lifetimes.contains(absoluteLifetime)
        else {
            throw AccountError(
                .invalidParameter, "The grace is 0 to 60 s, a lifetime 60 s to 366 days.")
        }
    }
}

/// What is worth a line in a log. It carries no token.
public enum RefreshTokenEvent: Sendable {
    /// A refresh token was presented that had been exchanged before: its session was ended. Tell
    /// the user, whose device or account is in question.
    case reused(AccountSession)
}

extension Duration {
    /// In milliseconds, as the database counts; of a duration of at most some years.
    package var wholeMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
