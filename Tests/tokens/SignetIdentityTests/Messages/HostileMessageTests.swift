// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSession
import SignetSignIn
import TestSupport
import Testing

/// Hostile text at every place where a library takes text, and what the error then says.
@Suite("The messages about hostile input")
struct HostileMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("a JWK's kty") { _ = try JWK("{\"kty\":\($0.json)}") },
        HostileSite("a JWK's member") {
            _ = try JWK("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\($0.json)}")
        },
        HostileSite("a JWK's curve") { _ = try JWK("{\"kty\":\"EC\",\"crv\":\($0.json)}") },
        HostileSite("a JWK's alg") {
            _ = try JWK("{\"kty\":\"oct\",\"k\":\"AAAA\",\"alg\":\($0.json)}")
        },
        HostileSite("a JWK that is no JSON") { _ = try JWK($0.bytes) },
        HostileSite("a member's name twice") { _ = try JWK("{\($0.json):1,\($0.json):1}") },
        HostileSite("a JWK set") { _ = try KeySet(jwks: "{\"keys\":\($0.json)}") },
        HostileSite("a PEM's label") {
            _ = try JWK(pem: "-----BEGIN \($0.text)-----\nAA==\n-----END \($0.text)-----\n")
        },
        HostileSite("a short PEM label") {
            let label = "\u{1b}[2J" + $0.text.suffix(40)
            _ = try JWK(pem: "-----BEGIN \(label)-----\nAA==\n-----END \(label)-----\n")
        },
        HostileSite("a PEM's content") {
            _ = try JWK(pem: "-----BEGIN PUBLIC KEY-----\n\($0.text)\n-----END PUBLIC KEY-----\n")
        },
        HostileSite("a key in DER") { _ = try JWK(der: Array($0.bytes.prefix(2_000))) },
        HostileSite("a certificate") { _ = try JWK(certificate: Array($0.bytes.prefix(2_000))) },
        HostileSite("a token") { _ = try UnverifiedToken($0.text) },
        HostileSite("a token's header") {
            _ = try UnverifiedToken("\(Base64URL.encode(Array($0.bytes.prefix(900)))).e30.AA")
        },
        HostileSite("a token's alg") {
            let header = "{\"alg\":\(HostileText.json(of: $0.prefix(300)))}"
            try Self.verify("\(Base64URL.encode(header.utf8)).e30.AA")
        },
        HostileSite("a token's issuer") {
            let claims = "{\"iss\":\(HostileText.json(of: $0.prefix(1_500)))}"
            _ = try UnverifiedToken(
                "\(Base64URL.encode("{\"alg\":\"ES256\"}".utf8)).\(Base64URL.encode(claims.utf8)).AA"
            ).issuer
            throw TokenError(.malformed, "It was read.")
        },
        HostileSite("an address") { _ = try EndpointURL("https://\($0.text)") },
        HostileSite("a path") { _ = try EndpointURL("https://a.example/\($0.prefix(200))") },
        HostileSite("a field's name") { _ = try TransportRequest.Field(name: $0.text, value: "a") },
        HostileSite("a field's value") {
            _ = try TransportRequest.Field(name: "a", value: $0.text)
        },
        HostileSite("a provider's metadata") {
            _ = try ProviderMetadata(
                Array("{\"issuer\":\($0.json)}".utf8), issuer: EndpointURL("https://a.example"))
        },
        HostileSite("metadata that are no JSON") {
            _ = try ProviderMetadata($0.bytes, issuer: EndpointURL("https://a.example"))
        },
        HostileSite("a member of metadata") {
            _ = try ProviderMetadata(
                Array(
                    "{\"issuer\":\"https://a.example\",\"jwks_uri\":\"https://a.example/k\",\"response_types_supported\":\($0.json)}"
                        .utf8), issuer: EndpointURL("https://a.example"))
            throw TokenError(.malformed, "It was read.")
        },
        HostileSite("a list of domains") { _ = try DomainList(text: "a.example\n\($0.text)\n") },
        HostileSite("a domain") { _ = try EmailDomain($0.text) },
        HostileSite("a mailbox") { _ = try Mailbox("\($0.text)@a.example") },
        HostileSite("a mailbox's domain") { _ = try Mailbox("a@\($0.text)") },
        HostileSite("a nonce") { _ = try AuthorizationNonce($0.text) },
        HostileSite("a verifier") { _ = try PKCE(verifier: $0.text) },
        HostileSite("a callback's query") { try callback($0.text) },
        HostileSite("a callback's error") {
            let text = percentEncoded($0.bytes.prefix(3_000))
            try callback("state=\(SignInFixture.stateText)&error=\(text)&error_description=\(text)")
        },
        HostileSite("a redirect URI") { _ = try RedirectURIs([$0.text]) },
        HostileSite("an authorization code") { _ = try AuthorizationCode($0.text) },
        HostileSite("a state") { _ = try AuthorizationState($0.text) },
        HostileSite("a phone number") { _ = try PhoneNumber($0.text) },
        HostileSite("a one-time code") { _ = try OneTimeCode($0.text) },
        HostileSite("a username") { _ = try Username($0.text) },
        HostileSite("an opaque token") { _ = try RefreshToken($0.text) },
        HostileSite("a timestamp") { _ = try Timestamp($0.text) },
        HostileSite("a bearer field") { _ = try BearerToken(authorization: ["Bearer \($0.text)"]) },
        HostileSite("a token endpoint's error") { text in
            try await exchange(400, "{\"error\":\(text.json),\"error_description\":\(text.json)}")
        },
        HostileSite("a token endpoint's answer") { text in try await exchange(200, text.text) },
        HostileSite("a token endpoint's token type") { text in
            try await exchange(200, "{\"access_token\":\"a\",\"token_type\":\(text.json)}")
        },
        HostileSite("a token endpoint's token") { text in
            try await exchange(200, "{\"access_token\":\(text.json),\"token_type\":\"Bearer\"}")
        },
    ]

    @Test("A message is short, on one line, and repeats nothing at length", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }

    /// Codes and passwords look like words, so their messages hold nothing of them at all.
    static let wordLike: [@Sendable (String) throws -> Void] = [
        { _ = try AuthorizationCode($0) }, { _ = try AuthorizationState($0) },
        { _ = try AuthorizationNonce($0) }, { _ = try PKCE(verifier: $0) },
        { _ = try OneTimeCode($0) }, { _ = try RefreshToken($0) },
        { _ = try BearerToken(authorization: [$0]) },
        { _ = try BearerToken(authorization: ["Bearer \($0)"]) },
        { _ = try UnverifiedToken($0) }, { try callback("code=\($0)&state=\($0)") },
        { try callback("code=\($0)&code=\($0)&state=\(SignInFixture.stateText)") },
    ]

    @Test(
        "No message repeats a code, a nonce, a state, a verifier or a password",
        arguments: wordLike)
    func words(_ provoke: @Sendable (String) throws -> Void) {
        var isRefused = false
        for text in [
            "hunter2", "hunter2\n", " hunter2", "hunter2é", "hunter2\u{0}", "hunter2.hunter2",
            String(repeating: "hunter2", count: 3_000), "",
        ] {
            do { try provoke(text) } catch {
                isRefused = true
                #expect(!"\(error)".contains("hunter2"))
            }
        }
        #expect(isRefused)
    }

    private static func verify(_ token: String) throws {
        let policy = try TokenPolicy(
            issuer: "https://idp.example", audience: ["api"], clock: .still)
        _ = try TokenVerifier(hmacKey: TestKeys.hmac(), policy: policy).verify(token)
    }

    private static func callback(_ query: String) throws {
        _ = try AuthorizationCallback(
            query: query, state: SignInFixture.state(), issuer: SignInFixture.issuer)
    }

    private static func percentEncoded(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { "%" + [$0].hexadecimalText }.joined()
    }

    private static func exchange(_ status: Int, _ body: String) async throws {
        let transport = FakeTransport { _ in
            .status(status, ["Content-Type": "application/json"], body: body)
        }
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://accounts.example/token"), clientID: "client",
            authentication: .none, transport: transport, timeout: .seconds(60))
        _ = try await endpoint.exchange(
            AuthorizationCode("code"), redirectURI: SignInFixture.redirectURI,
            pkce: .used(SignInFixture.pkce()))
    }
}
