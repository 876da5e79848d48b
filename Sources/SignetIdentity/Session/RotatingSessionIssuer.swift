// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE
internal import Synchronization

/// A ``SessionTokenIssuer`` whose keys may be exchanged while requests run.
///
/// ```swift
/// let sessions = RotatingSessionIssuer(
///     try SessionTokenIssuer(
///         issuer: "https://api.example", audience: "session", keys: keys.ring,
///         lifetime: .thirtyDays))
/// ```
///
/// A request that asks for ``issuer`` works with one ring of keys from its beginning to its end.
public final class RotatingSessionIssuer: Sendable {
    private let current: Mutex<SessionTokenIssuer>

    /// Begins with the keys that the issuer has now.
    public init(_ issuer: SessionTokenIssuer) { current = Mutex(issuer) }

    /// The issuer with the keys of now.
    public var issuer: SessionTokenIssuer { current.withLock { $0 } }

    /// A new token; as ``SessionTokenIssuer/issue(subject:sessionID:)``.
    public func issue(
        subject: String, sessionID: String? = nil
    ) throws(TokenError) -> IssuedSessionToken {
        try issuer.issue(subject: subject, sessionID: sessionID)
    }

    /// The session of a token; as `SessionTokenIssuer.verify(_:)`.
    public func verify(_ token: BearerToken) throws(TokenError) -> VerifiedSession {
        try issuer.verify(token)
    }

    /// Takes another ring of keys: the next one after a rotation.
    ///
    /// - Throws: as the initialiser of ``SessionTokenIssuer``; the keys of before go on then.
    public func use(_ keys: SessionKeyRing) throws(IdentityConfigurationError) {
        let next = try issuer.using(keys)
        current.withLock { $0 = next }
    }
}
