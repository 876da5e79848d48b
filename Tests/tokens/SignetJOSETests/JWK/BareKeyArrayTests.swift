// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("An array of JWKs without the object around it")
struct BareKeyArrayTests {
    @Test("A bare array gives the keys of the set that it stands for")
    func publicKeys() throws {
        let members = try [SignatureAlgorithm.es256, .rs256].map {
            try TestKeys.verification($0, keyID: "k-\($0)").jwk.publicJSON()
        }
        let list = "[" + (members + [#"{"kty":"PQ","kid":"later"}"#]).joined(separator: ",") + "]"
        let bare = try KeySet(jwks: list)
        let set = try KeySet(jwks: "{\"keys\":\(list)}")
        #expect(try bare.jwksJSON() == set.jwksJSON())
        #expect(bare.keys.count == 2 && bare.skipped.map(\.keyID) == ["later"])
        #expect(try KeySet(jwks: "\u{feff} \(list)\n").keys.count == 2)
    }

    @Test("A bare array of secrets is a set of secrets, and mixes no less")
    func secrets() throws {
        let secret = try TestKeys.hmac(keyID: "s").exportPrivateJSON().exposedText()
        let published = try TestKeys.verification(.es256, keyID: "p").jwk.publicJSON()
        #expect(try HMACKeySet(jwks: Array("[\(secret)]".utf8)).keys.count == 1)
        let mixed = keyRefusal { try HMACKeySet(jwks: Array("[\(secret),\(published)]".utf8)) }
        #expect(mixed?.code == .mixedKeySet)
    }

    @Test(
        "Another array, or something around one, is no set",
        arguments: [
            "[]", "[1]", "[[]]", "[null,{}]", #"{"keys":{}}"#, "1", "[{}", "[{}]]", "[{}],",
        ])
    func others(_ text: String) {
        #expect(keyRefusal { try KeySet(jwks: text) }?.code == .malformed)
        #expect(keyRefusal { try HMACKeySet(jwks: Array(text.utf8)) }?.code == .malformed)
    }

    @Test("What an issuer publishes has the standard's form")
    func published() throws {
        let key = try TestKeys.verification(.es256, keyID: "p").jwk.publicJSON()
        func read(_ text: String) throws -> Int {
            try PublishedKeys(
                jwks: Array(text.utf8), algorithms: [.es256], maximumKeyCount: 10
            ).keys.keys.count
        }
        #expect(try read("{\"keys\":[\(key)]}") == 1)
        #expect(keyRefusal { try read("[\(key)]") }?.code == .malformed)
    }
}
