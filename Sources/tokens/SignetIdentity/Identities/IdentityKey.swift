// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The permanent identity of a person. Store users under issuer and subject together.
///
/// An e-mail address is not an identity: it can be reassigned, or claimed by another person. The
/// issuer has a single spelling here, even if tokens have two (Google's do), so a person stays the
/// same user. For Microsoft Entra the issuer names the tenant, and the subject is `oid`.
public struct IdentityKey: Sendable, Hashable, CustomStringConvertible {
    /// The issuer, in a single spelling.
    public let issuer: String
    /// The subject within the issuer: ASCII, 255 bytes at most. Case counts.
    public let subject: String

    /// Issuer and subject.
    public var description: String { "\(issuer) \(subject)" }
}
