// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetSupabase
import TestSupport
import Testing

/// Hostile text at every place where the client of Supabase takes text, and what the error then
/// says.
@Suite("The messages of the Supabase client about hostile input")
struct SupabaseMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("a project's reference") { _ = try SupabaseProject(ref: $0.text) },
        HostileSite("a project's key") {
            _ = try SupabaseAuth(
                Fixture.project, publishableKey: $0.text, transport: FakeTransport(body: ""))
        },
        HostileSite("a provider") {
            _ = try Fixture.auth(FakeTransport(body: "")).authorization(
                provider: SupabaseProvider($0.text), redirectTo: "https://app.example/")
        },
        HostileSite("a provider of an ID token") { text in
            let auth = try Fixture.auth(FakeTransport(body: ""))
            _ = try await auth.signIn(idToken: "", provider: SupabaseProvider(text.text))
        },
        HostileSite("a redirect") {
            _ = try Fixture.auth(FakeTransport(body: "")).authorization(
                provider: .google, redirectTo: $0.text)
        },
        HostileSite("a link's hash") { text in
            let auth = try Fixture.auth(FakeTransport(body: "{}"))
            _ = try await auth.verify(tokenHash: text.text)
        },
        HostileSite("a kept sign-in") { _ = try SupabaseSignIn(exportedText: $0.text) },
        HostileSite("a callback") { text in
            let auth = try Fixture.auth(FakeTransport(body: "{}"))
            let signIn = try auth.authorization(
                provider: .google, redirectTo: "https://app.example/callback"
            ).signIn
            _ = try await auth.exchange(
                url: "https://app.example/callback?code=a&code=\(text.text)", of: signIn)
        },
        HostileSite("a callback's error") { text in
            let auth = try Fixture.auth(FakeTransport(body: "{}"))
            let signIn = try auth.authorization(
                provider: .google, redirectTo: "https://app.example/callback"
            ).signIn
            let value = text.bytes.prefix(3_000).map { "%" + [$0].hexadecimalText }.joined()
            _ = try await auth.exchange(query: "error=\(value)&error_code=\(value)", of: signIn)
        },
        HostileSite("an answer") { try await verify(.body($0.text)) },
        HostileSite("a refusal of a refresh token") { text in
            let body = """
                {"error":"invalid_grant","error_description":\(text.json)}
                """
            let auth = try Fixture.auth(FakeTransport(.status(400, body: body)))
            _ = try await auth.refresh(RefreshToken("r"))
        },
        HostileSite("a kept user") { _ = try SupabaseUser(profile: $0.text) },
    ]

    static let refusals = [400, 401, 403, 409, 422, 429, 500].map { status in
        HostileSite("a refusal with the status \(status)") { text in
            try await verify(
                .status(
                    status,
                    body: """
                        {"code":\(text.json),"error_code":\(text.json),"msg":\(text.json),\
                        "message":\(text.json),"error":\(text.json)}
                        """))
        }
    }

    static let members = ["access_token", "refresh_token", "token_type", "user"].map { name in
        HostileSite("\(name) of an answer") { text in
            try await verify(.body(Fixture.session([name: text.json])))
        }
    }

    @Test(
        "A message is short, on one line, and repeats no secret",
        arguments: sites + refusals + members)
    func hostile(_ site: HostileSite) async { await site.check() }

    private static func verify(_ answer: FakeTransport.Answer) async throws {
        if let error = try await HostileAnswerTests.verify(answer) { throw error }
    }
}
