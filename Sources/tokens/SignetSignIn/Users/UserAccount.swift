// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// A user as a server describes it to its clients: the same model for server and client.
///
/// `People` of SignetAccounts makes it; a client decodes it from the response. In JSON its names
/// are in snake case (`full_name`), unknown values are left out, and times are seconds since 1970.
/// Send further data beside it, in a response of your own.
///
/// People chose these values themselves, or a provider reported them: show them, and key data only
/// by ``id``. Printing shows only the id.
public struct UserAccount: Codable, Sendable, Identifiable, Redacted {
    /// The value of ``displayName`` if nothing is known.
    public static let unknownDisplayName = "Me"

    /// The user, `sub` of the access tokens. The id stays as long as the account does.
    public let id: String
    /// The name to show: the user's preferred name, or the full name, or "Me".
    public var displayName: String
    /// The full name.
    public var fullName: String?
    /// The unique username, as it was written.
    public var username: String?
    /// The e-mail address.
    public var email: String?
    /// Whether the address is verified, by a provider or by a code sent there.
    public var isEmailVerified: Bool
    /// The phone number, in E.164 form.
    public var phone: String?
    /// The https address of a picture.
    public var avatar: String?
    /// Whether the user has no way yet to sign in again: the account ends with its last session.
    public var isGuest: Bool
    /// Whether data that the application requires of its users are missing.
    public var needsProfile: Bool
    /// When the account was made.
    public var createdAt: NumericDate
    /// When any of these values last changed.
    public var updatedAt: NumericDate

    /// A user with an id, about whom nothing else is known.
    public init(id: String, createdAt: NumericDate, updatedAt: NumericDate) {
        self.id = id
        displayName = Self.unknownDisplayName
        isEmailVerified = false
        isGuest = false
        needsProfile = false
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The first word of the full name, or of the preferred name. Languages that put the family
    /// name first are not accounted for.
    public var firstName: String? {
        [fullName, chosenName].lazy.compactMap { text in
            text.flatMap { try? PersonName($0) }.map { String($0.first) }
        }.first
    }

    /// A capital letter for an avatar: the first of the first name, or of the address, or "?".
    public var initial: String {
        guard let first = (firstName ?? email).flatMap({ PersonName.trimmed($0).first }) else {
            return "?"
        }
        // "ß" is "SS" in capitals.
        return String(String(first).uppercased().prefix(1))
    }

    /// The id.
    public var description: String { "UserAccount(\(id))" }

    private var chosenName: String? {
        displayName.utf8.elementsEqual(Self.unknownDisplayName.utf8) ? nil : displayName
    }

    private enum CodingKeys: String, CodingKey {
        case id, username, email, phone
        case displayName = "display_name"
        case fullName = "full_name"
        case isEmailVerified = "email_verified"
        case avatar = "avatar_url"
        case isGuest = "is_guest"
        case needsProfile = "needs_profile"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
