// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetPlatform

/// A user as a server tells its clients: one model for both.
///
/// `People` of SignetAccounts makes it; a client decodes it from the answer. In JSON its names are
/// written in snake case (`full_name`), what is not known is left out, and times are seconds since
/// 1970. An application with more to tell puts it beside this into an answer of its own.
///
/// All of it is what people call themselves, or what a provider says of them: show it, and keep
/// data by ``id`` alone. Printing it shows the id and nothing else.
public struct UserAccount: Codable, Sendable, Identifiable, Redacted {
    /// What ``displayName`` is where nothing is known.
    public static let unknownDisplayName = "Me"

    /// The user, `sub` of the access tokens. It stays as long as the account does.
    public let id: String
    /// What to show: what the user wants to be called, else the full name, else "Me".
    public var displayName: String
    /// The full name.
    public var fullName: String?
    /// The name that no other user has, as it was written.
    public var username: String?
    /// The e-mail address.
    public var email: String?
    /// Whether the address is verified, by a provider or by a code that was sent there.
    public var isEmailVerified: Bool
    /// The phone number, in the form of E.164.
    public var phone: String?
    /// The https address of a picture.
    public var avatar: String?
    /// Whether there is no way yet to sign in again: the account ends with its last session.
    public var isGuest: Bool
    /// Whether something is missing that the application asks its users for.
    public var needsProfile: Bool
    /// When the account was made.
    public var createdAt: NumericDate
    /// When something of this was changed last.
    public var updatedAt: NumericDate

    /// A user.
    public init(id: String, createdAt: NumericDate, updatedAt: NumericDate) {
        self.id = id
        displayName = Self.unknownDisplayName
        (isEmailVerified, isGuest, needsProfile) = (false, false, false)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    }

    /// The first word of the full name, else of what the user wants to be called. Languages that
    /// begin with the family name are not told apart.
    public var firstName: String? {
        [fullName, chosenName].lazy.compactMap { text in
            text.flatMap { try? PersonName($0) }.map { String($0.first) }
        }.first
    }

    /// One capital for a round picture: of the first name, else of the address, else "?".
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
