// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetGoTrue
import SignetJOSE
import TestSupport
import Testing

/// The official Python client (`supabase-auth`) goes through its whole life cycle at the service,
/// over a real connection.
@Suite(.tags(.interop), .enabled(if: PythonPeer.hasClient || PythonPeer.isRequired))
struct OfficialClientLifeTests {
    private struct Given: Encodable {
        let url: String
        let key: String
    }

    private struct Reply: Encodable { let answer: String }

    private struct Question: Decodable {
        var code: String?
        var visit: String?
        var pass: Int64?
        var token: String?
        var done: [String]?
    }

    @Test("Supabase's client works from sign-up to sign-out, and names each error")
    func life() async throws {
        let front = try await Front(clock: .system)
        let program = try PythonPeer.start("official_life")
        let given = Given(url: front.origin + "/auth/v1", key: Scene.key)
        program.write(try JSONEncoder().encode(given))
        var words: [String] = []
        while let line = await program.line() {
            let question = try JSONDecoder().decode(Question.self, from: line)
            if let done = question.done { words = done }
            guard question.done == nil else { break }
            let answer = try await answer(question, front.scene)
            program.write(try JSONEncoder().encode(Reply(answer: answer)))
        }
        #expect(program.end() == 0)
        #expect(
            words.filter { !$0.contains("_") || $0 == "id_token" } == [
                "phone", "user", "password", "refresh", "sign-up", "guest", "oauth", "oauth",
                "oauth", "id_token", "pkce", "sign-out",
            ])
        #expect(front.scene.errors.withLock { $0 }.isEmpty)
    }

    private func answer(_ question: Question, _ scene: Scene) async throws -> String {
        if let destination = question.code {
            return try #require(await scene.code(to: destination))
        }
        if let seconds = question.pass { try await scene.pass(seconds) }
        if let nonce = question.token { return try scene.provider.idToken("dora", nonce: nonce) }
        if let address = question.visit { return try await visit(address, scene) }
        return ""
    }

    /// What a browser does: to the service, to the provider, and back.
    private func visit(_ address: String, _ scene: Scene) async throws -> String {
        let query = String(try #require(address.split(separator: "?").last))
        let begun = try await scene.call("GET /authorize?" + query)
        let answer = try scene.provider.visit(
            try #require(begun.field("Location")), subject: "emil")
        let back = try await scene.call(
            "GET /callback/keycloak?" + answer, fields: [("Cookie", BrowserCallTests.cookie(begun))]
        )
        return try BrowserCallTests.code(back)
    }
}
