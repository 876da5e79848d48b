// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How long sessions last.
///
/// ``RefreshTokens`` rejects values outside the ranges given here (`invalidParameter`).
public struct RefreshTokenOptions: Sendable {
    /// How long after its use a refresh token still returns the same successor: 10 s; 0 to 60 s. A
    /// client that missed the response and asks again later gets a second successor: see
    /// ``RefreshTokens``.
    public var grace: Duration = .seconds(10)
    /// A session ends after this time without a refresh: 7 days; 1 minute to a year.
    public var idleLifetime: Duration = .seconds(7 * 86_400)
    /// A session ends this long after the sign-in: 90 days; 1 minute to a year.
    public var absoluteLifetime: Duration = .seconds(90 * 86_400)
    /// Receives events, outside every transaction. It must be quick, since callers wait for it.
    public var onEvent: @Sendable (RefreshTokenEvent) -> Void = { _ in }

    /// The recommended values.
    public init() {}

    func check() throws(AccountError) {
        let lifetimes = Duration.seconds(60) ... .seconds(366 * 86_400)
        if let fault = ParameterRange.fault(
            .init("grace", value: grace, in: .zero ... .seconds(60)),
            .init("idleLifetime", value: idleLifetime, in: lifetimes),
            .init("absoluteLifetime", value: absoluteLifetime, in: lifetimes))
        {
            throw AccountError(.invalidParameter, fault)
        }
    }
}

/// An event for a log. It carries no token.
public enum RefreshTokenEvent: Sendable {
    /// A refresh token was presented again after its grace, while none of its successors had been
    /// used, and returned a second successor. Either a response was lost, or two clients have the
    /// token. With two clients the session ends by reuse, at the latest one rotation after each has
    /// used its successor.
    case lateRetry(AccountSession)
    /// A refresh token was presented that had already been exchanged, so its session was ended.
    /// Tell the user, whose device or account may be compromised.
    case reused(AccountSession)
}
