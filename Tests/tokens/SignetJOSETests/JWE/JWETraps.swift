// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// What other libraries' decrypters were caught with (issue 38; reference/jose-attacks).
@Suite("Traps of encrypted tokens")
struct JWETraps {
    private static func decrypter(
        _ content: Set<ContentEncryptionAlgorithm>? = nil, keyID: String? = nil
    ) throws -> JWEDecrypter {
        JWEDecrypter(
            key: try DecryptionKey(
                secret: JWEFixture.secret(32), algorithm: .direct, content: content, keyID: keyID))
    }

    @Test(
        "A header that says too much, too little or the wrong thing is refused",
        arguments: [
            (#"{"alg":"dir","enc":"A256GCM","zip":"DEF"}"#, "criticalUnsupported"),
            (#"{"alg":"dir","enc":"A256GCM","crit":["exp"],"exp":1}"#, "criticalUnsupported"),
            (#"{"alg":"dir","enc":"A256GCM","crit":[]}"#, "criticalUnsupported"),
            (#"{"alg":"dir","enc":"A256GCM","enc":"A256GCM"}"#, "malformed"),
            (#"{"alg":"dir"}"#, "malformed"),
            (#"{"enc":"A256GCM"}"#, "malformed"),
            (#"{"alg":"dir","enc":1}"#, "malformed"),
            (#"{"alg":["dir"],"enc":"A256GCM"}"#, "malformed"),
            (#"{"alg":"dir","enc":"A256GCM","kid":1}"#, "malformed"),
            (#"["dir"]"#, "malformed"),
            (#"{"alg":"none","enc":"A256GCM"}"#, "algorithmNotAllowed"),
            (#"{"alg":"dir","enc":"none"}"#, "algorithmNotAllowed"),
            (#"{"alg":"DIR","enc":"A256GCM"}"#, "algorithmNotAllowed"),
            (#"{"alg":"RSA1_5","enc":"A256GCM"}"#, "algorithmNotAllowed"),
            (
                #"{"alg":"PBES2-HS256+A128KW","enc":"A256GCM","p2s":"AAAAAAAA","p2c":1}"#,
                "algorithmNotAllowed"
            ),
            (#"{"alg":"A256GCMKW","enc":"A256GCM"}"#, "algorithmNotAllowed"),
            // Known, and not what the key is bound to.
            (#"{"alg":"A256KW","enc":"A256GCM"}"#, "algorithmNotAllowed"),
            (#"{"alg":"ECDH-ES","enc":"A256GCM"}"#, "algorithmNotAllowed"),
            (#"{"alg":"dir","enc":"A128CBC-HS256"}"#, "algorithmNotAllowed"),
            (#"{"alg":"dir","enc":"A128GCM"}"#, "algorithmNotAllowed"),
        ])
    func headers(header: String, code: String) throws {
        let token = try JWEFixture.directToken(header: header)
        let decrypter = try Self.decrypter([.a256GCM])
        #expect(throws: TokenError(.init(rawValue: code), "")) { try decrypter.decrypt(token) }
    }

    @Test("Copies of claims in the header change nothing")
    func replicatedClaims() throws {
        let token = try JWEFixture.directToken(
            header:
                #"{"alg":"dir","enc":"A256GCM","iss":"x","sub":"mallory","jku":"http://x","jwk":{}}"#
        )
        #expect(try Self.decrypter([.a256GCM]).decrypt(token).payload == Array("hello".utf8))
    }

    @Test("A header has at most 64 names and values: one with 31 members opens, with 32 not")
    func largeHeaders() throws {
        // The object itself is a value.
        for (count, code) in [(31, nil), (32, .tooLarge)] as [(Int, TokenError.Code?)] {
            let members = (2..<count).map { ",\"\($0)\":0" }.joined()
            let token = try JWEFixture.directToken(
                header: #"{"alg":"dir","enc":"A256GCM"\#(members)}"#)
            let error = refusal { try Self.decrypter([.a256GCM]).decrypt(token) }
            #expect(error?.code == code)
            #expect(error?.message.contains("more than 64 names and values") ?? (code == nil))
        }
        // Arrays count with their elements.
        let list = [String](repeating: "0", count: 64).joined(separator: ",")
        let token = try JWEFixture.directToken(
            header: #"{"alg":"dir","enc":"A256GCM","x":[\#(list)]}"#)
        #expect(throws: TokenError(.tooLarge, "")) {
            try Self.decrypter([.a256GCM]).decrypt(token)
        }
    }

    @Test("Each part has exactly its length")
    func lengths() throws {
        let good = try JWEFixture.directToken(header: #"{"alg":"dir","enc":"A256GCM"}"#)
        let parts = good.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let decrypter = try Self.decrypter([.a256GCM])
        #expect(try decrypter.decrypt(good).payload == Array("hello".utf8))
        func refused(_ index: Int, _ text: String, _ code: TokenError.Code) {
            var changed = parts
            changed[index] = text
            #expect(throws: TokenError(code, "")) {
                try decrypter.decrypt(changed.joined(separator: "."))
            }
        }
        // A tag that was cut (CVE-2016-9123, CVE-2023-37464), down to one byte and none.
        for count in [0, 1, 4, 8, 12, 15] {
            let tag = try Base64URL.decode(parts[4])
            refused(4, Base64URL.encode(tag.prefix(count)), .malformed)
        }
        refused(4, parts[4] + "AA", .malformed)
        // An initialization vector that is no 12 bytes.
        for count in [0, 8, 11, 13, 16] {
            refused(2, Base64URL.encode([UInt8](repeating: 1, count: count)), .malformed)
        }
        // dir has no encrypted key.
        refused(1, "AA", .malformed)
        refused(1, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", .malformed)
        // Padding, the other alphabet, bits that are not zero.
        refused(3, parts[3] + "=", .malformed)
        refused(2, "++++++++++++++++", .malformed)
        refused(3, "", .decryptionFailed)
        for text in ["", ".", "....", "a.b.c.d", "a.b.c.d.e.f", parts[0], good + ".", "." + good] {
            #expect(throws: TokenError(.malformed, "")) { try decrypter.decrypt(text) }
        }
        for end in [".", ".."] {
            let error = refusal { try decrypter.decrypt(good + end) }
            #expect(error?.message.contains("A compact JWE has five parts") == true)
        }
        let long = Base64URL.encode([UInt8](repeating: 0x20, count: 4_096))
        #expect(throws: TokenError(.tooLarge, "")) { try decrypter.decrypt(long + "....") }
    }

    @Test(
        "An error about a text that is no compact JWE says what it is, or how many parts it has",
        arguments: [
            ("", "The token is empty. A compact JWE has five parts"),
            ("hello world", "This text has 1: "), ("a b.c\n", "This text has 2: "),
            ("eyJhbGciOiJkaXIifQ...", "This text has 4: "), ("a.b.c.d.e.f", "This text has 6: "),
            (".b.c.d.e", "The first of them is empty: "),
            ("eyJhbGciOiJFUzI1NiJ9.e30.AAAA", "The token is signed and not encrypted"),
            (#"{"protected":"e30","tag":"AA"}"#, "JSON form of a JWE (RFC 7516, section 7.2)"),
            ("<html>", "HTML or XML, as a page for an error or for signing in is. A compact JWE"),
        ])
    func noToken(text: String, message: String) throws {
        let error = refusal { try Self.decrypter().decrypt(text) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(error?.message.contains("white space") == false)
    }

    @Test("An error about a key without alg names algorithms that the key takes")
    func namedAlgorithms() throws {
        let secrets = [16, 24, 32, 64].map {
            JWK(material: .octets(JWEFixture.secret($0)), keyID: nil)
        }
        let keys = try ["RSA", "P-521", "X25519"].map(JWEFixture.jwk) + secrets
        for (key, names) in zip(
            keys,
            [
                "RSA-OAEP-256", "ECDH-ES+A256KW", "ECDH-ES+A256KW", "A128KW or dir",
                "A192KW or dir", "A256KW or dir", "dir",
            ])
        {
            for error in [
                keyRefusal { try DecryptionKey(jwk: key) },
                keyRefusal { try EncryptionKey(jwk: key) },
            ] {
                #expect(error?.code == .algorithmRequired)
                #expect(error?.message.hasSuffix("such as \(names).") == true, "\(names)")
            }
        }
        let signing = try JWK(pem: TestPrivatePEM.ed25519)
        #expect(keyRefusal { try DecryptionKey(jwk: signing) }?.code == .wrongKeyClass)
    }

    @Test("AES-CBC checks its MAC over header, vector and content before it decrypts")
    func cbc() throws {
        let header = #"{"alg":"dir","enc":"A128CBC-HS256"}"#
        let good = try JWEFixture.directToken(header: header, content: .a128CBCHS256)
        let decrypter = try Self.decrypter([.a128CBCHS256])
        #expect(try decrypter.decrypt(good).payload == Array("hello".utf8))
        let parts = good.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var errors = Set<String>()
        // Every padding oracle needs a difference between these: there is none, in code or text.
        for index in 2...4 {
            var bytes = try Base64URL.decode(parts[index])
            for position in bytes.indices {
                bytes[position] ^= 1
                var changed = parts
                changed[index] = Base64URL.encode(bytes)
                bytes[position] ^= 1
                do {
                    _ = try decrypter.decrypt(changed.joined(separator: "."))
                    Issue.record("byte \(position) of part \(index)")
                } catch { errors.insert("\(error)") }
            }
        }
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.hasPrefix("decryptionFailed") == true)
    }

    @Test(
        "One error stands for a wrong key, a wrong wrapped key and a wrong tag",
        arguments: KeyManagementAlgorithm.allCases.filter { $0 != .direct && $0 != .rsaOAEP })
    func oneError(algorithm: KeyManagementAlgorithm) throws {
        let jwk = try JWEFixture.jwk(for: algorithm, content: .a256GCM)
        let good = try JWEEncrypter(
            to: EncryptionKey(jwk: jwk, algorithm: algorithm), content: .a256GCM
        ).encrypt("hello".utf8)
        let decrypter = JWEDecrypter(key: try DecryptionKey(jwk: jwk, algorithm: algorithm))
        let parts = good.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var errors = Set<String>()
        for index in [1, 3, 4] where !parts[index].isEmpty {
            var bytes = try Base64URL.decode(parts[index])
            bytes[bytes.count - 1] ^= 1
            var changed = parts
            changed[index] = Base64URL.encode(bytes)
            let failure = #expect(throws: TokenError.self) {
                try decrypter.decrypt(changed.joined(separator: "."))
            }
            errors.insert("\(String(describing: failure))")
        }
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.contains("decryptionFailed") == true)
    }

    @Test("A wrapped key of another length fails like a wrong tag")
    func wrappedLength() throws {
        // 24 bytes wrapped where 32 are needed: refused by its length, which everybody sees.
        let jwk = try JWEFixture.jwk(for: .rsaOAEP256, content: .a256GCM)
        let decrypter = JWEDecrypter(key: try DecryptionKey(jwk: jwk, algorithm: .rsaOAEP256))
        let header = Array(Base64URL.encode(#"{"alg":"RSA-OAEP-256","enc":"A256GCM"}"#.utf8).utf8)
        guard case .key(.rsaPrivate(let key)) = jwk.material else { return }
        for count in [16, 24, 48, 64] {
            let wrapped = try RSAOAEP.wrap(
                JWEFixture.secret(count), to: key.publicKey, hash: .sha256)
            let sealed = try ContentEncryption.a256GCM.seal(
                Array("hello".utf8).span, using: JWEFixture.secret(32),
                authenticating: header.span)
            let token = JWEFixture.token(
                header, encryptedKey: wrapped, sealed: sealed, content: .a256GCM)
            #expect(throws: TokenError(.decryptionFailed, "")) { try decrypter.decrypt(token) }
        }
    }

    @Test("A key that is for signing does not decrypt, and the other way round")
    func keyUse() throws {
        let rsa = try JWEFixture.jwk("RSA")
        for (use, operations, algorithm) in [
            ("sig", nil, nil), (nil, ["sign"], nil), (nil, ["verify", "sign"], nil),
            (nil, nil, "RS256"), ("enc", ["sign"], nil),
        ] as [(String?, [String]?, String?)] {
            let key = JWK(
                material: rsa.material, keyID: nil, use: use, keyOperations: operations,
                algorithm: algorithm)
            #expect(throws: KeyError.self) { try DecryptionKey(jwk: key, algorithm: .rsaOAEP256) }
            #expect(throws: KeyError.self) { try EncryptionKey(jwk: key, algorithm: .rsaOAEP256) }
        }
        let encrypting = JWK(
            material: rsa.material, keyID: nil, use: "enc", algorithm: "RSA-OAEP-256")
        #expect(throws: KeyError.self) { try SigningKey(jwk: encrypting, algorithm: .rs256) }
        #expect(throws: KeyError.self) { try VerificationKey(jwk: encrypting, algorithm: .rs256) }
        #expect(throws: KeyError.self) {
            try SigningKey(jwk: JWEFixture.jwk("X25519"), algorithm: nil)
        }
        // Without a name of its own an algorithm is never guessed, least of all SHA-1.
        #expect(throws: KeyError(.algorithmRequired, "")) { try DecryptionKey(jwk: rsa) }
        let old = JWK(material: rsa.material, keyID: nil, algorithm: "RSA-OAEP")
        #expect(throws: KeyError(.algorithmRequired, "")) { try DecryptionKey(jwk: old) }
        #expect(try DecryptionKey(jwk: old, algorithm: .rsaOAEP).algorithm == .rsaOAEP)
        #expect(throws: KeyError(.unsupportedAlgorithm, "")) {
            try EncryptionKey(jwk: old, algorithm: .rsaOAEP)
        }
        #expect(throws: KeyError(.privateKeyRequired, "")) {
            try DecryptionKey(jwk: rsa.publicKey(), algorithm: .rsaOAEP256)
        }
    }

    @Test("A JWK whose alg names an enc is for this enc alone, not for others of its length")
    func namedContent() throws {
        let secret = Base64URL.encode([UInt8](repeating: 7, count: 32))
        let jwk = try JWK(#"{"kty":"oct","alg":"A256GCM","k":"\#(secret)"}"#)
        let key = try DecryptionKey(jwk: jwk)
        #expect(key.algorithm == .direct)
        #expect(key.contentEncryptions == [.a256GCM])
        #expect(throws: KeyError(.algorithmMismatch, "")) {
            try JWEEncrypter(to: EncryptionKey(jwk: jwk), content: .a128CBCHS256)
        }
    }

    @Test("A sender's key must be on the receiver's curve, whole, public and a point of it")
    func ephemeralKeys() throws {
        let jwk = try JWEFixture.jwk("P-256")
        let other = try JWEFixture.jwk("P-384").publicJSON()
        let own = try jwk.publicJSON()
        let zeros = String(repeating: "A", count: 43)
        let decrypter = JWEDecrypter(key: try DecryptionKey(jwk: jwk, algorithm: .ecdhES))
        for epk in [
            "1", "null", "\"x\"", "[]", "{}", other, #"{"kty":"EC","crv":"P-256"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(zeros)","y":"\#(zeros)"}"#,
            #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
            #"{"kty":"OKP","crv":"P-256","x":"\#(zeros)"}"#,
            own.dropLast() + #","d":"\#(zeros)"}"#,
        ] as [String] {
            let token = try JWEFixture.directToken(
                header: #"{"alg":"ECDH-ES","enc":"A256GCM","epk":\#(epk)}"#)
            #expect(throws: TokenError(.malformed, ""), "\(epk)") { try decrypter.decrypt(token) }
        }
        let missing = try JWEFixture.directToken(header: #"{"alg":"ECDH-ES","enc":"A256GCM"}"#)
        #expect(throws: TokenError(.malformed, "")) { try decrypter.decrypt(missing) }
        for party in ["1", "\"+\"", "\"\(String(repeating: "A", count: 700))\""] {
            let token = try JWEFixture.directToken(
                header: #"{"alg":"ECDH-ES","enc":"A256GCM","epk":\#(own),"apu":\#(party)}"#)
            #expect(throws: TokenError(.malformed, "")) { try decrypter.decrypt(token) }
        }
    }

    @Test("A point of small order on X25519 fails like a wrong tag")
    func smallOrder() throws {
        let decrypter = JWEDecrypter(
            key: try DecryptionKey(jwk: JWEFixture.jwk("X25519"), algorithm: .ecdhES))
        for first in [0, 1] as [UInt8] {
            let x = Base64URL.encode([first] + [UInt8](repeating: 0, count: 31))
            let token = try JWEFixture.directToken(
                header:
                    #"{"alg":"ECDH-ES","enc":"A256GCM","epk":{"kty":"OKP","crv":"X25519","x":"\#(x)"}}"#
            )
            #expect(throws: TokenError(.decryptionFailed, "")) { try decrypter.decrypt(token) }
        }
    }

    @Test("A kid chooses a key, and several private keys are never tried")
    func keyIDs() throws {
        let token = try JWEFixture.directToken(
            header: #"{"alg":"dir","enc":"A256GCM","kid":"b"}"#)
        let shared = try ["a", "b", "b"].enumerated().map { index, keyID in
            try DecryptionKey(
                secret: index == 2 ? JWEFixture.secret(32) : SecretKey.generate(),
                algorithm: .direct, keyID: keyID)
        }
        #expect(try JWEDecrypter(keys: shared).decrypt(token).keyID == "b")
        #expect(throws: TokenError(.decryptionFailed, "")) {
            try JWEDecrypter(keys: Array(shared.prefix(2))).decrypt(token)
        }
        #expect(throws: TokenError(.noMatchingKey, "")) {
            try JWEDecrypter(keys: Array(shared.prefix(1))).decrypt(token)
        }
        #expect(throws: TokenError(.noMatchingKey, "")) {
            try JWEDecrypter(keys: []).decrypt(token)
        }
        let many = try (0..<5).map { _ in
            try DecryptionKey(secret: .generate(), algorithm: .direct, keyID: "a")
        }
        #expect(throws: KeyError(.duplicateKeyID, "")) { try JWEDecrypter(keys: many) }
        let rsa = try DecryptionKey(jwk: JWEFixture.jwk("RSA"), algorithm: .rsaOAEP256)
        #expect(throws: KeyError(.duplicateKeyID, "")) { try JWEDecrypter(keys: [rsa, rsa]) }
    }

    @Test("A token without kid is tried with at most four shared keys, or refused as ambiguous")
    func manySharedKeys() throws {
        let token = try JWEFixture.directToken(header: #"{"alg":"dir","enc":"A256GCM"}"#)
        let keys = try (0..<5).map { number in
            try DecryptionKey(
                secret: number == 3 ? JWEFixture.secret(32) : .generate(), algorithm: .direct,
                keyID: "\(number)")
        }
        #expect(try JWEDecrypter(keys: Array(keys.prefix(4))).decrypt(token).keyID == "3")
        #expect(throws: TokenError(.ambiguousKey, "")) {
            try JWEDecrypter(keys: keys).decrypt(token)
        }
    }

    @Test("Nothing secret is printed")
    func printing() throws {
        let key = try DecryptionKey(secret: JWEFixture.secret(32), algorithm: .direct, keyID: "k")
        let token = try JWEFixture.directToken(header: #"{"alg":"dir","enc":"A256GCM"}"#)
        let opened = try Self.decrypter().decrypt(token)
        var dumped = ""
        dump(key, to: &dumped)
        dump(opened, to: &dumped)
        dumped += "\(key) \(opened)"
        let secret = Base64URL.encode(JWEFixture.secretBytes.prefix(32))
        for text in ["hello", secret, "\(Array("hello".utf8))"] {
            #expect(!dumped.contains(text), "\(text)")
        }
    }
}
