// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetJOSE
import Testing

struct SignedIn: Decodable, Sendable {
    struct User: Decodable, Sendable {
        let id: String
        let email: String?
        let name: String?
        let image: String?
    }

    let success: Bool
    let user: User
    let sessionToken: String
    let expiresIn: Int
}

extension Person {
    static let ada = Person(
        sub: "110000000000000000001", email: "ada@company.example", name: "Ada Lovelace",
        givenName: "Ada",
        picture: "https://pictures.example/ada")
}

extension World {
    static let signInPath = "/api/auth/mobile/google"

    /// Sends an ID token as the application does.
    func presents(_ idToken: String, headers: [(String, String)] = []) async throws -> WebAnswer {
        try await client.post(
            Self.signInPath, json: #"{"idToken":"\#(idToken)"}"#, headers: headers)
    }

    /// Signs a person in, and expects that this works.
    func signIn(_ person: Person = .ada) async throws -> SignedIn {
        let answer = try await presents(try issuer.idToken(MintRequest(person: person)))
        try #require(answer.status == 200, "\(answer.body)")
        return try answer.json(SignedIn.self)
    }
}
