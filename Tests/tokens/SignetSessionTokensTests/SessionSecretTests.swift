// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("Session secrets")
struct SessionSecretTests {
    /// 32 bytes, 0 to 31: both ways to read their 44 characters are pinned by a signature each.
    static let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    /// HMAC-SHA256 of the RFC 7515 signing input below, computed with Python's `hmac` over the named bytes.
    static let input = "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.aGVsbG8"

    @Test(
        "The same text is two different secrets as base64 and as bytes",
        arguments: [
            ("base64", "O-w9U1uGTiPZ072l6fYBbjelcUidIIzJJL1qbzylMtI"),
            ("base64 with its line feed", "O-w9U1uGTiPZ072l6fYBbjelcUidIIzJJL1qbzylMtI"),
            ("raw decoded bytes", "O-w9U1uGTiPZ072l6fYBbjelcUidIIzJJL1qbzylMtI"),
            ("raw", "jnnK7SbF95cSwpF0ArvmWHK7yNOlehDuUbOCyLoo6Gk"),
            ("raw with its line feed", "qbz1uWojo2Fz95SJMXg8ay3L96Kopu9Ttn3pcYsBR6I"),
        ])
    func pinned(_ encoding: String, _ signature: String) throws {
        let key: HMACKey
        switch encoding {
        case "base64": key = try SessionSecret.base64(Self.text, keyID: "k1")
        case "base64 with its line feed":
            key = try SessionSecret.base64(Self.text + "\n", keyID: "k1")
        case "raw decoded bytes":
            key = try SessionSecret.raw((0..<32).map { UInt8($0) }, keyID: "k1")
        case "raw": key = try SessionSecret.raw(Self.text.utf8, keyID: "k1")
        default: key = try SessionSecret.raw((Self.text + "\n").utf8, keyID: "k1")
        }
        #expect(
            try JWSSigner(hmacKey: key).sign(Array("hello".utf8)) == Self.input + "." + signature)
    }

    @Test("A secret from a vault equals one from a setting")
    func secretBytes() throws {
        let fromText = try JWSSigner(hmacKey: SessionSecret.base64(Self.text, keyID: "k1")).sign([1]
        )
        let base64 = SecretBytes(copying: Self.text.utf8)
        #expect(
            try JWSSigner(hmacKey: SessionSecret.base64(base64, keyID: "k1")).sign([1]) == fromText)
        let raw = SecretBytes(copying: (0..<32).map { UInt8($0) })
        #expect(try JWSSigner(hmacKey: SessionSecret.raw(raw, keyID: "k1")).sign([1]) == fromText)
    }

    @Test(
        "Text that openssl rand -base64 would not print is refused",
        arguments: [
            "", "\n", "=", "====", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8==",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n\n",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\r\n",
            " AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= ",
            "\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\"",
            "AAECAwQF\nBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh-_",
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f0",
            "ＡAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        ])
    func otherText(_ text: String) {
        #expect(
            configurationRefusal { try SessionSecret.base64(text, keyID: "k1") } == .invalidSecret)
    }

    @Test("Fewer than 32 bytes are rejected in any encoding")
    func short() {
        for count in [0, 1, 16, 31] {
            let bytes = (0..<count).map { UInt8($0) }
            #expect(
                configurationRefusal { try SessionSecret.raw(bytes, keyID: "k1") } == .invalidSecret
            )
            #expect(
                configurationRefusal {
                    try SessionSecret.base64(Base64Standard.encode(bytes), keyID: "k1")
                }
                    == .invalidSecret)
        }
        let long = [UInt8](repeating: 7, count: 4097)
        // The length that it has is not told.
        let error = #expect(throws: IdentityConfigurationError.self) {
            _ = try SessionSecret.raw(long, keyID: "k1")
        }
        #expect(error?.code == .invalidSecret)
        #expect(error?.message.hasPrefix("The secret does not have 32 to 4,096 bytes") == true)
        #expect(
            configurationRefusal {
                try SessionSecret.base64(Base64Standard.encode(long), keyID: "k1")
            }
                == .invalidSecret)
        // 44 characters would be enough; the 33 bytes that they encode are too few for HS512.
        #expect(
            configurationRefusal {
                try SessionSecret.base64(Self.text, keyID: "k1", algorithm: .hs512)
            }
                == .invalidSecret)
        #expect(
            configurationRefusal { try SessionSecret.base64(Self.text, keyID: "") }
                == .invalidIdentifier)
    }

    @Test("A public key is refused as a secret, in either encoding")
    func published() throws {
        let pair = try SessionFixture.pair()
        let pem = try pair.verificationKey.jwk.publicPEM()
        let shapes = [pem, "  \n" + pem, try pair.verificationKey.jwk.publicJSON()]
        for shape in shapes {
            #expect(
                configurationRefusal { try SessionSecret.raw(shape.utf8, keyID: "k1") }
                    == .invalidSecret)
            let encoded = Base64Standard.encode(shape.utf8)
            #expect(
                configurationRefusal { try SessionSecret.base64(encoded, keyID: "k1") }
                    == .invalidSecret)
        }
        // The body of a PEM is base64 too: of the key itself.
        let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        #expect(
            configurationRefusal { try SessionSecret.base64(body, keyID: "k1") } == .invalidSecret)
    }

    @Test("No error holds a part of the secret")
    func messages() {
        for text in ["hunter2-hunter2", Self.text + "\n\n", String(Self.text.dropLast(8)) + "===="]
        {
            do {
                _ = try SessionSecret.base64(text, keyID: "k1")
                Issue.record("accepted")
            } catch {
                #expect(!"\(error)".contains("hunter2") && !"\(error)".contains("AAECAwQF"))
            }
        }
    }

    @Test(
        "A message gives the expected lengths, and not the secret's",
        arguments: [(19, HMACAlgorithm.hs256, 32), (37, .hs384, 48), (51, .hs512, 64)])
    func lengths(count: Int, algorithm: HMACAlgorithm, minimum: Int) {
        let bytes = [UInt8](repeating: 7, count: count)
        do {
            _ = try SessionSecret.raw(bytes, keyID: "k1", algorithm: algorithm)
            Issue.record("accepted")
        } catch {
            #expect(error.code == .invalidSecret && !"\(error)".contains("\(count)"))
            #expect("\(error)".contains("\(minimum) to 4,096 bytes"))
        }
    }
}
