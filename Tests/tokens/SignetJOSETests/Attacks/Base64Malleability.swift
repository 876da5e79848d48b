// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// A token has one text: anything but the canonical base64url of its parts is refused, even under a
/// good signature.
@Suite("Malleable base64url")
struct Base64Malleability {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    static let alterations: [(String, @Sendable (String) -> String)] = [
        ("padding", { $0 + "=" }), ("two paddings", { $0 + "==" }),
        ("space in front", { " " + $0 }),
        ("space behind", { $0 + " " }), ("line end", { $0 + "\n" }),
        ("line end inside", { "\($0.prefix(4))\r\n\($0.dropFirst(4))" }),
        ("plus", { "+" + $0.dropFirst() }), ("slash", { "/" + $0.dropFirst() }),
        ("zero byte", { $0 + "\0" }),
        ("percent", { $0 + "%3D" }), ("fullwidth", { "ｅ" + $0.dropFirst() }),
        ("one more", { $0 + "A" }),
        ("comma", { $0 + "," }), ("tilde", { $0 + "~" }),
    ]

    static func parts() throws -> [String] {
        try Forge.token(TestKeys.header("RS256"), by: Forge.rs256()).split(separator: ".").map(
            String.init)
    }

    @Test("Foreign characters, padding and white space in any part are refused", arguments: 0..<14)
    func foreign(_ index: Int) throws {
        let (name, alter) = Self.alterations[index]
        let parts = try Self.parts()
        let verifier = try TestKeys.verifier(.rs256)
        _ = try verifier.verify(parts.joined(separator: "."))
        for place in 0..<3 {
            var altered = parts
            altered[place] = alter(parts[place])
            let token = altered.joined(separator: ".")
            #expect(refusal { try verifier.verify(token) } != nil, "\(name) in part \(place)")
            #expect(
                refusal { try verifier.verify(Array(token.utf8), as: JSONValue.self) } != nil,
                "\(name)")
            guard place < 2 else { continue }
            // Signed over the altered text: the signature is good, the text is not.
            let signed = try Forge.token(
                encodedHeader: altered[0], encodedPayload: altered[1], by: Forge.rs256())
            #expect(
                refusal { try verifier.verify(signed) }?.code == .malformed,
                "\(name) in part \(place)")
        }
    }

    @Test(
        "Of 64 possible last characters of the signature exactly one is accepted",
        arguments: [SignatureAlgorithm.rs256, .es256, .ed25519])
    func signatureTrailingBits(_ algorithm: SignatureAlgorithm) throws {
        let verifier = try TestKeys.verifier(algorithm)
        let token = try Forge.token(TestKeys.header(algorithm.name), by: Forge.signer(algorithm))
        let accepted = Self.alphabet.filter { last in
            refusal { try verifier.verify(String(token.dropLast()) + String(last)) } == nil
        }
        #expect(accepted == [token.last])
    }

    @Test("Trailing bits under a good signature are refused", arguments: [0, 1])
    func signedTrailingBits(_ place: Int) throws {
        let verifier = try TestKeys.verifier(.rs256)
        // One space makes the last group two characters long, two make it three.
        for spaces in 0..<3 {
            var parts = [TestKeys.header("RS256"), TestClaims.json].map(Forge.encoded)
            let plain = [TestKeys.header("RS256"), TestClaims.json][place]
            parts[place] = Forge.encoded(plain + String(repeating: " ", count: spaces))
            guard parts[place].utf8.count % 4 != 0 else { continue }
            let stem = parts[place].dropLast()
            let accepted = try Self.alphabet.filter { last in
                parts[place] = stem + String(last)
                let token = try Forge.token(
                    encodedHeader: parts[0], encodedPayload: parts[1], by: Forge.rs256())
                return refusal { try verifier.verify(token) } == nil
            }
            #expect(accepted.count == 1)
        }
    }

    @Test(
        "Any number of parts but three is refused",
        arguments: ["", ".", "..", "...", "....", "a", "a.b", "a.b.c.d", ".a.b", "a..", "..a"])
    func parts(_ token: String) throws {
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) } != nil)
        #expect(refusal { try UnverifiedToken(token) }?.code == .malformed)
    }

    @Test(
        "Text around a good token is refused",
        arguments: [" ", "\n", ".", "Bearer ", "\u{feff}", "\0"])
    func surroundings(_ text: String) throws {
        let token = try Self.parts().joined(separator: ".")
        let verifier = try TestKeys.verifier(.rs256)
        #expect(refusal { try verifier.verify(text + token) }?.code == .malformed)
        #expect(refusal { try verifier.verify(token + text) }?.code == .malformed)
    }
}
