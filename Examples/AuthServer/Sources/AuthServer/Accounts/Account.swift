// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Somebody who has signed in.
package struct Account: Sendable, Equatable {
    /// Our own identifier: random, and never given to another person again. It is the `sub` of session tokens.
    package let id: String
    /// Who vouches for the person, and by which name. The two together are the identity; an e-mail address never is.
    package let issuer: String
    package let subject: String
    package let email: String?
    package let name: String?
    package let picture: String?
}

/// What a person tells about himself. There may be none.
package struct Profile: Sendable, Equatable {
    package let firstName: String?
    package let favoriteTeams: [String]
}

/// What a verified ID token says about a person, as far as it is kept.
package struct SignedInPerson: Sendable, Equatable {
    package let issuer: String
    package let subject: String
    package var email: String?
    package var name: String?
    package var picture: String?
    /// Becomes the first profile's first name.
    package var givenName: String?

    /// What has a NUL is left out: no address and no name has one, and the store would keep what stands in front of it, which may be
    /// somebody else's address.
    package init(
        issuer: String, subject: String, email: String? = nil, name: String? = nil,
        picture: String? = nil,
        givenName: String? = nil
    ) {
        func whole(_ text: String?) -> String? { text.flatMap { $0.utf8.contains(0) ? nil : $0 } }
        self.issuer = issuer
        self.subject = subject
        self.email = whole(email)
        self.name = whole(name)
        self.picture = whole(picture)
        self.givenName = whole(givenName)
    }
}

/// A session as the store keeps it. Its identifier is the `sid` of the token, which is worth nothing without the signature.
package struct SessionRecord: Sendable, Equatable {
    package let id: String
    /// Unix time, in seconds.
    package let created: Int64
    package let expires: Int64

    package init(id: String, created: Int64, expires: Int64) {
        self.id = id
        self.created = created
        self.expires = expires
    }
}
