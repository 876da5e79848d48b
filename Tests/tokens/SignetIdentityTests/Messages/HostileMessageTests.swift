// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

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
    /// A marker that no message may hold whole, what terminals obey, and a great length.
    static let hostile =
        "\u{1b}[2J\u{202e}\u{0}\n" + String(repeating: "SECRET-VALUE-", count: 4_000)

    struct Site: CustomTestStringConvertible {
        let testDescription: String
        let provoke: @Sendable (String) async throws -> Void

        init(_ name: String, _ provoke: @escaping @Sendable (String) async throws -> Void) {
            (testDescription, self.provoke) = (name, provoke)
        }
    }

    static let sites: [Site] = [
        Site("a JWK's kty") { _ = try JWK("{\"kty\":\(json($0))}") },
        Site("a JWK's member") {
            _ = try JWK("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\(json($0))}")
        },
        Site("a JWK's curve") { _ = try JWK("{\"kty\":\"EC\",\"crv\":\(json($0))}") },
        Site("a JWK's alg") { _ = try JWK("{\"kty\":\"oct\",\"k\":\"AAAA\",\"alg\":\(json($0))}") },
        Site("a JWK that is no JSON") { _ = try JWK($0) },
        Site("a member's name twice") { _ = try JWK("{\(json($0)):1,\(json($0)):1}") },
        Site("a JWK set") { _ = try KeySet(jwks: "{\"keys\":\(json($0))}") },
        Site("a PEM's label") {
            _ = try JWK(pem: "-----BEGIN \($0)-----\nAA==\n-----END \($0)-----\n")
        },
        Site("a short PEM label") {
            let label = "\u{1b}[2J" + $0.suffix(40)
            _ = try JWK(pem: "-----BEGIN \(label)-----\nAA==\n-----END \(label)-----\n")
        },
        Site("a PEM's content") {
            _ = try JWK(pem: "-----BEGIN PUBLIC KEY-----\n\($0)\n-----END PUBLIC KEY-----\n")
        },
        Site("a key in DER") { _ = try JWK(der: Array($0.utf8.prefix(2_000))) },
        Site("a certificate") { _ = try JWK(certificate: Array($0.utf8.prefix(2_000))) },
        Site("a token") { _ = try UnverifiedToken($0) },
        Site("a token's header") {
            _ = try UnverifiedToken("\(Base64URL.encode(Array($0.utf8.prefix(900)))).e30.AA")
        },
        Site("a token's alg") {
            let header = "{\"alg\":\(json(String($0.prefix(300))))}"
            _ = try UnverifiedToken("\(Base64URL.encode(header.utf8)).e30.AA")
        },
        Site("a token's issuer") {
            let claims = "{\"iss\":\(json(String($0.prefix(1_500))))}"
            _ = try UnverifiedToken(
                "\(Base64URL.encode("{\"alg\":\"ES256\"}".utf8)).\(Base64URL.encode(claims.utf8)).AA"
            ).issuer
            throw TokenError(.malformed, "It was read.")
        },
        Site("an address") { _ = try EndpointURL("https://\($0)") },
        Site("a path") { _ = try EndpointURL("https://a.example/\($0.prefix(200))") },
        Site("a field's name") { _ = try TransportRequest.Field($0, "a") },
        Site("a field's value") { _ = try TransportRequest.Field("a", $0) },
        Site("a provider's metadata") {
            _ = try ProviderMetadata(
                Array("{\"issuer\":\(json($0))}".utf8), issuer: EndpointURL("https://a.example"))
        },
        Site("metadata that are no JSON") {
            _ = try ProviderMetadata(Array($0.utf8), issuer: EndpointURL("https://a.example"))
        },
        Site("a member of metadata") {
            _ = try ProviderMetadata(
                Array(
                    "{\"issuer\":\"https://a.example\",\"jwks_uri\":\"https://a.example/k\",\"response_types_supported\":\(json($0))}"
                        .utf8), issuer: EndpointURL("https://a.example"))
            throw TokenError(.malformed, "It was read.")
        },
        Site("a list of domains") { _ = try DomainList(text: "a.example\n\($0)\n") },
        Site("a domain") { _ = try EmailDomain($0) },
        Site("a mailbox") { _ = try Mailbox("\($0)@a.example") },
        Site("a mailbox's domain") { _ = try Mailbox("a@\($0)") },
        Site("an authorization code") { _ = try AuthorizationCode($0) },
        Site("a state") { _ = try AuthorizationState($0) },
        Site("a phone number") { _ = try PhoneNumber($0) },
        Site("a one-time code") { _ = try OneTimeCode($0) },
        Site("a username") { _ = try Username($0) },
        Site("an opaque token") { _ = try RefreshToken($0) },
        Site("a timestamp") { _ = try Timestamp($0) },
        Site("a bearer field") { _ = try BearerToken(authorization: ["Bearer \($0)"]) },
        Site("a token endpoint's error") { text in
            try await exchange(400, "{\"error\":\(json(text)),\"error_description\":\(json(text))}")
        },
        Site("a token endpoint's answer") { text in try await exchange(200, text) },
        Site("a token endpoint's token type") { text in
            try await exchange(200, "{\"access_token\":\"a\",\"token_type\":\(json(text))}")
        },
        Site("a token endpoint's token") { text in
            try await exchange(200, "{\"access_token\":\(json(text)),\"token_type\":\"Bearer\"}")
        },
    ]

    @Test("A message is short, on one line, and repeats nothing at length", arguments: sites)
    func hostile(_ site: Site) async throws {
        let error = try await #require(throws: (any Error).self) {
            try await site.provoke(Self.hostile)
        }
        for text in ["\(error)", (error as? any HasMessage)?.message ?? ""] {
            #expect(text.unicodeScalars.count <= ErrorMessage.maximumCount + 64)
            #expect(!text.unicodeScalars.contains { $0.isObeyed })
            for name in ["ReceivedText", "ArraySlice", "JSONNode", "Span<", "Optional("] {
                #expect(!text.contains(name))
            }
            #expect(!text.contains("SECRET-VALUE-SECRET-VALUE-SECRET-VALUE-SECRET-VALUE-SECRET"))
        }
    }

    private static func json(_ text: String) -> String {
        (try? String(decoding: JSONTokenEncoder().encode(JSONValue.string(text)), as: UTF8.self))
            ?? ""
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

private protocol HasMessage {
    var message: String { get }
}

extension CodedError: HasMessage {}
