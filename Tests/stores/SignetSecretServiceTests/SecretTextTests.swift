// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SecretServiceBridge
import SignetCrypto
import SignetMemory
import Testing

@Suite("Secrets as text")
struct SecretTextTests {
    private func text(_ storage: SecretStorage) -> String {
        String(
            decoding: SecretKey(storage: storage).withExposedBytes { $0.copied() }, as: UTF8.self)
    }

    private func decode(_ text: String) -> [UInt8]? {
        SecretText.decode(SecretKey(copying: text.utf8).storage, prefix: "p:").map {
            SecretKey(storage: $0).withExposedBytes { $0.copied() }
        }
    }

    /// RFC 4648, section 10, without padding.
    @Test(
        "The texts of RFC 4648 are encoded and decoded",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func published(_ plain: String, _ encoded: String) {
        #expect(text(SecretText.encode(Array(plain.utf8).span, prefix: "p:")) == "p:" + encoded)
        #expect(decode("p:" + encoded) == Array(plain.utf8))
    }

    @Test("Bytes of all lengths come back", arguments: 0..<130)
    func roundTrip(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
        #expect(decode(text(SecretText.encode(bytes.span, prefix: "p:"))) == bytes)
    }

    @Test(
        "Bytes have one text only",
        arguments: [
            "", "p", "q:Zg", "p:Z", "p:Zh", "p:Zm9", "p:Zg==", "p:Zg=", "p:Zm9vYg==", "p:Zm 9v",
            "p:Zm9v\n",
            "p:+/8",
            "p:Zm9\u{0}", "p:Zm9\u{e9}", "Zg", "P:Zg",
        ])
    func strict(_ text: String) { #expect(decode(text) == nil) }

    @Test("The digits are URL-safe")
    func digits() {
        #expect(text(SecretText.encode([0xFB, 0xEF, 0xFF].span, prefix: "p:")) == "p:--__")
    }
}
