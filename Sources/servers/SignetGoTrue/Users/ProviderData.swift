// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

/// What a provider says about a person: name, picture and address. It is shown, in `identity_data`
/// and under what the user wrote into `user_metadata`. **It decides nothing.**
struct ProviderData: Sendable {
    /// Each access token has the address of the picture, twice.
    private static let maximumPictureByteCount = 512

    private(set) var name: PersonName?
    private(set) var picture: String?
    private(set) var email: String?
    private(set) var isEmailVerified = false

    /// The data of an ID token. A name, a picture or an address that cannot be used is left out.
    init(_ identity: VerifiedIdentity) {
        let values = ProfileValues(identity)
        name = values.fullName
        email = values.email
        isEmailVerified = values.isEmailVerified
        guard let url = values.avatar?.text, url.utf8.count <= Self.maximumPictureByteCount
        else { return }
        picture = url
    }

    /// The data of a sign-in by browser. Apple's token has no name: it comes in the first callback,
    /// through the browser, unsigned.
    ///
    ///     user={"name":{"firstName":"Ann","lastName":"Example"},"email":"ann@example.com"}
    init(_ finished: SignIn.Finished) {
        self.init(finished.identity)
        guard name == nil, let text = finished.callback.unverifiedParameter("user"),
            let parts = try? JSONDocument(Array(text.utf8)).root.member("name")
        else { return }
        let names = ["firstName", "lastName"].compactMap { parts.member($0)?.text?.swiftString() }
        name = try? PersonName(names.joined(separator: " "))
    }

    /// The data of a row: the columns from `column` on.
    init(_ row: SQLRow, from column: Int) throws(AccountError) {
        name = row.isNull(column) ? nil : try? PersonName(try row.text(column))
        picture = row.isNull(column + 1) ? nil : try row.text(column + 1)
        email = row.isNull(column + 2) ? nil : try row.text(column + 2)
        isEmailVerified = try row.integer(column + 3) != 0
    }

    /// The values of the columns, in the same order.
    var values: [SQLValue] {
        [name?.text, picture, email].map { $0.map(SQLValue.text) ?? .null }
            + [.integer(isEmailVerified ? 1 : 0)]
    }

    /// The members of `user_metadata`, each by both names that clients read.
    var metadata: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if let name {
            members["name"] = .string(name.text)
            members["full_name"] = .string(name.text)
        }
        if let picture {
            members["picture"] = .string(picture)
            members["avatar_url"] = .string(picture)
        }
        members["email"] = email.map(JSONValue.string)
        return members
    }

    /// The members of `identity_data`. `email_verified` is the provider's word.
    var identityData: [String: JSONValue] {
        var members = metadata
        if email != nil { members["email_verified"] = .bool(isEmailVerified) }
        return members
    }
}
