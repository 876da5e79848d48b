// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// CVE-2025-53864 and similar: nesting is counted, not recursed into.
@Suite("Deep nesting")
struct DeepNesting {
    static func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    @Test("32 levels are read and 33 are not")
    func limit() throws {
        let verifier = try TestKeys.verifier(.rs256)
        func claims(_ depth: Int) throws -> String {
            let payload = TestClaims.json(adding: #""x":\#(Self.nested(depth - 1))"#)
            return try Forge.token(TestKeys.header("RS256"), payload, by: Forge.rs256())
        }
        func header(_ depth: Int) throws -> String {
            try Forge.token(
                #"{"alg":"RS256","kid":"k1","x":\#(Self.nested(depth - 1))}"#, by: Forge.rs256())
        }
        _ = try verifier.verify(claims(32), as: JSONValue.self)
        _ = try verifier.verify(header(32))
        #expect(refusal { try verifier.verify(claims(33)) }?.code == .malformed)
        #expect(refusal { try verifier.verify(header(33)) }?.code == .malformed)
    }

    @Test(
        "Nesting as deep as a token is long is refused",
        arguments: [("[", "]"), (#"{"a":"#, "}"), ("[", ""), (#"{"a":["#, "")])
    func bottomless(_ open: String, _ close: String) throws {
        let text = Self.nested(5_000 / open.utf8.count, open, close)
        let verifier = try TestKeys.verifier(.rs256)
        for (header, payload) in [(text, TestClaims.json), (TestKeys.header("RS256"), text)] {
            let token = try Forge.token(header, payload, by: Forge.rs256())
            #expect(refusal { try verifier.verify(token) }?.code == .malformed)
            #expect(refusal { try UnverifiedToken(token) }?.code == .malformed)
        }
    }

    @Test("Keys and sets made of half a megabyte of brackets are refused")
    func keys() {
        #expect(keyRefusal { try JWK(Self.nested(30_000)) }?.code == .malformed)
        #expect(
            keyRefusal { try KeySet(jwks: #"{"keys":\#(Self.nested(250_000))}"#) }?.code
                == .malformed)
        #expect(
            keyRefusal { try KeySet(jwks: Self.nested(50_000, #"{"keys":["#, "]}")) }?.code
                == .tooLarge)
        #expect(
            keyRefusal { try KeySet(jwks: Self.nested(40_000, #"{"keys":["#, "]}")) }?.code
                == .malformed)
    }
}
