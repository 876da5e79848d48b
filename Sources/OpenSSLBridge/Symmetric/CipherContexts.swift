// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The cipher contexts of one key and one way of sealing, for one caller at a time. To make them
/// and to expand the key takes longer than to seal a short message.
///
/// They are idle in the pool of the key's storage and are wiped with it. An operation takes its
/// context out and puts it back when it is done: one with which libcrypto failed is freed. Nothing
/// here is kept for a later nonce.
///
/// `@unchecked Sendable`: it is with the one caller that took it, or idle.
final class CipherContexts: @unchecked Sendable {
    private let cipher: AEAD
    // One caller has it, hence no second look at that by the runtime.
    @exclusivity(unchecked) var seal: CipherContext?
    @exclusivity(unchecked) var open: CipherContext?
    /// What derives the keys of XAES.
    @exclusivity(unchecked) private var derivation: XAESDerivation?

    private init(_ cipher: AEAD) { self.cipher = cipher }

    /// Those of `key` that are idle, or new ones. A key is used in one way as a rule: contexts of
    /// the other, which hold another key, are freed.
    static func taken(from key: SecretStorage, for cipher: AEAD) -> CipherContexts {
        if let taken = key.contexts.take(CipherContexts.self), taken.cipher == cipher {
            return taken
        }
        return CipherContexts(cipher)
    }

    /// A context with its key and its nonce.
    ///
    /// - Parameters:
    ///   - kept: one of these contexts; nil makes one.
    ///   - nonce: as long as the cipher's.
    func initialised(
        _ kept: consuming CipherContext?, _ key: SecretStorage, nonce: UnsafePointer<UInt8>,
        sealing: Bool
    ) throws(OpenSSLFailure) -> CipherContext {
        switch cipher {
        case .gcm:
            if let kept {
                try unsafe GCM.initialise(
                    kept.pointer, nil, key: nil, nonce: nonce, sealing: sealing)
                return kept
            }
            let type = try unsafe GCM.cipher(keyByteCount: key.count)
            let made = try CipherContext()
            try unsafe GCM.initialise(
                made.pointer, type, key: key.start, nonce: nonce, sealing: sealing)
            return made
        case .xaes:
            let derivation: XAESDerivation
            if let known = unsafe self.derivation.take() {
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
            // The key for the nonce's first half; its second half is GCM's own nonce.
            try unsafe derivation.withDerivedKey(nonce: nonce) { (derived) throws(OpenSSLFailure) in
                try unsafe GCM.initialise(
                    pointer, type, key: derived, nonce: nonce + GCM.nonceByteCount, sealing: sealing
                )
            }
            unsafe self.derivation = consume derivation
            return context
        }
    }
}
