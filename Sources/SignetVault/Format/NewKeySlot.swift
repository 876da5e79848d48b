// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// What a new slot is made of.
public struct NewKeySlot: Sendable {
    /// Where the key comes from.
    public let kind: KeySlot.Kind
    /// What stands in the file, in the layout of the kind.
    public let parameters: [UInt8]
    /// The key, 32 bytes.
    public let keyEncryptionKey: SecretKey

    /// A new slot from its parts.
    public init(kind: KeySlot.Kind, parameters: [UInt8], keyEncryptionKey: SecretKey) {
        self.kind = kind
        self.parameters = parameters
        self.keyEncryptionKey = keyEncryptionKey
    }
}
