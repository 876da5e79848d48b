// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
public import SignetIdentity
public import SignetSignIn

/// The profile data that a sign-in provides. Missing values leave the profile as it is.
public struct ProfileValues: Sendable, Redacted {
    /// The full name. Apple's tokens never have it: it comes once, with the first callback.
    public var fullName: PersonName?
    /// The https address of a picture.
    public var avatar: EndpointURL?
    /// The e-mail address.
    public internal(set) var email: String?
    /// Whether the address was verified.
    public internal(set) var isEmailVerified = false
    /// The phone number.
    public internal(set) var phone: PhoneNumber?

    /// Nothing.
    public init() {}

    /// The profile data of an ID token. An unusable name, picture or address is left out, and does
    /// not reject the sign-in.
    public init(_ identity: VerifiedIdentity) {
        fullName = identity.name.flatMap { try? PersonName($0) }
        avatar = identity.picture.flatMap { try? EndpointURL($0) }.flatMap {
            $0.isAvatar ? $0 : nil
        }
        guard let address = identity.email.address, (try? Mailbox(address, options: .any)) != nil
        else { return }
        email = address
        isEmailVerified = identity.email.evidence != .none
    }

    /// These values, with `other` filling in missing values.
    func filled(from other: ProfileValues) -> ProfileValues {
        var values = self
        values.fullName = fullName ?? other.fullName
        values.avatar = avatar ?? other.avatar
        values.phone = phone ?? other.phone
        if email == nil {
            values.email = other.email
            values.isEmailVerified = other.isEmailVerified
        }
        return values
    }
}

extension EndpointURL {
    /// Whether it is https. Browsers fetch it, and never from the machine that the user sits at.
    var isAvatar: Bool { scheme.utf8.elementsEqual("https".utf8) }
}

extension Mailbox.Options {
    /// Accepts any address: it is only shown, and no mail is sent to it.
    static let any = Mailbox.Options(
        allowsQuotedLocalPart: true, allowsRouting: true, allowsUnicodeLocalPart: true)
}
