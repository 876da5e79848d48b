// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Whom the issuer says that somebody is. It believes everything, which is why it is for development only.
package struct Person: Sendable, Codable, Equatable {
    package var sub: String
    package var email: String?
    package var email_verified: Bool?
    package var name: String?
    package var given_name: String?
    package var picture: String?
    package var hd: String?

    package init(
        sub: String, email: String? = nil, emailVerified: Bool? = nil, name: String? = nil,
        givenName: String? = nil, picture: String? = nil, hostedDomain: String? = nil
    ) {
        self.sub = sub
        self.email = email
        email_verified = emailVerified ?? (email == nil ? nil : true)
        self.name = name
        given_name = givenName
        self.picture = picture
        hd = hostedDomain
    }
}
