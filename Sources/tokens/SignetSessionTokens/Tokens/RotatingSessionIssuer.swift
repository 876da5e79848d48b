// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE
internal import Synchronization

/// A ``SessionTokenIssuer`` whose keys may be replaced while requests run.
///
/// ```swift
/// let sessions = RotatingSessionIssuer(
///     try SessionTokenIssuer(
///         issuer: "https://api.example", audience: "session", keys: keys.ring,
///         lifetime: .seconds(30 * 86_400)))
/// ```
///
/// A request that reads ``issuer`` once uses one key ring from beginning to end.
public final class RotatingSessionIssuer: Sendable {
    private let current: Mutex<SessionTokenIssuer>

    /// Begins with the issuer's current keys.
    public init(_ issuer: SessionTokenIssuer) { current = Mutex(issuer) }

    /// The issuer with the current keys.
    public var issuer: SessionTokenIssuer { current.withLock { $0 } }

    /// Issues a token, like ``SessionTokenIssuer/issue(subject:sessionID:)``.
    public func issue(
        subject: String, sessionID: String? = nil
    ) throws(TokenError) -> IssuedSessionToken {
        try issuer.issue(subject: subject, sessionID: sessionID)
    }

    /// Verifies a token, like `SessionTokenIssuer.verify(_:)`.
    public func verify(_ token: BearerToken) throws(TokenError) -> VerifiedSession {
        try issuer.verify(token)
    }

    /// Replaces the key ring, for example after a rotation.
    ///
    /// - Throws: the errors of the initialiser of ``SessionTokenIssuer``; the previous keys then
    ///   stay in use.
    public func use(_ keys: SessionKeyRing) throws(IdentityConfigurationError) {
        let next = try issuer.using(keys)
        current.withLock { $0 = next }
    }
}
