// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("Key sets of maximum size") struct LargeKeySetTests {
    /// One key under many names; the cost of a set does not depend on that.
    private func document(_ count: Int, pem: String, keyID: (Int) -> String) throws -> String {
        let member = try JWK(pem: pem, keyID: "?").publicJSON()
        let parts = member.split(separator: #""kid":"?""#, omittingEmptySubsequences: false)
        let members = (0..<count).map { "\(parts[0])\"kid\":\"\(keyID($0))\"\(parts[1])" }
        return #"{"keys":["# + members.joined(separator: ",") + "]}"
    }

    @Test("1,000 keys load, and only known kids are found")
    func largest() throws {
        let count = KeySet.maximumKeyCount
        let set = try KeySet(
            jwks: try document(count, pem: TestPublicPEM.p256) { "key-\($0)" },
            maximumByteCount: 1 << 26)
        #expect(set.keys.count == count && set.skipped.isEmpty)
        let verifier = JWSVerifier(keys: set)
        for position in [0, 1, count / 2 - 1, count - 2, count - 1] {
            let token = try Forge.token(
                TestKeys.header("ES256", keyID: "key-\(position)"), by: Forge.es256())
            #expect(try verifier.verify(token).keyID == "key-\(position)")
        }
        for name in ["key-\(count)", "key-", "KEY-1", "key-01", ""] {
            let token = try Forge.token(TestKeys.header("ES256", keyID: name), by: Forge.es256())
            #expect(refusal { try verifier.verify(token) }?.code == .noMatchingKey, "\(name)")
        }
    }

    @Test("One member or byte too many is refused")
    func limits() throws {
        let count = KeySet.maximumKeyCount + 1
        let members =
            #"{"keys":["# + [String](repeating: "1", count: count).joined(separator: ",") + "]}"
        #expect(keyRefusal { try KeySet(jwks: members) }?.code == .tooLarge)

        let text = try document(3, pem: TestPublicPEM.p256) { "key-\($0)" }
        #expect(try KeySet(jwks: text, maximumByteCount: text.utf8.count).keys.count == 3)
        #expect(
            keyRefusal { try KeySet(jwks: text, maximumByteCount: text.utf8.count - 1) }?.code
                == .tooLarge)
        #expect(keyRefusal { try KeySet(jwks: text, maximumByteCount: 0) }?.code == .tooLarge)
        #expect(keyRefusal { try KeySet(jwks: text, maximumByteCount: .min) }?.code == .tooLarge)
        #expect(try KeySet(jwks: text, maximumByteCount: .max).keys.count == 3)

        let long = text + String(repeating: " ", count: KeySet.maximumByteCount)
        #expect(keyRefusal { try KeySet(jwks: long) }?.code == .tooLarge)
        #expect(try KeySet(jwks: long, maximumByteCount: 1 << 20).keys.count == 3)
        let longest = text + String(repeating: " ", count: 1 << 26)
        #expect(keyRefusal { try KeySet(jwks: longest, maximumByteCount: .max) }?.code == .tooLarge)
    }

    @Test("kids that Swift considers equal, or normalises slowly, stay distinct and fast")
    func hostileNames() throws {
        // Runs of combining characters in another order each: canonically equivalent, and as long
        // as a `kid` may be.
        let run = String(repeating: "\u{0316}\u{0301}", count: 255)
        let names = [
            "\u{212a}", "K", "\u{e9}", "e\u{301}", "a\(run)", "a\u{0301}\(run)", "a\(run)\u{0316}",
            "a\(run)\u{0301}", "", " ", "\u{200b}", "a\u{0}".replacing("\u{0}", with: "\\u0000"),
        ]
        let set = try KeySet(
            jwks: try document(names.count, pem: TestPublicPEM.p256) { names[$0] },
            maximumByteCount: 1 << 20)
        #expect(set.keys.count == names.count)
        for name in names {
            let token = try Forge.token(TestKeys.header("ES256", keyID: name), by: Forge.es256())
            #expect(throws: Never.self) { try JWSVerifier(keys: set).verify(token) }
        }
    }

    @Test("1,000 keys with one kid are ambiguous, and not tried one by one")
    func oneName() throws {
        let key = try TestKeys.verification(.es256, keyID: "same")
        let set = KeySet([VerificationKey](repeating: key, count: KeySet.maximumKeyCount))
        let token = try Forge.token(TestKeys.header("ES256", keyID: "same"), by: Forge.es256())
        #expect(refusal { try JWSVerifier(keys: set).verify(token) }?.code == .ambiguousKey)
    }
}
