// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Sealing and opening with a key that keeps its contexts: the expanded key is used again, the nonce never.
extension GCM {
    /// As the form for a key in hand.
    package static func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>, prefix: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        try checkPlaintext(plaintext.count)
        return try unsafe newBytes(count: prefix.count + plaintext.count + tagByteCount) {
            (base) throws(OpenSSLFailure) in
            unsafe prefix.withBase { unsafe base.update(from: $0, count: $1) }
            try unsafe nonce.withBase { (nonce, _) throws(OpenSSLFailure) in
                try unsafe seal(
                    plaintext, key: key, nonce: nonce, to: base + prefix.count, authenticating: data
                )
            }
        }
    }

    /// Nonce, ciphertext and tag, under a new random nonce.
    package static func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        try checkPlaintext(plaintext.count)
        return try unsafe newBytes(count: nonceByteCount + plaintext.count + tagByteCount) {
            (base) throws(OpenSSLFailure) in
            try unsafe fillWithRandomBytes(base, count: nonceByteCount)
            try unsafe seal(
                plaintext, key: key, nonce: base, to: base + nonceByteCount, authenticating: data)
        }
    }

    /// As the form for a key in hand.
    package static func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        return try unsafe newBytes(count: plaintextByteCount(of: ciphertextAndTag)) {
            (base) throws(OpenSSLFailure) in
            try unsafe nonce.withBase { (nonce, _) throws(OpenSSLFailure) in
                try unsafe open(
                    ciphertextAndTag, key: key, nonce: nonce, to: base, authenticating: data)
            }
        }
    }

    /// As ``open(_:key:nonce:authenticating:)``, with the plaintext in storage that is wiped.
    package static func openSecret(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> SecretStorage {
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        let count = try plaintextByteCount(of: ciphertextAndTag)
        return try unsafe SecretStorage(count: count) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else { return }
            try unsafe nonce.withBase { (nonce, _) throws(OpenSSLFailure) in
                try unsafe open(
                    ciphertextAndTag, key: key, nonce: nonce, to: base, authenticating: data)
            }
        }
    }

    // MARK: Pieces

    private static func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, nonce: UnsafePointer<UInt8>,
        to base: UnsafeMutablePointer<UInt8>, authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        let lease = CipherLease(key)
        let context = try unsafe initialised(
            lease.ciphers.pointee.seal.take(), key, nonce, sealing: true)
        try unsafe seal(plaintext, with: context.pointer, to: base, authenticating: data)
        unsafe lease.ciphers.pointee.seal = consume context
    }

    private static func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: UnsafePointer<UInt8>,
        to base: UnsafeMutablePointer<UInt8>, authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        let lease = CipherLease(key)
        let context = try unsafe initialised(
            lease.ciphers.pointee.open.take(), key, nonce, sealing: false)
        do throws(OpenSSLFailure) {
            try unsafe open(ciphertextAndTag, with: context.pointer, to: base, authenticating: data)
        } catch {
            // A message that is not authentic costs no context: the next nonce sets back what it left behind.
            if error.kind == .authentication { unsafe lease.ciphers.pointee.open = consume context }
            throw error
        }
        unsafe lease.ciphers.pointee.open = consume context
    }

    private static func initialised(
        _ kept: consuming CipherContext?, _ key: SecretStorage, _ nonce: UnsafePointer<UInt8>,
        sealing: Bool
    ) throws(OpenSSLFailure) -> CipherContext {
        if let kept {
            try unsafe initialise(kept.pointer, nil, key: nil, nonce: nonce, sealing: sealing)
            return kept
        }
        let type = try unsafe cipher(keyByteCount: key.count)
        let made = try CipherContext()
        try unsafe initialise(made.pointer, type, key: key.start, nonce: nonce, sealing: sealing)
        return made
    }
}
