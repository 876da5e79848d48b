// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A key slot as the file has it. It holds no secret.
public struct KeySlot: Hashable, Sendable {
    /// The kind of a slot's key. The numbers are the format's (Documentation/VAULT-FORMAT.md).
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The number in the file.
        public let rawValue: UInt8

        /// A kind from its number.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A passphrase, by scrypt.
        public static let scrypt = Kind(rawValue: 1)
        /// A passphrase, by Argon2id.
        public static let argon2id = Kind(rawValue: 2)
        /// A passphrase, by PBKDF2 with HMAC-SHA-256.
        public static let pbkdf2 = Kind(rawValue: 3)
        /// 32 bytes: a key file or a systemd credential.
        public static let rawKey = Kind(rawValue: 4)
        /// An item of the Secret Service.
        public static let secretService = Kind(rawValue: 6)
        /// A key that a callback unwraps (KMS, HSM).
        public static let external = Kind(rawValue: 7)
    }

    /// 16 bytes that identify the slot.
    public let id: [UInt8]
    /// 16 bytes that identify the vault.
    public let vaultID: [UInt8]
    /// The kind of its key.
    public let kind: Kind
    /// The parameters that the kind needs besides the secret; the format defines their layout.
    public let parameters: [UInt8]

    package init(id: [UInt8], vaultID: [UInt8], kind: Kind, parameters: [UInt8]) {
        self.id = id
        self.vaultID = vaultID
        self.kind = kind
        self.parameters = parameters
    }
}
