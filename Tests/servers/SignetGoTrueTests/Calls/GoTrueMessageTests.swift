// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetGoTrue
import SignetJSON
import TestSupport
import Testing

/// Hostile text in every place of a request, and what the answer then says to its sender.
@Suite("The service's answers to hostile input", .serialized)
struct GoTrueMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("a path") { try await call("POST /\(word($0))", "{}") },
        HostileSite("a provider's name") { try await call("GET /callback/\(word($0))") },
        HostileSite("a provider") { try await call("GET /authorize?provider=\(encoded($0))") },
        HostileSite("a redirect") {
            try await call("GET /authorize?provider=keycloak&redirect_to=\(encoded($0))")
        },
        HostileSite("a kind of grant") {
            try await call("POST /token?grant_type=\(encoded($0))", "{}")
        },
        HostileSite("a parameter that is there twice") {
            try await call("POST /token?\(encoded($0))=a&grant_type=a&grant_type=b", "{}")
        },
        HostileSite("a body") { try await call("POST /otp", $0.text) },
        HostileSite("the names of a body") {
            try await call("POST /otp", "{\($0.json):1,\($0.json):2}")
        },
        HostileSite("an address") {
            try await call("POST /otp", "{\"email\":\($0.json)}")
        },
        HostileSite("a number") { try await call("POST /otp", "{\"phone\":\($0.json)}") },
        HostileSite("a password") {
            try await call(
                "POST /token?grant_type=password",
                "{\"email\":\"ann@company.example\",\"password\":\($0.json)}")
        },
        HostileSite("a new password") {
            try await call(
                "POST /signup", "{\"email\":\"ann@company.example\",\"password\":\($0.json)}")
        },
        HostileSite("a refresh token") {
            try await call(
                "POST /token?grant_type=refresh_token", "{\"refresh_token\":\($0.json)}")
        },
        HostileSite("an ID token") {
            try await call(
                "POST /token?grant_type=id_token",
                """
                {"provider":"keycloak","id_token":\($0.json),"nonce":\($0.json),\
                "access_token":\($0.json)}
                """)
        },
        HostileSite("a provider of an ID token") {
            try await call(
                "POST /token?grant_type=id_token",
                "{\"provider\":\($0.json),\"id_token\":\"a.b.c\"}")
        },
        HostileSite("a code") {
            try await call(
                "POST /verify",
                "{\"type\":\"sms\",\"phone\":\"\(Scene.phone)\",\"token\":\($0.json)}")
        },
        HostileSite("a kind of code") {
            try await call(
                "POST /verify",
                "{\"type\":\($0.json),\"phone\":\"\(Scene.phone)\",\"token\":\"123456\"}")
        },
        HostileSite("an authorization code") {
            try await call(
                "POST /token?grant_type=pkce",
                "{\"auth_code\":\($0.json),\"code_verifier\":\($0.json)}")
        },
        HostileSite("a bearer token") {
            try await call("GET /user", bearer: $0.text)
        },
        HostileSite("a type of a body") {
            try await call("POST /otp", "{}", fields: [("Content-Type", $0.text)])
        },
        HostileSite("a scope") {
            try await call("POST /logout?scope=\(encoded($0))", bearer: "a.b.c")
        },
    ]

    @Test("An answer's text is short, and repeats no secret", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }

    private static func call(
        _ target: String, _ body: String? = nil, bearer: String? = nil,
        fields: [(String, String)] = []
    ) async throws {
        let answer = try await Scene().call(target, body, bearer: bearer, fields: fields)
        let names = ["msg", "message", "error_description", "error", "code", "error_code", "hint"]
        let texts = names.compactMap { answer.json[$0]?.stringValue }
        if answer.status >= 400 { throw HostileSite.Said(texts.joined(separator: "\n")) }
    }

    /// The bytes that no path's syntax takes away.
    private static func word(_ text: HostileText) -> String {
        text.text.filter { !" ?".contains($0) }
    }

    private static func encoded(_ text: HostileText) -> String {
        text.bytes.prefix(3_000).map { "%" + [$0].hexadecimalText }.joined()
    }
}
