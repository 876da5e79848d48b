// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwk public, thumbprint and convert")
struct KeyConversionTests {
    @Test("One key gives its public half, thumbprint and PEM")
    func oneKey() throws {
        let folder = try CommandFolder()
        try folder.write("key.json", Keys.json("ES256"))
        let set = try folder.signet("jwk public --key key.json")
        #expect(
            set.isGood && set.text.hasPrefix("{\"keys\":[{") && !set.text.contains("\"d\""),
            "\(set)")
        let thumbprint = try folder.signet("jwk thumbprint --key key.json")
        #expect(
            thumbprint.isGood && set.text.contains("\"kid\":\"\(thumbprint.line)\""),
            "\(thumbprint)")
        let pem = try folder.signet("jwk convert --key key.json --to public-pem")
        #expect(pem.isGood && pem.text.hasPrefix("-----BEGIN PUBLIC KEY-----\n"), "\(pem)")
    }

    @Test("A symmetric key has no public half and no PEM form")
    func oneSymmetricKey() throws {
        let folder = try CommandFolder()
        try folder.write("key.json", Keys.json("HS256"))
        let key = ["--key", folder.path("key.json")]
        #expect(CommandFolder.inProcess(["jwk", "public"] + key).failed(1, "wrongKeyClass"))
        #expect(
            CommandFolder.inProcess(["jwk", "convert", "--to", "pem"] + key).failed(
                1, "wrongKeyClass"))
    }

    @Test(
        "The public half holds nothing private, and has the thumbprint as kid", .tags(.commandLine),
        arguments: Keys.asymmetric)
    func published(_ algorithm: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        let set = try folder.signet("jwk public --key key.json --json")
        #expect(set.isGood)
        guard case .array(let keys)? = try set.json["keys"], keys.count == 1 else {
            Issue.record("one key: \(set)")
            return
        }
        for name in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(keys[0][name] == nil) }
        #expect(keys[0]["kid"]?.text == (try folder.signet("jwk thumbprint --key key.json").line))
        #expect(try folder.signet("jwk public --key jwks.json").output == set.output)
        let single = try folder.signet("jwk public --key key.json --single")
        #expect(try single.json == keys[0])
    }

    @Test(
        "A PEM key's tokens verify with its published set, though PEM has no kid",
        .tags(.commandLine),
        arguments: ["RS256", "PS384", "ES256", "Ed25519"])
    func publishedFromPEM(_ algorithm: String) throws {
        let folder = try CommandFolder()
        try folder.signet("jwk generate --pem --output key.pem --algorithm \(algorithm)")
        let option =
            Keys.rsa.contains(algorithm) || algorithm == "Ed25519"
            ? " --algorithm \(algorithm)" : ""
        try folder.write("jwks.json", folder.signet("jwk public --key key.pem" + option).output)
        try folder.write(
            "token", folder.signet("jws sign --key key.pem" + option, input: "hello").output)
        let verified = try folder.signet("jws verify --key jwks.json", input: folder.text("token"))
        #expect(verified.isGood && verified.text == "hello", "\(verified)")
    }

    @Test("Symmetric keys have no public half, by themselves or in a set", .tags(.commandLine))
    func symmetric() throws {
        let folder = try CommandFolder()
        try folder.write("key.json", Keys.json("HS256"))
        #expect(try folder.signet("jwk public --key key.json").failed(1, "wrongKeyClass"))
        try folder.write("set.json", "{\"keys\":[\(try Keys.json("HS256"))]}")
        #expect(try folder.signet("jwk public --key set.json").failed(1, "noPublicKey"))
        for form in ["pem", "public-pem", "public-jwk"] {
            #expect(
                try folder.signet("jwk convert --key key.json --to \(form)").failed(
                    1, "wrongKeyClass"))
        }
        #expect(try folder.signet("jwk convert --key key.json --to jwk").line == Keys.json("HS256"))
    }

    @Test(
        "The thumbprint of RFC 7638, section 3.1, is the same from each form", .tags(.commandLine))
    func thumbprint() throws {
        let folder = try CommandFolder()
        try folder.write(
            "key.json",
            """
            {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}
            """)
        let expected = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
        let uri = "urn:ietf:params:oauth:jwk-thumbprint:sha-256:" + expected
        #expect(try folder.signet("jwk thumbprint --key key.json").text == expected + "\n")
        #expect(try folder.signet("jwk thumbprint --key key.json --uri").text == uri + "\n")
        let json = try folder.signet("jwk thumbprint --key key.json --json").json
        #expect(
            json
                == .object([
                    "thumbprint": .string(expected), "uri": .string(uri), "kty": .string("RSA"),
                ]))
    }

    @Test("JWK to PEM and back gives the same key", .tags(.commandLine), arguments: Keys.asymmetric)
    func roundTrip(_ algorithm: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        #expect(try folder.signet("jwk convert --key key.json --to pem --output key.pem").isGood)
        #expect(try folder.permissions("key.pem") == 0o600)
        let back = try folder.signet(
            "jwk convert --key key.pem --to jwk --key-id k1 --algorithm \(algorithm)")
        let key = try JWK(back.text)
        let original = try JWK(folder.text("key.json"))
        #expect(try key.thumbprint() == original.thumbprint() && key.isPrivate)
        #expect(key.keyID == "k1" && key.algorithm == algorithm)
        let publicPEM = try folder.signet("jwk convert --key key.json --to public-pem").text
        #expect(publicPEM.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        try folder.write("public.pem", publicPEM)
        #expect(try folder.signet("jwk convert --key public.pem --to pem").text == publicPEM)
        let publicJWK = try folder.signet("jwk convert --key public.pem --to jwk").json
        #expect(publicJWK["d"] == nil && publicJWK["kty"] != nil)
        let report = try folder.signet(
            "jwk convert --key key.json --to public-jwk --output p.json --json"
        ).json
        #expect(report["private"] == .bool(false))
    }

    @Test(
        "Keys piped from openssl are read", .tags(.commandLine),
        .enabled(if: Program.openssl != nil || Program.isRequired, "openssl is not here"),
        arguments: [
            ("RSA -pkeyopt rsa_keygen_bits:2048", "RSA"),
            ("EC -pkeyopt ec_paramgen_curve:P-256", "EC"),
            ("EC -pkeyopt ec_paramgen_curve:P-384", "EC"),
            ("EC -pkeyopt ec_paramgen_curve:P-521", "EC"),
            ("ed25519", "OKP"), ("X25519", "OKP"),
        ])
    func openssl(_ options: String, _ keyType: String) throws {
        let folder = try CommandFolder()
        let made = try folder.bash(
            "openssl genpkey -quiet -algorithm \(options) | tee key.pem | \"$SIGNET\" jwk convert --key - --to jwk"
        )
        let key = try JWK(made.text)
        #expect(key.isPrivate && key.keyType == keyType, "\(made)")
        let same = try folder.bash(
            "\"$SIGNET\" jwk convert --key key.pem --to public-pem | cmp - <(openssl pkey -in key.pem -pubout)"
        )
        #expect(same.status == 0, "\(same)")
    }

    @Test(
        "A key that Signet does not use is refused with the reason", .tags(.commandLine),
        .enabled(if: Program.openssl != nil || Program.isRequired, "openssl is not here"),
        arguments: [
            ("genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:1024", "keyTooShort"),
            (
                "genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1",
                "unsupportedKeyType"
            ),
            ("genpkey -quiet -algorithm ed448", "unsupportedKeyType"),
            ("genpkey -quiet -algorithm ed25519 -aes256 -pass pass:secret", "encryptedKey"),
        ])
    func refusedKeys(_ command: String, _ code: String) throws {
        let outcome = try CommandFolder().bash(
            "openssl \(command) | \"$SIGNET\" jwk convert --key - --to jwk")
        #expect(outcome.failed(1, code), "\(outcome)")
    }

    @Test("A private key is not replaced by its own public half", .tags(.commandLine))
    func keepsPrivateKey() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        try folder.bash("ln -s key.json link.json; ln key.json hard.json")
        for (key, output) in [
            ("key.json", "key.json"), ("link.json", "key.json"), ("hard.json", "key.json"),
        ] {
            for form in ["public-pem", "public-jwk"] {
                let outcome = try folder.signet(
                    "jwk convert --key \(key) --to \(form) --output ./\(output) --force")
                #expect(outcome.failed(2, "usage"), "\(outcome)")
            }
        }
        #expect(try JWK(folder.text("key.json")).isPrivate)
        #expect(
            try folder.signet("jwk convert --key key.json --to pem --output key.json --force")
                .isGood)
    }

    @Test(
        "An algorithm that does not fit the key, and a second kid, are refused", .tags(.commandLine)
    )
    func naming() throws {
        let folder = try CommandFolder()
        try folder.makeKeys("ES256")
        #expect(
            try folder.signet("jwk convert --key key.json --to jwk --algorithm ES384").failed(
                1, "algorithmMismatch"))
        #expect(
            try folder.signet("jwk convert --key key.json --to jwk --algorithm HS256").failed(
                2, "usage"))
        let named = try folder.signet("jwk convert --key key.json --to jwk --key-id other").json
        #expect(named["kid"]?.text == (try JWK(folder.text("key.json")).keyID))
    }

    @Test("An algorithm of encrypted tokens also gives the use, and must fit the key")
    func encryption() throws {
        let folder = try CommandFolder()
        try folder.write("key.pem", TestPrivatePEM.p256)
        let key = "--key \(folder.path("key.pem"))"
        let names = "--algorithm ECDH-ES+A256KW"
        for line in ["jwk convert \(key) --to public-jwk", "jwk public \(key) --single"] {
            let made = CommandFolder.inProcess("\(line) \(names)")
            let jwk = try JWK(made.text)
            #expect(jwk.use == "enc" && jwk.algorithm == "ECDH-ES+A256KW", "\(made)")
            let other = CommandFolder.inProcess("\(line) --algorithm RSA-OAEP-256")
            #expect(other.failed(1, "wrongKeyClass"), "\(other)")
        }
    }

    @Test("An unknown form is a usage error")
    func unknownForm() {
        #expect(
            CommandFolder.inProcess(
                "jwk convert --key \(CommandFolder.nowhere)/key.json --to nonsense"
            ).failed(
                2, "usage"))
    }
}
