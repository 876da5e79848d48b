// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

/// PKCE and the nonce are left out by name, PKCE with a client secret, and `state` never.
@Suite("PKCE and the nonce, left out by name")
struct LeftOutProtectionTests {
    typealias Fixture = SignInFixture

    enum Nonce: CaseIterable { case used, noIDToken, notUsed }
    enum Proof: CaseIterable { case used, notUsed, notUsedNorNonce }

    static func use(_ nonce: Nonce) throws -> AuthorizationNonce.Use {
        switch nonce {
        case .used: .used(try Fixture.nonce())
        case .noIDToken: .noIDToken
        case .notUsed: .notUsed
        }
    }

    static func use(_ proof: Proof) throws -> PKCE.Use {
        switch proof {
        case .used: .used(try Fixture.pkce())
        case .notUsed: .notUsed
        case .notUsedNorNonce: .notUsedNorNonce
        }
    }

    static func request(_ nonce: Nonce, _ proof: Proof, scopes: [String]) throws
        -> AuthorizationRequest
    {
        try AuthorizationRequest(
            endpoint: EndpointURL("https://accounts.example/authorize"), clientID: "client",
            redirectURI: Fixture.redirectURI, scopes: scopes, state: Fixture.state(),
            nonce: use(nonce),
            pkce: use(proof))
    }

    /// Allowed combinations, for an ID token and without one. Everything else is refused.
    private static let allowed: [(Nonce, Proof, hasIDToken: Bool)] = [
        (.used, .used, true), (.used, .used, false), (.noIDToken, .used, false),
        (.notUsed, .used, true),
        (.notUsed, .used, false), (.used, .notUsed, true), (.notUsed, .notUsedNorNonce, true),
        (.notUsed, .notUsedNorNonce, false), (.noIDToken, .notUsedNorNonce, false),
    ]

    @Test(
        "Something must bind the code, unless the program says `notUsedNorNonce`",
        arguments: Nonce.allCases, Proof.allCases)
    func requests(_ nonce: Nonce, _ proof: Proof) throws {
        for hasIDToken in [true, false] {
            let make = {
                try Self.request(
                    nonce, proof, scopes: hasIDToken ? ["email", "openid"] : ["email"])
            }
            guard Self.allowed.contains(where: { $0 == (nonce, proof, hasIDToken) }) else {
                #expect(configurationRefusal { try make() } == .contradiction, "\(hasIDToken)")
                continue
            }
            let url = try make().url
            #expect(url.contains("&state=" + Fixture.stateText))
            #expect(url.contains("&nonce=" + Fixture.nonceText) == (nonce == .used))
            #expect(url.contains("nonce") == (nonce == .used))
            #expect(url.contains("&code_challenge=E9Melhoa") == (proof == .used))
            #expect(url.contains("code_challenge") == (proof == .used))
        }
    }

    @Test("LinkedIn's request is exact")
    func linkedIn() throws {
        #expect(
            try Self.request(.notUsed, .notUsedNorNonce, scopes: ["openid", "email"]).url
                == "https://accounts.example/authorize?response_type=code&client_id=client"
                + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&scope=openid%20email"
                + "&state=" + Fixture.stateText)
    }

    @Test(
        "Metadata decides whether PKCE is used",
        arguments: [
            (#"["S256"]"#, Proof.used, true), (#"["plain","S256"]"#, .used, true),
            ("[]", .used, true),
            (#"["plain"]"#, .used, false), (#"["s256"]"#, .used, false),
            (#"["S256"]"#, .notUsed, false), (#"["plain","S256"]"#, .notUsedNorNonce, false),
            ("[]", .notUsed, true), (#"["plain"]"#, .notUsed, true), ("[]", .notUsedNorNonce, true),
        ])
    func metadata(_ methods: String, _ proof: Proof, _ isTaken: Bool) throws {
        let metadata = try ProviderMetadata(
            Array(
                #"""
                {"issuer":"https://accounts.example","jwks_uri":"https://accounts.example/keys",
                "authorization_endpoint":"https://accounts.example/authorize",
                "code_challenge_methods_supported":\#(methods)}
                """#.utf8), issuer: EndpointURL("https://accounts.example"))
        let refusal = configurationRefusal {
            try AuthorizationRequest(
                provider: metadata, clientID: "client", redirectURI: Fixture.redirectURI,
                state: Fixture.state(),
                nonce: proof == .notUsedNorNonce ? .notUsed : .used(Fixture.nonce()),
                pkce: Self.use(proof))
        }
        #expect(refusal == (isTaken ? nil : .contradiction))
    }

    @Test("A client with a secret sends no verifier", arguments: [Proof.notUsed, .notUsedNorNonce])
    func confidential(_ proof: Proof) async throws {
        let sent =
            "grant_type=authorization_code&code=the-code&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback"
        for (authentication, rest) in [
            (ClientAuthentication.clientSecretBasic("s"), ""),
            (.clientSecretPost("s"), "&client_id=client&client_secret=s"),
        ] {
            let transport = TokenEndpointTests.Recorder(200, TokenEndpointTests.good)
            let tokens = try await TokenEndpointTests.endpoint(transport, authentication).exchange(
                AuthorizationCode("the-code"), redirectURI: Fixture.redirectURI,
                pkce: Self.use(proof))
            #expect(tokens.idToken == "e.e.s")
            #expect(try TokenEndpointTests.body(transport) == sent + rest)
        }
    }

    @Test(
        "A client without a secret is refused before anything is sent",
        arguments: [Proof.notUsed, .notUsedNorNonce])
    func publicClient(_ proof: Proof) async throws {
        let transport = TokenEndpointTests.Recorder(200, TokenEndpointTests.good)
        await #expect(throws: AuthorizationError(.pkceRequired, "")) {
            try await TokenEndpointTests.endpoint(transport).exchange(
                AuthorizationCode("the-code"), redirectURI: Fixture.redirectURI,
                pkce: Self.use(proof))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "Where only the nonce binds the code, an answer without an ID token is refused",
        arguments: [(Proof.notUsed, true), (.notUsedNorNonce, false), (.used, false)])
    func noIDToken(_ proof: Proof, _ isRefused: Bool) async throws {
        let answer = TokenAnswerShapes.good.changing(["id_token": nil]).json
        let endpoint = try TokenEndpointTests.endpoint(
            TokenEndpointTests.Recorder(200, answer), .clientSecretPost("s"))
        let (code, pkce) = (try AuthorizationCode("the-code"), try Self.use(proof))
        var refusal: AuthorizationError.Code?
        do throws(AuthorizationError) {
            _ = try await endpoint.exchange(code, redirectURI: Fixture.redirectURI, pkce: pkce)
        } catch {
            refusal = error.code
        }
        #expect(refusal == (isRefused ? .invalidResponse : nil))
    }
}
