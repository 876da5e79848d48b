// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// A logout at the provider, from a logout token of which everything was checked. Only a
/// ``BackChannelLogout`` makes one.
///
/// With a ``sessionID`` the sign-ins of that session at the provider are over
/// (``VerifiedIdentity/sessionID``); without one, all of the person's.
public struct VerifiedLogout: Sendable, CustomStringConvertible {
    /// `iss`.
    public let issuer: String
    /// `sub`; nil where the token names a session alone.
    public let subject: String?
    /// `sid`; nil where the token names a person alone.
    public let sessionID: String?
    /// Who, as users are stored (``VerifiedIdentity/identityKey``); nil where the token names a
    /// session alone.
    public let identityKey: IdentityKey?
    /// `iat`. Sessions that began later are not meant.
    public let issuedAt: NumericDate
    /// The `kid` of the key that verified.
    public let keyID: String?

    /// Who, or which session.
    public var description: String {
        "VerifiedLogout(\(issuer), subject \((subject ?? "not named").printableName), "
            + "session \((sessionID ?? "not named").printableName))"
    }
}
