// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import SignetSignIn

    /// A user with the names of OpenID Connect Core 1.0, section 5.1. Unknown values are left out.
    struct UserInfoAnswer: Encodable {
        private let user: UserAccount

        init(_ user: UserAccount) { self.user = user }

        private enum CodingKeys: String, CodingKey {
            case sub, name, picture, email
            case username = "preferred_username"
            case isEmailVerified = "email_verified"
            case phone = "phone_number"
            case updatedAt = "updated_at"
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(user.id, forKey: .sub)
            try members.encodeIfPresent(user.fullName, forKey: .name)
            try members.encodeIfPresent(user.username, forKey: .username)
            try members.encodeIfPresent(user.avatar, forKey: .picture)
            try members.encodeIfPresent(user.email, forKey: .email)
            if user.email != nil {
                try members.encode(user.isEmailVerified, forKey: .isEmailVerified)
            }
            try members.encodeIfPresent(user.phone, forKey: .phone)
            try members.encode(user.updatedAt, forKey: .updatedAt)
        }
    }
#endif
