// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetBase
internal import SignetIdentity
internal import SignetSignIn

/// The row of a profile, and the rules by which it changes:
///
/// - ``learn(_:)``: a sign-in's data replace earlier data, but not what the user wrote. After the
///   user has set the full name to "Ann", a provider's "Ann Example" changes nothing.
/// - ``fill(from:)``: a further identity's data only take the place of missing data.
/// - ``apply(_:)``: what the user writes, which is the user's own from then on (`owns…`).
/// - ``forget(_:)``: an identity that is removed takes its address or number with it.
struct Profile: Sendable {
    let userID: String
    private(set) var displayName: String?
    private(set) var fullName: String?
    private(set) var avatar: String?
    private(set) var username: String?
    /// The username in the form in which names are compared.
    private(set) var canonicalName: String?
    private(set) var email: String?
    private(set) var isEmailVerified = false
    private(set) var phone: String?
    /// Whether the user wrote the full name, and no provider.
    private(set) var ownsFullName = false
    /// Whether the user chose or removed the picture, so that no provider replaces it.
    private(set) var ownsAvatar = false

    init(of userID: String) { self.userID = userID }

    /// Reads the columns in the order in which ``PeopleStatements`` selects them.
    init(_ row: SQLRow) throws(AccountError) {
        userID = try row.text(0)
        displayName = try row.optionalText(1)
        fullName = try row.optionalText(2)
        avatar = try row.optionalText(3)
        username = try row.optionalText(4)
        canonicalName = try row.optionalText(5)
        email = try row.optionalText(6)
        isEmailVerified = try row.integer(7) != 0
        phone = try row.optionalText(8)
        ownsFullName = try row.integer(9) != 0
        ownsAvatar = try row.integer(10) != 0
    }

    /// The values of `insertProfile` and `updateProfile`: `$1` to `$11`.
    var values: [SQLValue] {
        [
            .text(userID), .init(displayName), .init(fullName), .init(avatar), .init(username),
            .init(canonicalName), .init(email), .init(isEmailVerified), .init(phone),
            .init(ownsFullName), .init(ownsAvatar),
        ]
    }

    /// Takes over the data of a sign-in. It keeps what the user wrote, and a verified address
    /// unless the new one is verified too.
    mutating func learn(_ provided: ProfileValues) {
        if !ownsFullName, let name = provided.fullName { fullName = name.text }
        if !ownsAvatar, let url = provided.avatar, url.isAvatar { avatar = url.text }
        if let number = provided.phone { phone = number.e164 }
        if let address = provided.email, provided.isEmailVerified || !isEmailVerified {
            email = address
            isEmailVerified = provided.isEmailVerified
        }
    }

    /// Fills missing values from an added identity. A verified address also replaces an unverified
    /// address.
    mutating func fill(from provided: ProfileValues) {
        var missing = provided
        if fullName != nil { missing.fullName = nil }
        if avatar != nil { missing.avatar = nil }
        if phone != nil { missing.phone = nil }
        let providesVerification = provided.isEmailVerified && !isEmailVerified
        if email != nil, !providesVerification { missing.email = nil }
        learn(missing)
    }

    /// Makes all of the user's changes.
    ///
    /// - Throws: `invalidParameter` for a picture that is not https.
    mutating func apply(_ change: ProfileChange) throws(AccountError) {
        if let name = change.fullName {
            fullName = name.text
            ownsFullName = true
        }
        if let name = change.displayName { displayName = name.text }
        if let name = change.username {
            username = name.text
            canonicalName = name.canonical
        }
        if change.removesAvatar {
            avatar = nil
            ownsAvatar = true
        }
        guard let url = change.avatar else { return }
        guard url.isAvatar, !change.removesAvatar else {
            throw AccountError(
                .invalidParameter,
                "A picture's address is https, and a change sets a picture or removes it.")
        }
        avatar = url.text
        ownsAvatar = true
    }

    /// Removes the phone number or the address that an identity brought.
    mutating func forget(_ identity: UserIdentity) {
        let provided = identity.profile
        if let number = provided.phone, phone.isSame(number.e164) { phone = nil }
        if let address = provided.email, email.isSame(address) {
            email = nil
            isEmailVerified = false
        }
    }
}

extension String? {
    /// Compares byte for byte: `==` takes different spellings in Unicode for the same text.
    func isSame(_ other: String) -> Bool {
        self?.utf8.elementsEqual(other.utf8) ?? false
    }
}

extension SQLValue {
    fileprivate init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
    fileprivate init(_ isTrue: Bool) { self = .integer(isTrue ? 1 : 0) }
}

extension SQLRow {
    fileprivate func optionalText(_ column: Int) throws(AccountError) -> String? {
        isNull(column) ? nil : try text(column)
    }
}

extension UserAccount {
    /// Reads a profile (columns 0 to 10), its times (11 and 12), and the number of its identities.
    init(_ row: SQLRow, requiring parts: Set<People.ProfilePart>) throws(AccountError) {
        let profile = try Profile(row)
        self.init(
            id: profile.userID, createdAt: try row.time(11), updatedAt: try row.time(12))
        fullName = profile.fullName
        username = profile.username
        avatar = profile.avatar
        displayName = profile.displayName ?? profile.fullName ?? Self.unknownDisplayName
        email = profile.email
        isEmailVerified = profile.isEmailVerified
        phone = profile.phone
        isGuest = try row.integer(13) == 0
        needsProfile = parts.contains { part in
            switch part {
            case .fullName: profile.fullName == nil
            case .username: profile.username == nil
            }
        }
    }
}

extension SQLRow {
    /// The time of a column, which has milliseconds since 1970.
    package func time(_ column: Int) throws(AccountError) -> NumericDate {
        NumericDate(secondsSince1970: Double(try integer(column)) / 1000)
    }
}
