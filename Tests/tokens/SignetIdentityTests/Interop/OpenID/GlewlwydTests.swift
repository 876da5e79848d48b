// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite(
    "Debian's glewlwyd, an OpenID provider in C: password, consent, PKCE required",
    .tags(.interop), .enabled(if: Glewlwyd.isAvailable, "\(Glewlwyd.absence)"),
    .timeLimit(.minutes(20)),
    // On SQLite it answers 500 to one of two requests that write at a time.
    .serialized)
struct GlewlwydTests {
    struct Variant: Sendable, CustomTestStringConvertible {
        let name: String
        let algorithm: SignatureAlgorithm
        let clientID: String
        let authentication: ClientAuthentication
        var testDescription: String { name }

        init(
            _ algorithm: SignatureAlgorithm, _ clientID: String,
            _ authentication: (String) -> ClientAuthentication
        ) {
            name = algorithm.name.lowercased()
            self.algorithm = algorithm
            self.clientID = clientID
            self.authentication = authentication(Glewlwyd.secrets[clientID] ?? "")
        }
    }

    static let variants = [
        Variant(.rs256, "basic", ClientAuthentication.clientSecretBasic),
        Variant(.es256, "post", ClientAuthentication.clientSecretPost),
    ]
    static let provider = Task { try await Glewlwyd() }

    @Test("A whole authorization code flow works by discovery", arguments: variants)
    func signIn(_ variant: Variant) async throws {
        let provider = try await Self.provider.value
        let key = try SecretKey.generate()
        let flow = try await WholeSignIn(
            issuer: Self.issuer(variant), clientID: variant.clientID, variant.authentication,
            algorithm: variant.algorithm, keeping: .cookie(sealedWith: key))
        let finished = try await flow.signIn(provider.visit)
        let (identity, tokens) = (finished.identity, finished.tokens)
        #expect(identity.issuer == flow.issuer)
        #expect(!identity.subject.isEmpty)
        #expect(identity.name == "Alice")
        // It does not say that it has verified the address.
        #expect(identity.email.address == "alice@app.example" && identity.email.evidence == .none)
        let idToken = try #require(tokens.idToken)
        #expect(try UnverifiedToken(idToken).algorithm.lowercased() == variant.name)
        #expect(tokens.refreshToken != nil)
        let again = try await flow.signIn(provider.visit)
        #expect(again.identity.subject == identity.subject)
    }

    @Test(
        "A code is redeemed once, by the client that began, with the right verifier",
        arguments: variants)
    func codes(_ variant: Variant) async throws {
        let flow = try await Self.steps(variant)
        let code = try await Self.code(of: flow)
        let thief = try await Self.steps(variant)
        #expect(await Self.refusal { try await thief.exchange(code) } == "invalid_code")
        // It leaves the code valid: only the verifier was refused.
        #expect(try await flow.exchange(code).idToken != nil)
        #expect(await Self.refusal { try await flow.exchange(code) } == "invalid_code")
        // Another client's.
        let second = try await Self.code(of: flow)
        let other = try await Self.steps(
            variant, clientID: "other", .clientSecretBasic(Glewlwyd.secrets["other"] ?? ""))
        let elsewhere = SignInSteps(other, redeeming: flow)
        #expect(await Self.refusal { try await elsewhere.exchange(second) } == "invalid_code")
    }

    @Test("A wrong client secret is refused", arguments: variants)
    func wrongClient(_ variant: Variant) async throws {
        let flow = try await Self.steps(variant)
        let code = try await Self.code(of: flow)
        for wrong in [
            ClientAuthentication.clientSecretBasic("wrong"), .clientSecretPost("wrong"), .none,
        ] {
            let client = SignInSteps(try await Self.steps(variant, wrong), redeeming: flow)
            #expect(await Self.refusal { try await client.exchange(code) } == "unauthorized_client")
        }
    }

    @Test("A request without PKCE is refused")
    func withoutPKCE() async throws {
        let flow = try await Self.steps(Self.variants[0])
        let request = try AuthorizationRequest(
            endpoint: #require(flow.metadata.authorizationEndpoint), clientID: flow.clientID,
            redirectURI: OpenIDProvider.redirectURI, state: flow.state, nonce: .used(flow.nonce),
            pkce: .notUsed)
        let location = try await Self.provider.value.visit(request.url)
        #expect(await Self.refusal { try flow.callback(location) } == "invalid_request")
    }

    static func issuer(_ variant: Variant) async throws -> String {
        try #require(try await provider.value.issuers[variant.name])
    }

    private static func steps(
        _ variant: Variant, clientID: String? = nil, _ authentication: ClientAuthentication? = nil
    ) async throws -> SignInSteps {
        try await SignInSteps(
            issuer: issuer(variant), clientID: clientID ?? variant.clientID,
            authentication ?? variant.authentication,
            algorithm: variant.algorithm)
    }

    private static func code(of flow: SignInSteps) async throws -> AuthorizationCode {
        try flow.callback(await provider.value.visit(flow.request().url)).code
    }

    /// The provider's own words, which are not always RFC 6749's; nil for another failure, or none.
    private static func refusal<Value>(_ body: () async throws -> Value) async -> String? {
        await SignInSteps.refusal(body)?.refusal?.error
    }
}
