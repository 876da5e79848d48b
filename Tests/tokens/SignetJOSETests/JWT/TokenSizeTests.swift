// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import Testing

@Suite("Overlong parts, under any limit for the whole token")
struct TokenSizeTests {
    private let verifier: JWSVerifier
    private let parts: [String]

    init() throws {
        let key = try HMACKey.generate(.hs256)
        verifier = try JWSVerifier(hmacKey: key, maximumByteCount: 1 << 26)
        let token = try JWSSigner(hmacKey: key).sign(Array("payload".utf8))
        _ = try verifier.verify(token)
        parts = token.split(separator: ".").map(String.init)
    }

    @Test("A header over 65,536 characters is refused before it is decoded")
    func header() {
        let long = String(repeating: "A", count: 65_540)
        #expect(throws: TokenError(.tooLarge, "")) {
            try verifier.verify("\(long).\(parts[1]).\(parts[2])")
        }
        // Not even decoded: these are not base64url characters.
        let foreign = String(repeating: "!", count: 65_540)
        #expect(throws: TokenError(.tooLarge, "")) {
            try verifier.verify("\(foreign).\(parts[1]).\(parts[2])")
        }
    }

    @Test("A signature over 2,048 characters is refused before it is decoded")
    func signature() {
        let long = String(repeating: "A", count: 2048)
        #expect(throws: TokenError(.tooLarge, "")) {
            try verifier.verify("\(parts[0]).\(parts[1]).\(long)")
        }
    }

    @Test("A long payload with a forged signature is refused for its signature")
    func payload() {
        let long = String(repeating: "A", count: 1 << 20)
        #expect(throws: TokenError(.signatureInvalid, "")) {
            try verifier.verify("\(parts[0]).\(long).\(parts[2])")
        }
    }

    @Test(
        "A token has exactly two dots",
        arguments: ["", ".", "a", "a.", ".a", "a.b", "..", "a.b.c.d", ".b.c", "...."]
    )
    func dots(token: String) {
        #expect(throws: TokenError(.malformed, "")) { try verifier.verify(token) }
    }
}
