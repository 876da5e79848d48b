// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A person for whom the issuer vouches. It believes everything, which is why it is for development
/// only.
package struct Person: Sendable, Codable, Equatable {
    package var sub: String
    package var email: String?
    package var emailVerified: Bool?
    package var name: String?
    package var givenName: String?
    package var picture: String?
    package var hostedDomain: String?

    private enum CodingKeys: String, CodingKey {
        case sub, email, name, picture
        case emailVerified = "email_verified"
        case givenName = "given_name"
        case hostedDomain = "hd"
    }

    package init(
        sub: String, email: String? = nil, emailVerified: Bool? = nil, name: String? = nil,
        givenName: String? = nil, picture: String? = nil, hostedDomain: String? = nil
    ) {
        self.sub = sub
        self.email = email
        self.emailVerified = emailVerified ?? (email == nil ? nil : true)
        self.name = name
        self.givenName = givenName
        self.picture = picture
        self.hostedDomain = hostedDomain
    }
}
