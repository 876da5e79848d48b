// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetAccounts
import SignetJOSE
import Testing

/// The answer to a sign-in or a refresh.
struct Tokens: Decodable, Sendable {
    struct User: Decodable, Sendable {
        let id: String
        let phone: String?
        let isGuest: Bool
        private enum CodingKeys: String, CodingKey {
            case id, phone
            case isGuest = "is_guest"
        }
    }

    let access: String
    let refresh: String
    let user: User?
    private enum CodingKeys: String, CodingKey {
        case user
        case access = "access_token"
        case refresh = "refresh_token"
    }
}

extension World {
    /// Tokens from a route that gives them.
    func tokens(_ path: String, _ json: String) async throws -> Tokens {
        let answer = try await client.post(path, json: json)
        try #require(answer.status == 200, "\(answer.body)")
        return try answer.json(Tokens.self)
    }

    func tokens(_ person: Person = .ada) async throws -> Tokens {
        let token = try issuer.idToken(MintRequest(person: person))
        return try await tokens("/v1/auth/id-token", #"{"idToken":"\#(token)"}"#)
    }

    /// Asks for a code, and returns its challenge.
    func challenge(_ destination: String) async throws -> String {
        struct Sent: Decodable { let challenge: String }
        let sent = try await client.post("/v1/auth/codes", json: "{\(destination)}")
        try #require(sent.status == 202, "\(sent.body)")
        return try sent.json(Sent.self).challenge
    }

    /// The code that was sent last, from the file of codes.
    func lastCode(to phone: String) async throws -> String {
        var code = ""
        try await eventually {
            let text = try? String(contentsOfFile: folder.path("codes"), encoding: .utf8)
            let lines = (text ?? "").split(separator: "\n").map { $0.split(separator: "\t") }
            code = lines.last { $0.count == 4 && $0[1] == phone }.map { String($0[2]) } ?? ""
            return !code.isEmpty
        }
        return code
    }

    /// Makes all sessions older.
    func age(seconds: Int64) async throws {
        try await run(
            "UPDATE signet_sessions SET begun_at = begun_at - $1",
            values: [.integer(seconds * 1000)])
    }

    func patch(_ json: String, token: String) async throws -> WebAnswer {
        try await client.send(
            "PATCH", "/v1/auth/me",
            headers: [("Content-Type", "application/json"), ("Authorization", "Bearer \(token)")],
            body: .whole(json))
    }
}
