// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// The answer to a sign-in. `name`, `email` and `image` are always there, as null where nothing is known.
struct SignInAnswer: Encodable {
    struct User: Encodable {
        /// The provider's `sub`: a text, also where it is all digits. 21 of them fit no integer.
        let id: String
        let email: String?
        let name: String?
        let image: String?

        private enum CodingKeys: CodingKey {
            case id, email, name, image
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(id, forKey: .id)
            try members.encode(email, forKey: .email)
            try members.encode(name, forKey: .name)
            try members.encode(image, forKey: .image)
        }
    }

    let success = true
    let user: User
    let sessionToken: String
    /// In seconds.
    let expiresIn: Int

    private enum CodingKeys: CodingKey {
        case success, user, sessionToken, expiresIn
    }

    init(_ account: Account, _ token: IssuedSessionToken) {
        user = User(
            id: account.subject, email: account.email, name: account.name, image: account.picture)
        sessionToken = token.token
        expiresIn = token.expiresIn
    }
}
