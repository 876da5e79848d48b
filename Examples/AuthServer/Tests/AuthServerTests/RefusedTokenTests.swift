// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetJOSE
import Testing

/// One answer for every reason: a caller cannot tell two refused tokens apart.
@Suite("Refused ID tokens")
struct RefusedTokenTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let reason: String
        let token: @Sendable (World) throws -> String
        var testDescription: String { name }

        init(
            _ name: String, _ reason: String, _ token: @escaping @Sendable (World) throws -> String
        ) {
            self.name = name
            self.reason = reason
            self.token = token
        }

        init(_ name: String, _ reason: String, claims: [String: JSONValue]) {
            self.init(name, reason) {
                try $0.issuer.idToken(MintRequest(person: .ada, claims: claims))
            }
        }
    }

    static let cases: [Case] = [
        Case(
            "expired", "expired",
            claims: ["exp": .integer(1_700_000_000), "iat": .integer(1_699_996_400)]),
        Case("not yet valid", "notYetValid", claims: ["nbf": .integer(4_102_444_800)]),
        Case(
            "issued in the future", "issuedInFuture",
            claims: ["iat": .integer(4_102_444_800), "exp": .integer(4_102_448_400)]),
        Case("another audience", "audienceMissing", claims: ["aud": .string("somebody-else")]),
        Case(
            "the audience in another case", "audienceMissing",
            claims: ["aud": .string("Dev-Client")]),
        Case(
            "the beginning of the audience", "audienceMissing",
            claims: ["aud": .string("dev-clien")]),
        Case("no audience", "audienceMissing", claims: ["aud": .null]),
        Case(
            "an untrusted audience besides", "audienceUntrusted",
            claims: [
                "aud": .array([.string("dev-client"), .string("evil")]),
                "azp": .string("dev-client"),
            ]),
        Case("another authorized party", "azp", claims: ["azp": .string("evil")]),
        Case("another issuer", "issuer", claims: ["iss": .string("https://accounts.google.com")]),
        Case("the issuer with a slash", "issuer") { world in
            try world.issuer.idToken(
                MintRequest(person: .ada, claims: ["iss": .string(world.issuer.issuer + "/")]))
        },
        Case("no subject", "subject", claims: ["sub": .null]),
        Case("no end", "claimMissing", claims: ["exp": .null]),
        Case("an unknown key", "unknownKid") {
            try $0.issuer.idToken(MintRequest(person: .ada, key: .unpublished))
        },
        Case("an impostor's key", "badSignature") {
            try $0.issuer.idToken(MintRequest(person: .ada, key: .impostor))
        },
        Case("alg none", "unsupportedAlg") { world in
            let parts = try world.issuer.idToken(MintRequest(person: .ada)).split(separator: ".")
            return Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + parts[1] + "."
        },
        Case("HS256 over the public key", "algMismatch") { world in
            let parts = try world.issuer.idToken(MintRequest(person: .ada)).split(separator: ".")
            return Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "." + parts[1]
                + "."
                + parts[2]
        },
        Case("an unknown extension", "critUnknown") { world in
            let parts = try world.issuer.idToken(MintRequest(person: .ada)).split(separator: ".")
            return Base64URL.encode(Array(#"{"alg":"RS256","crit":["exp"],"exp":1}"#.utf8)) + "."
                + parts[1]
                + "." + parts[2]
        },
        Case("an encrypted token", "encrypted") { _ in
            Base64URL.encode(Array(#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#.utf8)) + ".AA.AA.AA.AA"
        },
        Case("no token at all", "malformed") { _ in "hello" },
        Case("two parts", "malformed") { _ in "a.b" },
        Case("too long", "tooLarge") { _ in String(repeating: "a", count: 17_000) },
        Case("our own session token", "algMismatch") { world in
            // Made by the server for another purpose, signed by another key.
            let key = try SigningKey.generate(.es256)
            return try TokenSigner(key: key).sign(
                ["iss": world.issuer.issuer, "aud": "dev-client", "sub": "1"],
                lifetime: .seconds(60))
        },
    ]

    @Test("Every refused ID token gets the same answer, and the log has the reason")
    func everyReasonHasTheSameAnswer() async throws {
        try await World.with { world in
            var seen = [String: String]()
            for test in Self.cases {
                let answer = try await world.presents(try test.token(world))
                #expect(answer.status == 401, "\(test.name)")
                #expect(answer.body == #"{"error":"Invalid ID token"}"#, "\(test.name)")
                #expect(
                    answer.header("www-authenticate")?.hasPrefix("Bearer") == true, "\(test.name)")
                let whole = (["\(answer.status)"] + answer.headers + [answer.body]).joined(
                    separator: "\n")
                seen[whole, default: ""] += "\(test.name) "
                #expect(
                    world.log.events("request refused").last?["code"] == test.reason,
                    "\(test.name)")
            }
            #expect(seen.count == 1, "\(seen)")
            #expect(try await world.users() == 0)
        }
    }

    /// A token with one claim changed under its own signature.
    private static func altered(_ world: World) throws -> String {
        var parts = try world.issuer.idToken(MintRequest(person: .ada)).split(separator: ".")
            .map(String.init)
        let payload = String(decoding: try Base64URL.decode(parts[1]), as: UTF8.self)
        let changed = payload.replacingOccurrences(
            of: "110000000000000000001", with: "110000000000000000002")
        parts[1] = Base64URL.encode(Array(changed.utf8))
        return parts.joined(separator: ".")
    }

    @Test("Forged signatures are 401, and 503 once the issuer was just asked for newer keys")
    func forgedAgain() async throws {
        // Its clock stands still, and with it the pause between two fetches.
        let options = World.Options(keyClock: TimeSource(elapsed: { .zero }))
        try await World.with(options) { world in
            let token = try Self.altered(world)
            #expect(try await world.presents(token).status == 401)
            // The first request fetched the keys, the second asked again.
            _ = try await world.presents(token)
            let answer = try await world.presents(token)
            #expect(answer.status == 503 && answer.header("retry-after") != nil)
            #expect(world.log.events("request refused").last?["code"] == "keyHeldBack")
            #expect(try await world.users() == 0)
        }
    }
}
