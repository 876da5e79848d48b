// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// The parts of a new slot.
public struct NewKeySlot: Sendable {
    /// The kind of the key.
    public let kind: KeySlot.Kind
    /// The parameters in the file, in the layout of the kind.
    public let parameters: [UInt8]
    /// The key, 32 bytes.
    public let keyEncryptionKey: SecretKey

    /// Makes a new slot from its parts.
    public init(kind: KeySlot.Kind, parameters: [UInt8], keyEncryptionKey: SecretKey) {
        self.kind = kind
        self.parameters = parameters
        self.keyEncryptionKey = keyEncryptionKey
    }
}
