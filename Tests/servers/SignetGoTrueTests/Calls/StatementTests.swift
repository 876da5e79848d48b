// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetSignIn
import Testing

/// What calls cost in statements. A change of these numbers is made on purpose.
@Suite("Statements of a call")
struct StatementTests {
    private static let client = "203.0.113.7"

    /// A call whose statements are counted.
    private struct Call {
        let target: String
        let body: String
    }

    @Test("A refresh runs seven statements, and reads the user once")
    func refresh() async throws {
        let statements = try await Self.statements { scene in
            let grant = try await scene.signIn()
            return Call(
                target: "POST /token?grant_type=refresh_token",
                body: "{\"refresh_token\":\"\(grant.refreshToken)\"}")
        }
        // The limit, three of the rotation, the user, the identities, how the session began.
        #expect(statements.count == 7)
        Self.expectOneRead(in: statements)
    }

    @Test("A sign-in by password runs 18 statements, and reads the user once")
    func password() async throws {
        let statements = try await Self.statements { scene in
            try await scene.signUp()
            return Call(
                target: "POST /token?grant_type=password",
                body: "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}")
        }
        #expect(statements.count == 18)
        Self.expectOneRead(in: statements)
    }

    @Test("A sign-in by an ID token runs 12 statements, and reads the user once")
    func idToken() async throws {
        let statements = try await Self.statements { scene in
            let tokens = [
                try scene.provider.idToken("ann"), try scene.provider.idToken("ann"),
            ]
            let calls = tokens.map { token in
                Call(
                    target: "POST /token?grant_type=id_token",
                    body: "{\"provider\":\"keycloak\",\"id_token\":\"\(token)\"}")
            }
            // The first sign-in adds the user.
            #expect(try await scene.call(calls[0].target, calls[0].body).status == 200)
            return calls[1]
        }
        // One of them stores the provider's data.
        #expect(statements.count == 12)
        Self.expectOneRead(in: statements)
    }

    @Test("A browser's exchange runs nine statements, and reads the user once")
    func browser() async throws {
        let statements = try await Self.statements { scene in
            let pkce = try PKCE()
            let code = try BrowserCallTests.code(await BrowserCallTests.visit(scene, pkce))
            return Call(
                target: "POST /token?grant_type=pkce",
                body:
                    "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\(pkce.exposedVerifier)\"}")
        }
        #expect(statements.count == 9)
        Self.expectOneRead(in: statements)
    }

    @Test("A sign-in by a code runs 20 statements, and reads the user once")
    func code() async throws {
        let statements = try await Self.statements { scene in
            try await scene.signIn()
            try await scene.pass(100_000)
            let member = "\"phone\":\"\(Scene.phone)\""
            _ = try await scene.call("POST /otp", "{\(member)}")
            let code = try #require(await scene.code(to: "+" + Scene.phone))
            return Call(
                target: "POST /verify", body: "{\"type\":\"sms\",\(member),\"token\":\"\(code)\"}")
        }
        #expect(statements.count == 20)
        Self.expectOneRead(in: statements)
    }

    /// The statements of a call, from a client with an address.
    private static func statements(
        _ prepare: (Scene) async throws -> Call
    ) async throws -> [String] {
        let noting = NotingDatabase(try await SQLiteAccounts.inMemory())
        let scene = try await Scene(noting)
        let call = try await prepare(scene)
        _ = noting.taken()
        let answer = try await scene.call(call.target, call.body, client: client)
        #expect(answer.status == 200)
        return noting.taken()
    }

    /// A session's row comes first, then one read of its user.
    private static func expectOneRead(in statements: [String]) {
        let users = statements.indices.filter {
            statements[$0].contains("LEFT JOIN signet_gotrue_users")
        }
        let row = statements.firstIndex {
            $0.contains("INTO signet_sessions") || $0.contains("UPDATE signet_sessions")
        }
        #expect(users.count == 1 && (users.first ?? 0) > row ?? .max, "\(statements)")
    }
}
