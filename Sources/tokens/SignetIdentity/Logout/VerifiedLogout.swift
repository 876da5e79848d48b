// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// A logout at the provider, from a logout token that passed every check. Only a
/// ``BackChannelLogout`` makes it.
///
/// With a ``sessionID``, end the sign-ins from that session at the provider
/// (``VerifiedIdentity/sessionID``); without it, all sign-ins of the person.
public struct VerifiedLogout: Sendable, CustomStringConvertible {
    /// `iss`.
    public let issuer: String
    /// `sub`; nil if the token names only a session.
    public let subject: String?
    /// `sid`; nil if the token names only a person.
    public let sessionID: String?
    /// The person's key, as users are stored (``VerifiedIdentity/identityKey``); nil if the token
    /// names only a session.
    public let identityKey: IdentityKey?
    /// `iat`. The logout does not apply to sessions that began later.
    public let issuedAt: NumericDate
    /// The `kid` of the key that verified.
    public let keyID: String?

    /// The person or the session.
    public var description: String {
        "VerifiedLogout(\(issuer), subject \((subject ?? "not named").printableName), "
            + "session \((sessionID ?? "not named").printableName))"
    }
}
