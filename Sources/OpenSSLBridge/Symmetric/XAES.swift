// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// XAES-256-GCM (C2SP): AES-256-GCM under a key that is derived for the first half of a 24-byte nonce.
///
/// The context of GCM is used again from message to message. It is given a new key each time; the last of them stays
/// in it until the next message or until the key that it was derived from goes, which tells as much.
package enum XAES {
    private static var nonceByteCount: Int { XAESKeySchedule.nonceByteCount }

    /// Nonce, ciphertext and tag.
    package static func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        try check(key)
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        try GCM.checkPlaintext(plaintext.count)
        return try unsafe newBytes(count: nonceByteCount + plaintext.count + GCM.tagByteCount) {
            (base) throws(OpenSSLFailure) in
            unsafe nonce.withBase { unsafe base.update(from: $0, count: $1) }
            try unsafe seal(plaintext, key: key, behind: base, authenticating: data)
        }
    }

    /// Nonce, ciphertext and tag, under a new random nonce.
    package static func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        try check(key)
        try GCM.checkPlaintext(plaintext.count)
        return try unsafe newBytes(count: nonceByteCount + plaintext.count + GCM.tagByteCount) {
            (base) throws(OpenSSLFailure) in
            try unsafe fillWithRandomBytes(base, count: nonceByteCount)
            try unsafe seal(plaintext, key: key, behind: base, authenticating: data)
        }
    }

    package static func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        try check(key)
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        return try unsafe newBytes(count: GCM.plaintextByteCount(of: ciphertextAndTag)) {
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
        try check(key)
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        let count = try GCM.plaintextByteCount(of: ciphertextAndTag)
        return try unsafe SecretStorage(count: count) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else { return }
            try unsafe nonce.withBase { (nonce, _) throws(OpenSSLFailure) in
                try unsafe open(
                    ciphertextAndTag, key: key, nonce: nonce, to: base, authenticating: data)
            }
        }
    }

    // MARK: Pieces

    private static func check(_ key: SecretStorage) throws(OpenSSLFailure) {
        guard key.count == XAESKeySchedule.keyByteCount else {
            throw OpenSSLFailure(.invalidLength, "key")
        }
    }

    /// Writes ciphertext and tag behind the nonce, which is at `nonce` already.
    private static func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, behind nonce: UnsafeMutablePointer<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        let lease = CipherLease(key)
        let context = try unsafe initialised(
            lease.ciphers.pointee.derivedSeal.take(), key, lease, nonce, sealing: true)
        try unsafe GCM.seal(
            plaintext, with: context.pointer, to: nonce + nonceByteCount, authenticating: data)
        unsafe lease.ciphers.pointee.derivedSeal = consume context
    }

    private static func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: UnsafePointer<UInt8>,
        to base: UnsafeMutablePointer<UInt8>, authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        let lease = CipherLease(key)
        let context = try unsafe initialised(
            lease.ciphers.pointee.derivedOpen.take(), key, lease, nonce, sealing: false)
        do throws(OpenSSLFailure) {
            try unsafe GCM.open(
                ciphertextAndTag, with: context.pointer, to: base, authenticating: data)
        } catch {
            // A message that is not authentic costs no context: the next key and nonce set back what it left behind.
            if error.kind == .authentication {
                unsafe lease.ciphers.pointee.derivedOpen = consume context
            }
            throw error
        }
        unsafe lease.ciphers.pointee.derivedOpen = consume context
    }

    /// A context with the key for the nonce's first half and with its second half for a nonce.
    private static func initialised(
        _ kept: consuming CipherContext?, _ key: SecretStorage, _ lease: borrowing CipherLease,
        _ nonce: UnsafePointer<UInt8>, sealing: Bool
    ) throws(OpenSSLFailure) -> CipherContext {
        let derivation: XAESDerivation
        if let known = unsafe lease.ciphers.pointee.derivation.take() {
            derivation = known
        } else {
            derivation = try XAESDerivation(key)
        }
        let context: CipherContext
        let type: OpaquePointer?
        if let kept {
            context = kept
            unsafe type = nil
        } else {
            context = try CipherContext()
            unsafe type = try GCM.cipher(keyByteCount: XAESKeySchedule.keyByteCount)
        }
        let pointer = unsafe context.pointer
        try unsafe derivation.withDerivedKey(nonce: nonce) { (derived) throws(OpenSSLFailure) in
            try unsafe GCM.initialise(
                pointer, type, key: derived, nonce: nonce + GCM.nonceByteCount, sealing: sealing)
        }
        unsafe lease.ciphers.pointee.derivation = consume derivation
        return context
    }
}
