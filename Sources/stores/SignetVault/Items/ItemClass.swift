// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The kind of secret. It is part of the item's identity: an account may have an item of each
/// class.
public struct ItemClass: RawRepresentable, Hashable, Sendable, CaseIterable, CustomStringConvertible
{
    /// The stored text.
    public let rawValue: String

    /// A class from its text; nil if no class of ``allCases`` has it.
    public init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = known
    }

    private init(known: String) { rawValue = known }

    /// Any secret: a password, or a set of settings.
    public static let generic = ItemClass(known: "generic")
    /// A password for a service on the network.
    public static let internet = ItemClass(known: "internet")
    /// An access, refresh or session token.
    public static let token = ItemClass(known: "token")
    /// A symmetric or private key.
    public static let key = ItemClass(known: "key")
    /// A certificate or a chain of certificates.
    public static let certificate = ItemClass(known: "certificate")

    /// All classes of version 1.
    public static let allCases: [ItemClass] = [.generic, .internet, .token, .key, .certificate]

    /// The text.
    public var description: String { rawValue }
}
