// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension WycheproofFile {
    /// A test made ready to run, with the name of its algorithm as the figures write it.
    typealias Ready = (algorithm: String, body: AuditCase.Body)

    func check(_ test: WycheproofTest, family: WycheproofFamily) throws(AuditError) -> Ready {
        switch family {
        case .mac: try mac(test)
        case .hkdf: try hkdf(test)
        case .pbkdf2: try pbkdf2(test)
        case .aead: try aead(test)
        case .keyWrap: try keyWrap(test)
        case .oaep: try oaep(test)
        case .agreement: try agreement(test)
        case .x25519: try x25519(test)
        case .x25519JWK: try x25519JWK(test)
        case .ecdsaRaw: try ecdsa(test, isDER: false)
        case .ecdsaDER: try ecdsa(test, isDER: true)
        case .ed25519: try ed25519(test)
        case .rsaVerify: try rsa(test, scheme: .pkcs1v15, hash: Self.offeredHash(test.group))
        case .rsaSign: try rsaSigning(test)
        case .pss:
            try rsa(
                test, scheme: .pss,
                hash: Self.hasOfferedPSSParameters(test.group) ? Self.offeredHash(test.group) : nil)
        case .jws: try token(test)
        case .jwe: try encryptedToken(test)
        case .jwk: try keySet(test)
        }
    }

    private func fileHash() throws(AuditError) -> HashAlgorithm {
        guard let hash = namedHash else {
            throw AuditError(.malformed, "\(shown: name) does not name a hash.")
        }
        return hash
    }

    private func mac(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let hash = try fileHash()
        let check = Check.mac(
            hash, key: try test.object.hexadecimal("key"),
            message: try test.object.hexadecimal("msg"),
            tag: try test.object.hexadecimal("tag"))
        return ("HMAC-\(hash.rawValue)", check)
    }

    private func hkdf(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let hash = try fileHash()
        let check = Check.hkdf(
            hash, input: try test.object.hexadecimal("ikm"),
            salt: try test.object.hexadecimal("salt"),
            info: try test.object.hexadecimal("info"), byteCount: try test.object.integer("size"),
            intermediate: nil, output: try test.object.hexadecimal("okm"))
        return ("HKDF-\(hash.rawValue)", check)
    }

    private func pbkdf2(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let hash = try fileHash()
        let check = Check.pbkdf2(
            hash, password: try test.object.hexadecimal("password"),
            salt: try test.object.hexadecimal("salt"),
            iterations: try test.object.integer("iterationCount"),
            byteCount: try test.object.integer("dkLen"), output: try test.object.hexadecimal("dk"))
        return ("PBKDF2-HMAC-\(hash.rawValue)", check)
    }

    private func aead(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let key = try test.object.hexadecimal("key")
        let nonce = try test.object.hexadecimal("iv")
        let data = try test.object.hexadecimal("aad")
        let plaintext = try test.object.hexadecimal("msg")
        let ciphertext = try test.object.hexadecimal("ct")
        let tag = try test.object.hexadecimal("tag")
        if let encryption = namedContentEncryption {
            let check = Check.content(
                encryption, key: key, nonce: nonce, data: data, plaintext: plaintext,
                ciphertext: ciphertext, tag: tag)
            return (encryption.rawValue, check)
        }
        let check = Check.sealing(
            AESGCM.self, key: key, nonce: nonce, data: data, plaintext: plaintext,
            ciphertext: ciphertext + tag)
        return ("AES-\(try test.group.integer("keySize"))-GCM", check)
    }
}
