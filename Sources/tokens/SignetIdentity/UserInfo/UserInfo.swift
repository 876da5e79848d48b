// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
package import SignetJOSE

/// The userinfo endpoint's claims about the signed-in person (OpenID Connect Core 1.0, section
/// 5.3.2). Their `sub` is the ID token's.
///
/// The claims are the provider's present answer over TLS. They were signed only if the program
/// expects that of the endpoint. Printing shows the subject and none of the personal data.
public struct UserInfo: Sendable, CustomStringConvertible, CustomReflectable {
    /// `sub`, byte for byte the ID token's. Store users by ``VerifiedIdentity/identityKey``.
    public let subject: String
    /// `name`, as the person or the provider wrote it.
    public let name: String?
    /// `picture`. **Not** checked: that it is a URL, and its scheme.
    public let picture: String?
    /// The e-mail address and what it is worth, by the rule for the provider's ID tokens. Domains
    /// that an issuer controls count only in ID tokens: here no claim marks a guest.
    public let email: EmailClaims
    private let root: JSONNode

    /// - Throws: `subject` if `sub` is absent, not a string or not the identity's.
    package init(
        _ root: JSONNode, of identity: VerifiedIdentity, by provider: IdentityProvider
    ) throws(IdentityError) {
        let claims = ClaimReader(root: root)
        guard claims.shownText("sub")?.isEqual(to: identity.subject) == true else {
            throw IdentityError(
                .subject, claim: "sub", "The answer is about another person than the ID token.")
        }
        var hostedDomain: ReceivedText?
        if case .google = provider.facts.email {
            hostedDomain = claims.shownText("hd").flatMap { $0.isEmpty ? nil : $0 }
        }
        subject = identity.subject
        name = claims.shownText("name")?.swiftString()
        picture = claims.shownText("picture")?.swiftString()
        email = provider.facts.email.readEmail(
            claims, hostedDomain: hostedDomain, authoritative: [])
        self.root = root
    }

    /// Decodes all claims as a type of yours, from the checked parse.
    ///
    /// - Throws: `claimInvalid` with a path if they do not fit the type, `unsupportedType` if the
    ///   type has a `Date`, `URL`, `Data` or `Decimal`.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(IdentityError) -> Claims {
        try root.decodeClaims(type)
    }

    /// The subject.
    public var description: String { "UserInfo(\(subject.printableName))" }

    /// Only the subject.
    public var customMirror: Mirror { Mirror(self, children: ["subject": subject]) }
}
