// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetMemory

/// Authenticated encryption as `nonce ‖ ciphertext ‖ tag`. It reuses the expanded key, never a
/// nonce.
package enum AEAD: Sendable {
    /// AES-128/192/256-GCM (NIST SP 800-38D) with a 96-bit nonce and a 128-bit tag, nothing else.
    case gcm
    /// XAES-256-GCM (C2SP): AES-256-GCM under a key derived from the first half of a 24-byte nonce.
    /// The GCM context keeps the latest derived key until the next message or until the parent key
    /// is freed.
    case xaes

    // Computed rather than stored: a stored constant made from another constant is initialised on
    // first use, behind a lock.
    package static var tagByteCount: Int { 16 }
    /// SP 800-38D, section 5.2.1.1: 2^39 - 256 bits of plaintext, in bytes.
    package static var maximumPlaintextByteCount: Int { (1 << 36) - 32 }

    package var nonceByteCount: Int {
        switch self {
        case .gcm: GCM.nonceByteCount
        case .xaes: XAESKeySchedule.nonceByteCount
        }
    }

    /// Nonce, ciphertext and tag.
    package func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        return try unsafe seal(plaintext, key: key, authenticating: data) { base in
            unsafe nonce.withBase { unsafe base.update(from: $0, count: $1) }
        }
    }

    /// Nonce, ciphertext and tag, under a new random nonce.
    package func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        try unsafe seal(plaintext, key: key, authenticating: data) {
            (base) throws(OpenSSLFailure) in
            try unsafe fillWithRandomBytes(base, count: nonceByteCount)
        }
    }

    /// The plaintext of `ciphertext` followed by its tag. Nothing is returned unless the tag
    /// matches.
    package func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let count = try plaintextByteCount(ciphertextAndTag)
        return try open(
            ciphertextAndTag.extracting(first: count),
            tag: ciphertextAndTag.extracting(droppingFirst: count), key: key, nonce: nonce,
            authenticating: data)
    }

    /// The same with the tag apart.
    @inline(__always)
    package func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        try unsafe newBytes(count: ciphertext.count) { (base) throws(OpenSSLFailure) in
            try unsafe open(
                ciphertext, tag: tag, key: key, nonce: nonce, authenticating: data, to: base)
        }
    }

    /// Like ``open(_:key:nonce:authenticating:)``, with the plaintext in storage that is wiped.
    package func openSecret(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> SecretStorage {
        let count = try plaintextByteCount(ciphertextAndTag)
        return try unsafe SecretStorage(count: count) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else {
                throw OpenSSLFailure(.noMemory, "plaintext")
            }
            try unsafe open(
                ciphertextAndTag.extracting(first: count),
                tag: ciphertextAndTag.extracting(droppingFirst: count), key: key, nonce: nonce,
                authenticating: data, to: base)
        }
    }

    // MARK: Pieces

    @inline(__always)
    private func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, authenticating data: Span<UInt8>,
        putNonce: (UnsafeMutablePointer<UInt8>) throws(OpenSSLFailure) -> Void
    ) throws(OpenSSLFailure) -> [UInt8] {
        guard plaintext.count <= Self.maximumPlaintextByteCount else {
            throw OpenSSLFailure(.invalidLength, "plaintext")
        }
        return try unsafe newBytes(count: nonceByteCount + plaintext.count + Self.tagByteCount) {
            (base) throws(OpenSSLFailure) in
            try unsafe putNonce(base)
            let contexts = CipherContexts.taken(from: key, for: self)
            defer { key.contexts.giveBack(contexts) }
            let context = try unsafe contexts.initialised(
                unsafe contexts.seal.take(), key: key, nonce: base, sealing: true)
            try unsafe GCM.seal(
                plaintext, with: context.pointer, to: base + nonceByteCount, authenticating: data)
            unsafe contexts.seal = consume context
        }
    }

    /// Writes the plaintext to `base`, which has room for it.
    private func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>, to base: UnsafeMutablePointer<UInt8>
    ) throws(OpenSSLFailure) {
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        guard tag.count == Self.tagByteCount, ciphertext.count <= Self.maximumPlaintextByteCount
        else { throw OpenSSLFailure(.authentication, "length") }
        let contexts = CipherContexts.taken(from: key, for: self)
        defer { key.contexts.giveBack(contexts) }
        try unsafe nonce.withBase { (nonce, _) throws(OpenSSLFailure) in
            let context = try unsafe contexts.initialised(
                unsafe contexts.open.take(), key: key, nonce: nonce, sealing: false)
            do throws(OpenSSLFailure) {
                try unsafe GCM.open(
                    ciphertext, tag: tag, with: context.pointer, to: base, authenticating: data)
            } catch {
                // The context survives a message that is not authentic: the next nonce resets it.
                if error.kind == .authentication { unsafe contexts.open = consume context }
                throw error
            }
            unsafe contexts.open = consume context
        }
    }

    /// - Throws: `authentication` if the input is shorter than a tag.
    @inline(__always)
    private func plaintextByteCount(
        _ ciphertextAndTag: Span<UInt8>
    ) throws(OpenSSLFailure) -> Int {
        let count = ciphertextAndTag.count - Self.tagByteCount
        guard count >= 0 else { throw OpenSSLFailure(.authentication, "length") }
        return count
    }
}
