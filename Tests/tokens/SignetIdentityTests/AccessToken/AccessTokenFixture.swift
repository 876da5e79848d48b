// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

/// A profile of access tokens, and a token as the issuer writes it.
struct AccessTokenFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let profile: AccessTokenProfile
    let source: TokenSource
    let claims: TestClaimSet
    /// The header's `typ`.
    var type: String? = "JWT"
    /// What is read from the token.
    var client: String?
    var scopes: [String] = []
    var roles: [String] = []
    /// What makes it a token for another application, and the reason why it is refused. Tokens of
    /// other kinds are in ``ProviderTokens``.
    let others: [ClaimCase]

    var testDescription: String { name }

    func verifier(_ profile: AccessTokenProfile? = nil) throws -> AccessTokenVerifier {
        try AccessTokenVerifier(
            profile ?? self.profile, keys: .inHand(ProviderKey.rsa.set),
            options: ProviderFixture.openID().options())
    }

    func token(_ edits: [String: String?] = [:]) throws -> String {
        try IssuedToken(kind: name, source: source, claims: claims.changing(edits), type: type)
            .signed(by: .rsa)
    }

    static func all() throws -> [AccessTokenFixture] { try ProviderTokens.all().compactMap(\.api) }

    static let otherAPI = ClaimCase(
        "for another API", ["aud": #""https://other.example""#], .audienceMissing, "aud")
}
