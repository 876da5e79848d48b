// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
public import SignetIdentity
public import SignetSignIn

/// A way to sign in: a provider's account, a phone or a mailbox.
///
/// Two identities are equal if issuer and subject are, byte for byte. A provider's statement of an
/// address is not an identity: addresses are reassigned, or typed by someone else. So accounts are
/// never joined by e-mail; only ``People/link(_:profile:to:in:)`` joins them. Printing shows only
/// the issuer.
public struct UserIdentity: Sendable, Redacted {
    /// The issuer of ``phone(_:)``. No token issuer has this name, since token issuers are URLs.
    public static let phoneIssuer = "phone"
    /// The issuer of ``email(_:)``.
    public static let emailIssuer = "email"

    /// The issuer: a provider, ``phoneIssuer`` or ``emailIssuer``.
    public let issuer: String
    /// The subject at the issuer.
    public let subject: String

    /// A provider's account, from a verified token.
    public init(_ key: IdentityKey) {
        issuer = key.issuer
        subject = key.subject
    }

    /// The phone or mailbox of a one-time code, after the correct code came back.
    public init(_ destination: CodeDestination) {
        switch destination {
        case .phone(let number): self = .phone(number)
        case .email(let mailbox): self = .email(mailbox)
        }
    }

    /// A phone, after the correct code came back.
    public static func phone(_ number: PhoneNumber) -> Self {
        Self(issuer: phoneIssuer, subject: number.e164)
    }

    /// A mailbox, after the correct code came back. Case counts before the `@`, because only the
    /// mailbox's server knows whether it matters. To ignore it, use lower case here and for
    /// ``OneTimeCodes``.
    public static func email(_ mailbox: Mailbox) -> Self {
        Self(issuer: emailIssuer, subject: mailbox.text)
    }

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// The issuer.
    public var description: String { "UserIdentity(\(issuer))" }

    /// The profile data that the identity brings.
    var profile: ProfileValues {
        var values = ProfileValues()
        if isOf(Self.phoneIssuer) { values.phone = try? PhoneNumber(subject) }
        if isOf(Self.emailIssuer) {
            values.email = subject
            values.isEmailVerified = true
        }
        return values
    }

    func isOf(_ issuer: String) -> Bool { self.issuer.utf8.elementsEqual(issuer.utf8) }

    /// The values of a statement, in its order.
    var values: [SQLValue] { [.text(issuer), .text(subject)] }
}
