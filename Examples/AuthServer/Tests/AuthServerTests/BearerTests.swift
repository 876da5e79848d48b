// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import SignetJOSE
import Testing

/// `Authorization` is read strictly, and every rejected token gets the same answer.
@Suite("Bearer tokens in the Authorization header")
struct BearerTests {
    @Test("Only one well-formed bearer token is read, and only from Authorization")
    func onlyOneWellFormedBearerTokenIsRead() async throws {
        try await World.with { world in
            let token = try await world.signIn().sessionToken
            let cases: [(headers: [String], status: Int)] = [
                (["Bearer \(token)"], 200), (["bearer \(token)"], 200),
                ([], 401), (["Basic YTpi"], 401), ([token], 401), (["Token \(token)"], 401),
                (["Bearer"], 400), (["Bearer  \(token)"], 200), (["Bearer \(token) \(token)"], 400),
                (["Bearer \(token)", "Bearer \(token)"], 400), (["Bearer \(token),"], 400),
                (["Bearer é"], 400), (["Bearer " + String(repeating: "a", count: 16_385)], 400),
            ]
            for test in cases {
                let answer = try await world.client.get(
                    "/v1/auth/me", headers: test.headers.map { ("Authorization", $0) })
                let name = test.headers.map { $0.replacingToken(token) }.joined(separator: " | ")
                    .prefix(80)
                #expect(answer.status == test.status, "\(name)")
                #expect(
                    (answer.header("www-authenticate") != nil) == (test.status != 200), "\(name)")
            }
            // The token is not read from the query, a form or another cookie.
            #expect(try await world.client.get("/v1/auth/me?access_token=\(token)").status == 401)
            #expect(
                try await world.client.get("/v1/auth/me", headers: [("Cookie", "session=\(token)")])
                    .status
                    == 401)
        }
    }

    @Test("Every refused session token gets the same answer, and the log has the reason")
    func everyRefusedSessionTokenHasTheSameAnswer() async throws {
        try await World.with { world in
            let token = try await world.signIn().sessionToken
            let claims = try UnverifiedClaims(token)
            let parts = token.split(separator: ".").map(String.init)
            let foreign = try SigningKey.generate(.es256, keyID: claims.kid)
            let unknown = try SigningKey.generate(.es256)
            let own: [String: JSONValue] = [
                "iss": .string(claims.iss), "aud": .string(claims.aud), "sub": .string(claims.sub),
                "sid": .string(claims.sid), "jti": .string("x"), "iat": .integer(Int64(claims.iat)),
                "nbf": .integer(Int64(claims.iat)), "exp": .integer(Int64(claims.exp)),
            ]
            let forged = Base64URL.encode([UInt8](repeating: 1, count: 64))
            let tokens: [(name: String, token: String, reason: String)] = [
                ("a foreign key", try TokenSigner(key: foreign).sign(own), "signatureInvalid"),
                ("an unknown key", try TokenSigner(key: unknown).sign(own), "noMatchingKey"),
                (
                    "alg none",
                    Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + ".\(parts[1]).",
                    "algorithmNotAllowed"
                ), ("another's signature", "\(parts[0]).\(parts[1]).\(forged)", "signatureInvalid"),
                (
                    "Google's token", try world.issuer.idToken(MintRequest(person: .ada)),
                    "noMatchingKey"
                ), ("no token", "hello", "malformed"),
                ("two parts", "\(parts[0]).\(parts[1])", "malformed"),
            ]
            var seen = Set<String>()
            for (name, token, reason) in tokens {
                let answer = try await world.client.get("/v1/auth/me", token: token)
                #expect(answer.status == 401, "\(name)")
                seen.insert((answer.headers + [answer.body]).joined(separator: "\n"))
                #expect(
                    world.log.events("request refused").last?["code"]
                        == "invalidToken.\(reason)", "\(name)")
            }
            #expect(seen.count == 1)
        }
    }
}

extension String {
    fileprivate func replacingToken(_ token: String) -> String {
        split(separator: token, omittingEmptySubsequences: false).joined(separator: "TOKEN")
    }
}
