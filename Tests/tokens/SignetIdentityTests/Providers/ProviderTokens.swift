// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// A token in the shape in which a provider issues it.
struct IssuedToken: Sendable {
    let kind: String
    let source: TokenSource
    let claims: TestClaimSet
    /// The header's `typ`.
    var type: String? = "JWT"
    /// Why the provider's preset for signing in refuses it; nil where it is accepted.
    var signIn: IdentityError?
    /// Why its preset for an API refuses it; nil where it is accepted.
    var api: IdentityError?

    /// The token under a good signature.
    func signed(by key: ProviderKey) throws -> String {
        let type = type.map { #","typ":"\#($0)""# } ?? ""
        return try key.token(
            claims.json, header: #"{"alg":"\#(key.algorithm.name)","kid":"\#(key.keyID)"\#(type)}"#)
    }
}

extension IdentityError {
    /// A reason as tests compare it: code and claim.
    static func refused(_ code: Code, _ claim: String? = nil) -> IdentityError {
        IdentityError(code, claim: claim, "")
    }
}

/// What a provider issues as JWTs with the same keys, of each kind, and its presets: one for
/// signing in, one for an API.
///
/// One file in `Fixtures` for each provider. What it issues in an opaque form is not there.
struct ProviderTokens: Sendable, CustomTestStringConvertible {
    let name: String
    let signIn: ProviderFixture?
    let api: AccessTokenFixture?
    /// All its tokens: those of the two fixtures first.
    let tokens: [IssuedToken]

    var testDescription: String { name }

    /// - Parameters:
    ///   - idTokenAtAPI: why the preset for an API refuses the ID token.
    ///   - accessTokenAtSignIn: why the preset for signing in refuses the access token.
    init(
        _ name: String, signIn: ProviderFixture? = nil, api: AccessTokenFixture? = nil,
        idTokenAtAPI: IdentityError? = nil, accessTokenAtSignIn: IdentityError? = nil,
        _ others: [IssuedToken] = []
    ) {
        self.name = name
        self.signIn = signIn
        self.api = api
        var tokens = [IssuedToken]()
        if let signIn {
            tokens.append(
                IssuedToken(
                    kind: "ID token", source: signIn.source, claims: signIn.claims,
                    type: signIn.type,
                    api: idTokenAtAPI))
        }
        if let api {
            tokens.append(
                IssuedToken(
                    kind: "access token", source: api.source, claims: api.claims, type: api.type,
                    signIn: accessTokenAtSignIn))
        }
        self.tokens = tokens + others
    }

    static func all() throws -> [ProviderTokens] {
        try [
            google(), apple(), entra(), entra1(), entraExternalID(), azureB2C(), okta(), auth0(),
            keycloak(),
            cognito(), firebase(), supabase(), line(), linkedIn(), twitch(), slack(), discord(),
            facebook(),
            authentik(), clerk(), workOS(), gitHubActions(), kubernetes(), spring(), openID(),
        ]
    }
}

extension ProviderFixture {
    /// The fixtures of all presets, from `Fixtures`. Entra's with version 1 is not among them: it
    /// takes the tokens of version 2 as well.
    static func all() throws -> [ProviderFixture] {
        try ProviderTokens.all().filter { $0.name != "entra 1" }.compactMap(\.signIn)
    }
}
