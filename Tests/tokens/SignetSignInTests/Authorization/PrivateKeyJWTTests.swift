// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("A client that authenticates with a key (private_key_jwt)")
struct PrivateKeyJWTTests {
    static let issuer = "https://idp.example"
    static let now = 1_800_000_000.0

    let key: SigningKey
    let transport = FakeTransport(
        .body(
            #"{"access_token":"at","token_type":"Bearer"}"#, ["Content-Type": "application/json"]))

    init() throws { key = try SigningKey.generate(.es256, keyID: "client-1") }

    func endpoint(
        audience: String = issuer, lifetime: Duration = .seconds(60)
    ) throws -> TokenEndpoint {
        try TokenEndpoint(
            url: EndpointURL("https://idp.example/token"), clientID: "app one",
            authentication: .privateKeyJWT(
                key, audience: audience, lifetime: lifetime,
                clock: .fixed(secondsSince1970: Self.now)), transport: transport)
    }

    /// The form of the last request.
    func form() throws -> [String: String] {
        let request = try #require(transport.requests.all.last)
        #expect(request.authorization == nil)
        var form: [String: String] = [:]
        let body = String(decoding: try #require(request.body).bytes, as: UTF8.self)
        let parameters = try #require(FormEncoding.decode(body))
        for (name, value) in parameters { form[name.swiftString()] = value.swiftString() }
        return form
    }

    @Test("iss and sub are the client, aud only the issuer, jti is new each time, kid is the key's")
    func claims() async throws {
        let endpoint = try endpoint()
        var identifiers = Set<String>()
        for _ in 0..<3 {
            _ = try await endpoint.refresh("rt")
            let form = try form()
            #expect(form["client_id"] == "app one" && form["client_secret"] == nil)
            #expect(
                form["client_assertion_type"]
                    == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            let token = try TokenVerifier(
                keys: KeySet([key.verificationKey]),
                policy: TokenPolicy(
                    issuer: "app one", audience: [Self.issuer], leeway: .zero,
                    clock: .fixed(secondsSince1970: Self.now))
            ).verify(#require(form["client_assertion"]), as: [String: JSONValue].self)
            #expect(token.keyID == "client-1" && token.header.type == "JWT")
            #expect(token.claims["sub"] == "app one")
            // A text and no list: no second audience.
            #expect(token.claims["aud"] == .string(Self.issuer))
            #expect(token.claims["iat"] == 1_800_000_000 && token.claims["exp"] == 1_800_000_060)
            #expect(Set(token.claims.keys) == ["iss", "sub", "aud", "jti", "iat", "exp"])
            identifiers.insert(try #require(token.registered.tokenID))
        }
        #expect(identifiers.count == 3)
    }

    @Test("Revocation and introspection use it too")
    func otherEndpoints() async throws {
        try await endpoint().revoke(
            refreshToken: "rt", at: EndpointURL("https://idp.example/revoke"))
        #expect(try form()["client_assertion"] != nil)
        let introspection = try TokenIntrospection(
            AccessTokenProfile(issuer: Self.issuer, audience: .boundByIssuer),
            at: EndpointURL("https://idp.example/introspect"), clientID: "api",
            authentication: .privateKeyJWT(key, audience: Self.issuer), transport: transport,
            options: .still)
        _ = await reason { () async throws(IdentityError) in try await introspection.verify("at") }
        #expect(try form()["client_assertion"] != nil)
    }

    @Test("A client without PKCE can use it")
    func withoutPKCE() async throws {
        let error = await #expect(throws: AuthorizationError.self) {
            try await endpoint().exchange(
                AuthorizationCode("code"), redirectURI: "https://app.example/cb", pkce: .notUsed)
        }
        // It was sent: what is missing is the ID token.
        #expect(error?.code == .invalidResponse && transport.count == 1)
    }

    @Test(
        "An invalid audience or lifetime is refused",
        arguments: [
            ("", 60, .invalidIdentifier), ("https://idp.example x", 60, .invalidIdentifier),
            ("https://idp.example/é", 60, .invalidIdentifier), (issuer, 0, .outOfRange),
            (issuer, 301, .outOfRange),
        ] as [(String, Int, IdentityConfigurationError.Code)])
    func refused(
        _ audience: String, _ seconds: Int, _ code: IdentityConfigurationError.Code
    ) throws {
        let error = #expect(throws: IdentityConfigurationError.self) {
            try endpoint(audience: audience, lifetime: .seconds(seconds))
        }
        #expect(error?.code == code)
    }

    @Test("Metadata cannot change the audience, and must list the method")
    func metadata() throws {
        let members =
            #""jwks_uri":"https://evil.example/k","token_endpoint":"https://evil.example/t""#
        for (methods, isTaken) in [("client_secret_basic", false), ("private_key_jwt", true)] {
            let json =
                #"{"issuer":"https://evil.example",\#(members),"#
                + #""token_endpoint_auth_methods_supported":["\#(methods)"]}"#
            let metadata = try ProviderMetadata(
                Array(json.utf8), issuer: EndpointURL("https://evil.example"))
            let make = {
                try TokenEndpoint(
                    provider: metadata, clientID: "app",
                    authentication: .privateKeyJWT(key, audience: Self.issuer),
                    transport: transport)
            }
            guard !isTaken else {
                _ = try make()
                continue
            }
            #expect(throws: IdentityConfigurationError(.contradiction, "")) { try make() }
        }
    }

    @Test("An assertion that a server echoes is in no error, and printing shows none")
    func secrets() async throws {
        let transport = FakeTransport { request in
            let form = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
            let assertion = form.split(separator: "client_assertion=").last.map(String.init) ?? ""
            return .status(
                401, ["Content-Type": "application/json"],
                body: #"{"error":"invalid_client","error_description":"\#(assertion)"}"#)
        }
        let authentication = ClientAuthentication.privateKeyJWT(
            key, audience: Self.issuer, clock: .still)
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://idp.example/token"), clientID: "app",
            authentication: authentication, transport: transport)
        let error = await #expect(throws: AuthorizationError.self) {
            try await endpoint.refresh("rt")
        }
        #expect(error?.refusal?.error == "invalid_client")
        #expect(error?.refusal?.errorDescription == nil)
        #expect("\(authentication)" == "ClientAuthentication(private_key_jwt, redacted)")
        var dumped = ""
        dump(endpoint, to: &dumped)
        #expect(!dumped.contains("client-1"))
    }
}
