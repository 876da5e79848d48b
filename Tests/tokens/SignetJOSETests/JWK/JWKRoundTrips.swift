// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

@Suite("Round trips of keys")
struct JWKRoundTrips {
    static let privatePEM = [
        TestPrivatePEM.rsa, TestPrivatePEM.rsaPKCS1, TestPrivatePEM.p256, TestPrivatePEM.p256SEC1,
        TestPrivatePEM.p384,
        TestPrivatePEM.p521, TestPrivatePEM.ed25519,
    ]

    @Test("A private key survives PEM, JWK, JSON, JWK and PEM", arguments: privatePEM)
    func privateKeys(_ pem: String) throws {
        let key = try JWK(pem: pem, keyID: "a\"b")
        #expect(key.isPrivate)
        let json = try key.exportPrivateJSON().exposedText()
        let again = try JWK(json)
        #expect(again.keyID == "a\"b")
        #expect(try again.exportPrivateJSON().exposedText() == json)
        let written = try again.exportPrivatePEM().exposedText()
        #expect(try key.exportPrivatePEM().exposedText() == written)
        let third = try JWK(pem: written)
        #expect(try third.thumbprint() == key.thumbprint())
        #expect(try third.publicPEM() == key.publicPEM())
        // OpenSSL's own PKCS#8 is ours, byte for byte.
        if pem.hasPrefix("-----BEGIN PRIVATE KEY") { #expect(written == pem + "\n") }
    }

    @Test("A public key's JSON, PEM and thumbprint agree", arguments: privatePEM)
    func publicKeys(_ pem: String) throws {
        let key = try JWK(pem: pem)
        let half = try key.publicKey()
        #expect(!half.isPrivate)
        #expect(try half.publicJSON() == key.publicJSON())
        let again = try JWK(key.publicJSON())
        #expect(try again.publicJSON() == key.publicJSON())
        #expect(try JWK(pem: again.publicPEM()).publicJSON() == key.publicJSON())
        #expect(try again.thumbprint() == key.thumbprint())
        #expect(
            try key.thumbprintURI() == "urn:ietf:params:oauth:jwk-thumbprint:sha-256:"
                + key.thumbprint())
        #expect(keyRefusal { try again.exportPrivateJSON().count }?.code == .privateKeyRequired)
        #expect(keyRefusal { try again.exportPrivatePEM().count }?.code == .privateKeyRequired)
    }

    @Test(
        "openssl's PEM of the public half equals ours",
        arguments: [
            (TestPrivatePEM.rsa, TestPublicPEM.rsa), (TestPrivatePEM.p256, TestPublicPEM.p256),
            (TestPrivatePEM.ed25519, TestPublicPEM.ed25519),
        ])
    func publicPEM(_ secret: String, _ published: String) throws {
        #expect(try JWK(pem: secret).publicPEM() == published + "\n")
        #expect(try JWK(pem: published).publicPEM() == published + "\n")
    }

    @Test("Other encodings of a public key give the same key")
    func otherForms() throws {
        #expect(
            try JWK(pem: TestPublicPEM.rsaPKCS1).publicJSON()
                == JWK(pem: TestPublicPEM.rsa).publicJSON())
        #expect(
            try JWK(pem: TestPublicPEM.p256Compressed).publicJSON()
                == JWK(pem: TestPublicPEM.p256).publicJSON())
    }

    @Test("A symmetric key keeps everything that binds it")
    func symmetric() throws {
        let json =
            #"{"kty":"oct","kid":"s","use":"sig","key_ops":["sign","verify"],"alg":"HS512","k":"\#(Base64URL.encode(TestKeys.secret))"}"#
        let key = try JWK(json)
        #expect(
            key.keyOperations == ["sign", "verify"] && key.use == "sig" && key.algorithm == "HS512")
        #expect(try key.exportPrivateJSON().exposedText() == json)
        let again = try JWK(HMACKey(jwk: key).exportPrivateJSON().exposedText())
        #expect(again.keyID == "s" && again.algorithm == "HS512")
        #expect(try again.thumbprint() == key.thumbprint())
    }

    @Test("A long secret, and a long kid before a secret, are written and read")
    func long() throws {
        let secret = Base64URL.encode([UInt8](repeating: 0xa5, count: 40_000))
        let key = try JWK(#"{"kty":"oct","k":"\#(secret)"}"#)
        #expect(try secretMember(key.exportPrivateJSON().exposedText(), "k") == secret)
        let named = try JWK(pem: TestPrivatePEM.rsa, keyID: String(repeating: "k", count: 1_024))
        #expect(try JWK(named.exportPrivateJSON().exposedText()).thumbprint() == named.thumbprint())
    }

    @Test("A kid over 1,024 bytes is refused when written")
    func longestKeyID() throws {
        let long = String(repeating: "k", count: 1_025)
        let secret = SecretKey(copying: TestKeys.secret)
        #expect(keyRefusal { try JWK(pem: TestPublicPEM.p256, keyID: long) }?.code == .tooLarge)
        #expect(
            keyRefusal { try HMACKey(secret: secret, algorithm: .hs256, keyID: long) }?.code
                == .tooLarge)
        #expect(keyRefusal { try HMACKey.generate(.hs256, keyID: long) }?.code == .tooLarge)
        #expect(keyRefusal { try SigningKey.generate(.es256, keyID: long) }?.code == .tooLarge)
        #expect(
            keyRefusal { try JWK(#"{"kty":"oct","k":"AAAA","kid":"\#(long)"}"#) }?.code == .tooLarge
        )
    }

    @Test("Thumbprints are those of RFC 7638, section 3.1, and RFC 8037, appendix A.3")
    func thumbprints() throws {
        let rsa = try JWK(
            #"{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}"#
        )
        #expect(try rsa.thumbprint() == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        let ed = try JWK(
            #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#)
        #expect(try ed.thumbprint() == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test("Members of other key types are ignored")
    func foreignMembers() throws {
        let own = try JWK(pem: TestPublicPEM.p256, keyID: "k1").publicJSON()
        let key = try JWK(
            own.dropLast() + #","k":"AAAA","n":"AAAA","e":"AQAB","p":"AQ","oth":[],"ext":true}"#)
        #expect(!key.isPrivate)
        #expect(try key.publicJSON() == own)
        // With "d" it is a private key or nothing: never silently a public one.
        for value in [#""""#, #""AA""#, "null", "1", #""not base64""#] {
            #expect(keyRefusal { try JWK(own.dropLast() + #","d":\#(value)}"#) } != nil, "\(value)")
        }
    }
}
