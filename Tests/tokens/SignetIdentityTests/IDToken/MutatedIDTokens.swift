// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// Damaged tokens: never a crash, and never valid. The seed is fixed, so that a failure can be repeated.
@Suite("Mutated ID tokens", .tags(.fuzzing, .sampled))
struct MutatedIDTokens {
    @Test("No change to any character passes", arguments: try ProviderFixture.all())
    func characters(_ fixture: ProviderFixture) throws {
        let verifier = try fixture.verifier()
        let token = Array(try fixture.token().utf8)
        var random = SeededGenerator(seed: 11)
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\0\u{e9}".utf8)
        for place in token.indices {
            var changed = token
            changed[place] = alphabet.randomElement(using: &random) ?? 0
            guard changed != token else { continue }
            let text = String(decoding: changed, as: UTF8.self)
            #expect(
                (try? verifier.verifyWithKeysInHand(text, nonce: fixture.nonce)) == nil,
                "\(fixture.name) at \(place)")
        }
    }

    @Test("No cut, doubled or moved piece passes", arguments: try ProviderFixture.all())
    func pieces(_ fixture: ProviderFixture) throws {
        let verifier = try fixture.verifier()
        let token = Array(try fixture.token().utf8)
        var random = SeededGenerator(seed: 12)
        for _ in 0..<Effort.rounds(1_000) {
            let from = Int.random(in: 0..<token.count, using: &random)
            let to = Int.random(in: from...token.count, using: &random)
            let at = Int.random(in: 0...token.count, using: &random)
            let changed: [UInt8] =
                switch Int.random(in: 0..<3, using: &random) {
                case 0: Array(token[..<from] + token[to...])
                case 1: Array(token[..<at] + token[from..<to] + token[at...])
                default: Array(token[from..<to])
                }
            guard changed != token else { continue }
            let text = String(decoding: changed, as: UTF8.self)
            #expect((try? verifier.verifyWithKeysInHand(text, nonce: fixture.nonce)) == nil)
        }
    }

    static let values = [
        "null", "true", "false", "0", "-1", "1e308", "1e-320", "9223372036854775808",
        "1800000000.5", "\"\"",
        "\"x\"", "\"true\"",
        "[]", "[[]]", "{}", #"{"a":1}"#, #"["client-1","client-1"]"#, #""\u0000""#,
        #""\ud83d\ude00""#,
        "\"\u{212a}\"", "\"\(String(repeating: "a", count: 5_000))\"",
        String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
    ]
    /// Claims that decide nothing: they are shown, or not read.
    static let free: Set<String> = [
        "picture", "name", "ver", "preferred_username", "role", "session_id", "phone", "aal", "amr",
        "is_anonymous", "app_metadata",
        "user_metadata", "user_id", "firebase", "nonce_supported", "real_user_status",
    ]

    /// Under a good signature: whatever is accepted names the same person.
    @Test(
        "Each claim with each kind of value is refused or harmless",
        arguments: try ProviderFixture.all())
    func claims(_ fixture: ProviderFixture) async throws {
        let verifier = try fixture.verifier()
        let good = try await fixture.identity()
        for name in fixture.claims.names where !Self.free.contains(name) {
            for value in Self.values + [nil] as [String?] {
                let token = try fixture.token([name: value])
                guard let identity = try? verifier.verifyWithKeysInHand(token, nonce: fixture.nonce)
                else {
                    continue
                }
                if name == "sub" {
                    #expect(
                        identity.subject == "x"
                            || identity.subject.utf8.allSatisfy { (0x20...0x7e).contains($0) })
                } else {
                    #expect(identity.identityKey == good.identityKey, "\(fixture.name) \(name)")
                }
                switch name {
                // The same audience twice is one.
                case "aud" where value == #"["client-1","client-1"]"#:
                    #expect(identity.audience == ["client-1", "client-1"])
                // Elsewhere "sub" alone is the person.
                case "oid" where !fixture.name.hasPrefix("entra"): break
                case "iss", "aud", "oid", "tid":
                    Issue.record("\(fixture.name): \(name) = \(value ?? "nothing") was accepted")
                case "exp":
                    #expect(identity.expiration.secondsSince1970 > Double(ProviderFixture.now) - 30)
                case "iat":
                    #expect(identity.issuedAt.secondsSince1970 <= Double(ProviderFixture.now) + 30)
                case "email_verified":
                    let isTrue = value == "true" || value == "\"true\""
                    #expect(
                        identity.email.evidence == .none || isTrue,
                        "\(fixture.name) \(value ?? "nothing")")
                default: break
                }
            }
        }
    }

    @Test("Random changes under a good signature never crash", arguments: [ProviderKey.ec])
    func payloads(_ key: ProviderKey) throws {
        let fixture = try ProviderFixture.supabase()
        let verifier = try fixture.verifier()
        let original = Array(fixture.claims.json.utf8)
        var random = SeededGenerator(seed: 13)
        for _ in 0..<Effort.rounds(2_000) {
            var changed = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let input = Base64URL.encode(key.header.utf8) + "." + Base64URL.encode(changed)
            let token = try input + "." + Base64URL.encode(key.sign(Array(input.utf8)))
            guard let identity = try? verifier.verifyWithKeysInHand(token) else { continue }
            #expect(
                identity.issuer == "https://abcdefghijklmnopqrst.supabase.co/auth/v1"
                    && identity.audience == ["authenticated"])
            #expect(identity.email.evidence == .none)
        }
    }
}
