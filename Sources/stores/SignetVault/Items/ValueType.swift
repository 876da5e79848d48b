// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The type of a value's bytes. It is stored with the item, so a value is not read as something
/// else.
public struct ValueType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stored text, 1 to 64 octets.
    public let rawValue: String

    /// A custom type, or a type defined below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Any bytes.
    public static let bytes = ValueType(rawValue: "bytes")
    /// UTF-8 text.
    public static let string = ValueType(rawValue: "string")
    /// A `Codable` value as JSON.
    public static let json = ValueType(rawValue: "json")
    /// A symmetric key, raw, 1 to 4,096 bytes.
    public static let symmetricKey = ValueType(rawValue: "key.symmetric")
    /// An Ed25519 seed, 32 bytes.
    public static let ed25519PrivateKey = ValueType(rawValue: "key.ed25519")
    /// A private scalar on P-256, 32 bytes.
    public static let p256PrivateKey = ValueType(rawValue: "key.p256")
    /// A private scalar on P-384, 48 bytes.
    public static let p384PrivateKey = ValueType(rawValue: "key.p384")
    /// A private scalar on P-521, 66 bytes.
    public static let p521PrivateKey = ValueType(rawValue: "key.p521")
    /// An RSA private key: PrivateKeyInfo (RFC 5208) in DER, not encrypted again.
    public static let rsaPrivateKey = ValueType(rawValue: "key.rsa")

    /// Equal if the texts have the same octets.
    public static func == (a: ValueType, b: ValueType) -> Bool {
        a.rawValue.hasSameOctets(as: b.rawValue)
    }

    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) { rawValue.hashOctets(into: &hasher) }

    /// The text, with control characters shown as U+FFFD.
    public var description: String { rawValue.withoutObeyed }
}
