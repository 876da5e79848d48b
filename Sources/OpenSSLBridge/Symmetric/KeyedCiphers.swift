// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One context of a cipher with its key. `@unchecked Sendable`: it is with the one caller that took it, or idle.
final class KeyedCipher: @unchecked Sendable {
    let context: CipherContext

    init(_ context: consuming CipherContext) { self.context = context }
}

/// The cipher contexts of one key. To make one and to expand the key takes longer than to seal a short message.
///
/// They belong to the key's storage: what they hold of the key is wiped when the key is. A context comes back only after
/// its operation has succeeded; any other is dropped, and wiped and freed with that.
final class KeyedCiphers: Sendable {
    /// AES-GCM under the key itself.
    let seal = IdleContexts<KeyedCipher>()
    let open = IdleContexts<KeyedCipher>()
    /// AES under the key of XAES, and AES-GCM under the keys that it derives.
    let derivation = IdleContexts<KeyedCipher>()
    let derivedSeal = IdleContexts<KeyedCipher>()
    let derivedOpen = IdleContexts<KeyedCipher>()
}
