// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetGoTrue
import SignetJSON
import TestSupport
import Testing

/// The life cycle of an official client at the service: its program asks for what a person or a
/// browser does, in lines.
enum ClientLife {
    private struct Given: Encodable {
        let url: String
        let key: String
    }

    private struct Reply: Encodable { let answer: String }

    private struct Question: Decodable {
        var code: String?
        var link: String?
        var visit: String?
        var pass: Int64?
        var token: String?
        var done: [String]?
    }

    /// Answers a program until it is done.
    ///
    /// - Returns: its words for what it did; none if it ended before.
    static func words(of program: Dialogue, at front: Front) async throws -> [String] {
        let given = Given(url: front.origin + "/auth/v1", key: Scene.key)
        program.write(try JSONEncoder().encode(given))
        while let line = await program.line() {
            let question = try JSONDecoder().decode(Question.self, from: line)
            if let done = question.done { return done }
            let answer = try await answer(question, front.scene)
            program.write(try JSONEncoder().encode(Reply(answer: answer)))
        }
        return []
    }

    private static func answer(_ question: Question, _ scene: Scene) async throws -> String {
        if let destination = question.code {
            return try #require(await scene.code(to: destination))
        }
        if let destination = question.link { return try await scene.linkToken(to: destination) }
        if let seconds = question.pass { try await scene.pass(seconds) }
        if let nonce = question.token {
            return try scene.provider.idToken(
                "dora", nonce: nonce, with: ["picture": "https://accounts.example/dora.png"])
        }
        if let address = question.visit { return try await visit(address, scene) }
        return ""
    }

    /// What a browser does: to the service, to the provider, and back.
    private static func visit(_ address: String, _ scene: Scene) async throws -> String {
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
