// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A row of the ring: a key, sealed under the root key's wrapping key.
package struct RingRow: Sendable, Hashable {
    /// The key's name, 16 octets.
    package let keyID: [UInt8]
    /// The sealed key, 73 octets.
    package let sealed: [UInt8]

    /// A row as it was read.
    package init(keyID: [UInt8], sealed: [UInt8]) throws(StoreError) {
        // column  size  field (VAULT-FORMAT.md, "ring")
        //    kid    16  kid of the key
        //      b    73  the sealed key: nonce (24), ciphertext (33), tag (16)
        guard keyID.count == VaultFormat.keyIDByteCount else {
            throw .damaged(
                "key ring",
                problem:
                    "a kid has \(keyID.count) bytes instead of \(VaultFormat.keyIDByteCount)")
        }
        guard sealed.count == VaultFormat.ringByteCount else {
            throw .damaged(
                "key ring",
                problem: "a row has \(sealed.count) bytes instead of \(VaultFormat.ringByteCount)")
        }
        self.keyID = keyID
        self.sealed = sealed
    }
}
