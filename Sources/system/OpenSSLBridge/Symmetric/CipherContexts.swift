// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The cipher contexts of a key and a cipher, for one caller at a time. Making them and expanding
/// the key takes longer than sealing a short message.
///
/// Idle contexts are in the pool of the key's storage and are wiped with it. An operation takes its
/// context out and puts it back when it is done; after a failure of libcrypto it is freed. Nothing
/// here is kept for a later nonce.
///
/// `@unchecked Sendable`: one caller holds it, or it is idle.
final class CipherContexts: @unchecked Sendable {
    private let cipher: AEAD
    // Only one caller has this object, so the runtime's check is off.
    @exclusivity(unchecked) var seal: CipherContext?
    @exclusivity(unchecked) var open: CipherContext?
    /// Derives the keys of XAES.
    @exclusivity(unchecked) private var idleDerivation: XAESDerivation?

    private init(_ cipher: AEAD) { self.cipher = cipher }

    /// Idle contexts of `key`, or new ones. A key normally has one cipher: contexts for the second
    /// cipher, which hold a different key, are freed.
    static func taken(from key: SecretStorage, for cipher: AEAD) -> CipherContexts {
        if let taken = key.contexts.take(CipherContexts.self), taken.cipher == cipher {
            return taken
        }
        return CipherContexts(cipher)
    }

    /// A context with its key and its nonce.
    ///
    /// - Parameters:
    ///   - kept: the context to use again; nil makes a new context.
    ///   - nonce: as long as the cipher's.
    func initialised(
        _ kept: consuming CipherContext?, key: SecretStorage, nonce: UnsafePointer<UInt8>,
        sealing: Bool
    ) throws(OpenSSLFailure) -> CipherContext {
        switch cipher {
        case .gcm:
            if let kept {
                try unsafe GCM.initialise(
                    kept.pointer, type: nil, key: nil, nonce: nonce, sealing: sealing)
                return kept
            }
            let type = try unsafe GCM.cipher(keyByteCount: key.count)
            let made = try CipherContext()
            try unsafe GCM.initialise(
                made.pointer, type: type, key: key.start, nonce: nonce, sealing: sealing)
            return made
        case .xaes:
            let derivation: XAESDerivation
            if let idle = unsafe idleDerivation.take() {
                derivation = idle
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
            // The key for the nonce's first half; its second half is GCM's own nonce.
            try unsafe derivation.withDerivedKey(nonce: nonce) { (derived) throws(OpenSSLFailure) in
                try unsafe GCM.initialise(
                    pointer, type: type, key: derived, nonce: nonce + GCM.nonceByteCount,
                    sealing: sealing
                )
            }
            unsafe idleDerivation = consume derivation
            return context
        }
    }
}
