// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
public import SignetIdentity
public import SignetSignIn

/// A way in which a user signs in: an account at a provider, a phone, a mailbox.
///
/// Two are one where issuer and subject are, byte for byte. An address that a provider names is
/// none: it is given to another person, or typed by one. So accounts are never joined by e-mail;
/// only ``People/link(_:profile:to:in:)`` joins. Printing it shows the issuer alone.
public struct UserIdentity: Sendable, Redacted {
    /// The issuer of ``phone(_:)``. No issuer of tokens is called so: those are URLs.
    public static let phoneIssuer = "phone"
    /// The issuer of ``email(_:)``.
    public static let emailIssuer = "email"

    /// Who says who it is: a provider, ``phoneIssuer`` or ``emailIssuer``.
    public let issuer: String
    /// Who it is there.
    public let subject: String

    /// An account at a provider, from a token that was verified.
    public init(_ key: IdentityKey) { (issuer, subject) = (key.issuer, key.subject) }

    /// The phone or mailbox that a one-time code was sent to, after the right code came back.
    public init(_ destination: CodeDestination) {
        switch destination {
        case .phone(let number): self = .phone(number)
        case .email(let mailbox): self = .email(mailbox)
        }
    }

    /// A phone, after the right code came back.
    public static func phone(_ number: PhoneNumber) -> Self {
        Self(issuer: phoneIssuer, subject: number.e164)
    }

    /// A mailbox, after the right code came back. Capitals of the part before the `@` count: that
    /// they do not is for the mailbox's own server to say. An application that wants them not to
    /// gives the address in lower case, here and to ``OneTimeCodes``.
    public static func email(_ mailbox: Mailbox) -> Self {
        Self(issuer: emailIssuer, subject: mailbox.text)
    }

    init(issuer: String, subject: String) { (self.issuer, self.subject) = (issuer, subject) }

    /// The issuer.
    public var description: String { "UserIdentity(\(issuer))" }

    /// What a profile has of it.
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

    /// What a statement takes.
    var values: [SQLValue] { [.text(issuer), .text(subject)] }
}
