// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension Check {
    /// HMAC: a published tag against a key and a message.
    static func mac(_ hash: HashAlgorithm, key: [UInt8], message: [UInt8], tag: [UInt8]) -> Body {
        crypto { () throws(CryptographyError) in
            let mac = try MACKey(SecretKey(copying: key), hash: hash)
            let code = try mac.authenticationCode(for: message)
            guard tag.count <= code.count, !tag.isEmpty else {
                return .rejected(
                    .malformed, "the tag has \(tag.count) bytes instead of 1 to \(code.count)")
            }
            let isWhole = tag.count == code.count
            // The interface accepts only whole tags: a truncated one must be rejected, even if it
            // is correct.
            if !isWhole, try mac.isValid(tag, for: message) {
                return .differed("a truncated tag was accepted")
            }
            guard ConstantTime.areEqual(code.prefix(tag.count), tag) else {
                if isWhole, try mac.isValid(tag, for: message) {
                    return .differed("a wrong tag was accepted")
                }
                return .rejected(.authentication, "the tag is another one")
            }
            if isWhole, try !mac.isValid(tag, for: message) {
                return .differed("the right tag was not accepted")
            }
            if try mac.isValid(code.altered, for: message) {
                return .differed("a changed tag was accepted")
            }
            return .accepted
        }
    }

    /// AES-GCM and XAES-256-GCM: opening, sealing with the stated nonce, and rejecting a changed
    /// tag.
    ///
    /// - Parameters:
    ///   - plaintext: nil if opening must fail and the publisher gives none.
    ///   - ciphertext: with the tag.
    static func sealing(
        _ algorithm: any SealingAlgorithm.Type, key: [UInt8], nonce: [UInt8], data: [UInt8],
        plaintext: [UInt8]?, ciphertext: [UInt8]
    ) -> Body {
        crypto { () throws(CryptographyError) in
            let key = SecretKey(copying: key)
            let sealed = nonce + ciphertext
            guard nonce.count == algorithm.nonceByteCount else {
                // The nonce must be refused, not cut or padded. Nor may the whole open because it
                // is split at another place.
                if (try? algorithm.open(sealed, using: key, authenticating: data)) != nil {
                    return .differed(
                        "it opened with a nonce of \(nonce.count) bytes instead of \(algorithm.nonceByteCount)"
                    )
                }
                _ = try algorithm.seal(
                    plaintext ?? [], using: key, nonce: nonce, authenticating: data)
                return .accepted
            }
            let opened = try algorithm.open(sealed, using: key, authenticating: data)
            guard let plaintext else { return .differed("it opened, and no plaintext is stated") }
            guard opened == plaintext else { return .differed("another plaintext came out") }
            guard
                try algorithm.seal(plaintext, using: key, nonce: nonce, authenticating: data)
                    == sealed
            else {
                return .differed("another ciphertext came out")
            }
            if (try? algorithm.open(sealed.altered, using: key, authenticating: data)) != nil {
                return .differed("it opened with a changed tag")
            }
            return .accepted
        }
    }

    /// The content encryptions of JWE, with the tag apart.
    static func content(
        _ encryption: ContentEncryption, key: [UInt8], nonce: [UInt8], data: [UInt8],
        plaintext: [UInt8]?, ciphertext: [UInt8], tag: [UInt8]
    ) -> Body {
        crypto { () throws(CryptographyError) in
            let key = SecretKey(copying: key)
            func open(_ tag: [UInt8]) throws(CryptographyError) -> [UInt8] {
                try encryption.open(
                    ciphertext.span, tag: tag.span, using: key, nonce: nonce.span,
                    authenticating: data.span)
            }
            let opened = try open(tag)
            guard let plaintext else { return .differed("it opened, and no plaintext is stated") }
            guard opened == plaintext else { return .differed("another plaintext came out") }
            let sealed = try encryption.seal(
                plaintext.span, using: key, nonce: nonce, authenticating: data.span)
            guard sealed == nonce + ciphertext + tag else {
                return .differed("another ciphertext came out")
            }
            if (try? open(tag.altered)) != nil { return .differed("it opened with a changed tag") }
            return .accepted
        }
    }
}
