// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How long a session token is valid: whole seconds from `iat` to `exp`.
public struct SessionLifetime: Sendable, Hashable, CustomStringConvertible {
    /// The number of seconds, ``minimumSeconds`` to ``maximumSeconds``.
    public let seconds: Int

    /// 2 592 000 s, for signing in once a month. The maximum: NIST SP 800-63B asks for a new
    /// sign-in after 30 days (AAL1).
    public static let thirtyDays = SessionLifetime(seconds: 2_592_000)
    /// 3,600 s: for an access token that accompanies a refresh token.
    public static let oneHour = SessionLifetime(seconds: 3_600)

    /// The shortest lifetime, in seconds. With less, slightly different clocks would reject tokens.
    public static let minimumSeconds = 60
    /// The longest lifetime, in seconds: 30 days. A token cannot be revoked, so a stolen one works
    /// until it expires.
    public static let maximumSeconds = 2_592_000

    private init(seconds: Int) { self.seconds = seconds }

    /// A custom lifetime. A fraction of a second is dropped.
    ///
    /// - Throws: `outOfRange` under 60 s or over 30 days.
    public static func custom(_ duration: Duration) throws(IdentityConfigurationError)
        -> SessionLifetime
    {
        guard let seconds = Int(exactly: duration.components.seconds),
            (minimumSeconds...maximumSeconds).contains(seconds)
        else {
            throw IdentityConfigurationError(
                .outOfRange, "The lifetime of a session token is 60 s to 2 592 000 s (30 days).")
        }
        return SessionLifetime(seconds: seconds)
    }

    /// The number of seconds.
    public var description: String { "\(seconds) s" }
}
