// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Provider metadata")
struct ProviderMetadataTests {
    private static var issuer: EndpointURL {
        get throws { try EndpointURL("https://issuer.example") }
    }

    private func code(_ json: String, issuer: String = "https://issuer.example") throws
        -> KeySourceError
        .Code?
    {
        let url = try EndpointURL(issuer)
        do throws(KeySourceError) {
            _ = try ProviderMetadata(Array(json.utf8), issuer: url)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "All used members are read, and absent ones have the specification's defaults"
    )
    func members() throws {
        let json = """
            {"issuer":"https://issuer.example","jwks_uri":"https://keys.example/jwks",
            "authorization_endpoint":"https://issuer.example/authorize","token_endpoint":"https://issuer.example/token",
            "userinfo_endpoint":"https://issuer.example/me","end_session_endpoint":"https://issuer.example/end",
            "id_token_signing_alg_values_supported":["RS256","ES256"],"code_challenge_methods_supported":["S256"],
            "token_endpoint_auth_methods_supported":["client_secret_post"],
            "scopes_supported":["openid","offline_access"],
            "authorization_response_iss_parameter_supported":true,"unknown":{"x":[1]}}
            """
        let full = try ProviderMetadata(Array(json.utf8), issuer: Self.issuer)
        #expect(full.issuer == "https://issuer.example")
        #expect(full.jwksURI.text == "https://keys.example/jwks")
        #expect(full.authorizationEndpoint?.text == "https://issuer.example/authorize")
        #expect(full.tokenEndpoint?.text == "https://issuer.example/token")
        #expect(full.userInfoEndpoint?.text == "https://issuer.example/me")
        #expect(full.endSessionEndpoint?.text == "https://issuer.example/end")
        #expect(full.idTokenSigningAlgs == ["RS256", "ES256"])
        #expect(full.codeChallengeMethods == ["S256"])
        #expect(full.tokenEndpointAuthMethods == ["client_secret_post"])
        #expect(full.supportedScopes == ["openid", "offline_access"])
        #expect(full.sendsIssuerInResponse)

        let small = "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"https://k.example\"}"
        let least = try ProviderMetadata(Array(small.utf8), issuer: Self.issuer)
        #expect(least.authorizationEndpoint == nil)
        #expect(least.idTokenSigningAlgs.isEmpty)
        #expect(least.tokenEndpointAuthMethods == ["client_secret_basic"])
        #expect(least.supportedScopes.isEmpty && !least.sendsIssuerInResponse)
    }

    @Test(
        "Scopes that cannot be read reject no provider",
        arguments: [
            "null", "7", #""openid email""#, "{}", #"["openid",7]"#, #"[["openid"]]"#, "[]",
            "[\"" + String(repeating: "x", count: 2_000) + "\"]",
        ])
    func unreadableScopes(_ scopes: String) throws {
        let json = """
            {"issuer":"https://issuer.example","jwks_uri":"https://k.example",
            "scopes_supported":\(scopes)}
            """
        let metadata = try ProviderMetadata(Array(json.utf8), issuer: Self.issuer)
        #expect(metadata.supportedScopes.isEmpty)
    }

    @Test(
        "The issuer is compared byte by byte",
        arguments: [
            "https://issuer.example/", "https://ISSUER.example", "https://issuer.example:443",
            "https://issuer.exampl\\u0065/", "https://\\u212Aeys.example", "http://issuer.example",
            "",
        ])
    func issuerMismatch(named: String) throws {
        #expect(
            try code("{\"issuer\":\"\(named)\",\"jwks_uri\":\"https://k.example/\"}")
                == .issuerMismatch)
    }

    @Test(
        "A malformed document is refused",
        arguments: [
            "", "<html>", "[]", "null", "{}", "{\"issuer\":\"https://issuer.example\"}",
            "{\"issuer\":7,\"jwks_uri\":\"https://k.example\"}",
            "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"http://k.example\"}",
            "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"http://127.0.0.1/jwks\"}",
            "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"file:///etc/passwd\"}",
            "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":null}",
            "{\"issuer\":\"https://issuer.example\",\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"https://k.example\"}",
            "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"https://k.example\",\"id_token_signing_alg_values_supported\":\"RS256\"}",
            "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"https://k.example\",\"code_challenge_methods_supported\":[1]}",
            // Read as "no", it would turn a defence off (RFC 9207).
            "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"https://k.example\",\"authorization_response_iss_parameter_supported\":\"true\"}",
        ])
    func invalid(json: String) throws {
        #expect(try code(json) == .invalidDocument)
    }

    @Test(
        "An unusable endpoint is left out; a provider on this machine may use http"
    )
    func endpoints() throws {
        let remote =
            "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"https://k.example\",\"token_endpoint\":\"http://localhost/token\",\"authorization_endpoint\":\"https://a@b.example\"}"
        let metadata = try ProviderMetadata(Array(remote.utf8), issuer: Self.issuer)
        #expect(metadata.tokenEndpoint == nil)
        #expect(metadata.authorizationEndpoint == nil)
        let local =
            "{\"issuer\":\"http://127.0.0.1:8080\",\"jwks_uri\":\"http://127.0.0.1:8080/jwks\"}"
        #expect(try code(local, issuer: "http://127.0.0.1:8080") == nil)
    }

    @Test(
        "Metadata at an address that is not its issuer's needs a caller who names both",
        arguments: [
            (
                "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
                "https://login.microsoftonline.com/{tenantid}/v2.0",
                ["https://login.microsoftonline.com/{tenantid}/v2.0"]
            ),
            (
                "https://appleid.apple.com/.well-known/openid-configuration",
                "https://account.apple.com",
                ["https://appleid.apple.com", "https://account.apple.com"]
            ),
            (
                "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_in/v2.0/.well-known/openid-configuration",
                "https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/",
                ["https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/"]
            ),
        ])
    func namedIssuer(place: String, named: String, expected: [String]) async throws {
        func outcome(_ issuer: String, _ expected: [String]) async -> Result<
            ProviderMetadata, KeySourceError
        > {
            let transport = FakeTransport(
                body: "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"https://k.example/\"}")
            do throws(KeySourceError) {
                let url: EndpointURL
                do { url = try EndpointURL(place) } catch { throw KeySourceError(.cancelled, "") }
                let metadata = try await ProviderMetadata.fetch(
                    at: url, expecting: expected, over: transport, options: .still)
                #expect(transport.requests.all.map(\.url.text) == [place])
                return .success(metadata)
            } catch {
                return .failure(error)
            }
        }
        #expect(try await outcome(named, expected).get().issuer == named)
        // What was never named: a tenant other than the template's, the value in the address, near
        // misses, nothing.
        for other in [
            "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
            "https://login.microsoftonline.com/common/v2.0",
            "https://login.microsoftonline.com/{tenantId}/v2.0",
            "https://login.microsoftonline.com/{tenantid}/v2.0/",
            "https://evil.example/{tenantid}/v2.0",
            "{tenantid}", "", "https://ACCOUNT.apple.com", "https://account.apple.com/",
        ] {
            await #expect(throws: KeySourceError(.issuerMismatch, ""), "\(other)") {
                try await outcome(other, expected).get()
            }
        }
        for unnamed in [[], [""], ["{tenantid}"], ["https://"]] {
            await #expect(throws: KeySourceError(.issuerMismatch, ""), "\(unnamed)") {
                try await outcome(named, unnamed).get()
            }
        }
    }

    @Test("An issuer template needs a caller who names it, never by discovery")
    func template() async throws {
        let transport = FakeTransport(
            body:
                "{\"issuer\":\"https://login.microsoftonline.com/{tenantid}/v2.0\",\"jwks_uri\":\"https://k.example/\"}"
        )
        let common = try EndpointURL("https://login.microsoftonline.com/common/v2.0")
        let fetched = await TestSupport.code { () throws(KeySourceError) in
            try await ProviderMetadata.fetch(issuer: common, over: transport, options: .still)
        }
        #expect(fetched == .issuerMismatch)
        let keys = try RemoteKeySet(issuer: common.text, transport: transport, options: .still)
        #expect(
            await TestSupport.code { () throws(KeySourceError) in try await keys.keys() }
                == .issuerMismatch)
        #expect(throws: IdentityConfigurationError(.invalidURL, "")) {
            try RemoteKeySet(
                issuer: "https://login.microsoftonline.com/{tenantid}/v2.0", transport: transport,
                options: .still)
        }
    }

    @Test(
        "An OAuth server's well-known name comes before the path of its issuer",
        arguments: [
            ("https://api.example", "https://api.example/.well-known/oauth-authorization-server"),
            ("https://api.example/", "https://api.example/.well-known/oauth-authorization-server"),
            (
                "https://api.example:8443/a/b",
                "https://api.example:8443/.well-known/oauth-authorization-server/a/b"
            ),
            (
                "https://api.example/a/",
                "https://api.example/.well-known/oauth-authorization-server/a"
            ),
        ])
    func authorizationServer(issuer: String, place: String) async throws {
        let transport = FakeTransport(
            body: "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"https://k.example/\"}")
        let metadata = try await ProviderMetadata.fetch(
            authorizationServer: EndpointURL(issuer), over: transport, options: .still)
        #expect(metadata.issuer == issuer)
        #expect(transport.requests.all.map(\.url.text) == [place])
        let queried = try EndpointURL(issuer + "?a=b")
        let refused = await TestSupport.code { () throws(KeySourceError) in
            try await ProviderMetadata.fetch(
                authorizationServer: queried, over: transport, options: .still)
        }
        #expect(refused == .invalidDocument)
    }

    @Test("Metadata is fetched from the well-known address under the rules for key sets")
    func fetching() async throws {
        let transport = FakeTransport(
            body: "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"https://k.example/\"}")
        let issuer = try Self.issuer
        var options = KeySetOptions()
        options.clock = ManualClock().source
        let metadata = try await ProviderMetadata.fetch(
            issuer: issuer, over: transport, options: options)
        #expect(metadata.jwksURI.text == "https://k.example/")
        #expect(
            transport.requests.all.map(\.url.text) == [
                "https://issuer.example/.well-known/openid-configuration"
            ])
        transport.set(.redirect("https://evil.example/"))
        let redirected = await TestSupport.code { [options] () throws(KeySourceError) in
            try await ProviderMetadata.fetch(issuer: issuer, over: transport, options: options)
        }
        #expect(redirected == .redirect)
    }
}
