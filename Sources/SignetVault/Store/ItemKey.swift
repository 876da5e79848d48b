// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What names an item: class, access group, service and account. At most one item has a given key in a store.
///
/// Texts are compared by their UTF-8 octets, without normalisation. The key is no secret to whoever holds the unlocked
/// store, and is not readable in the file.
public struct ItemKey: Hashable, Sendable, CustomStringConvertible {
    /// The kind of secret.
    public let itemClass: ItemClass
    /// Separates items of several programs in one store; empty by default. At most 255 octets.
    public let accessGroup: String
    /// The program or the service that the secret is for, 1 to 1024 octets.
    public let service: String
    /// Whose secret it is, 0 to 1024 octets.
    public let account: String

    /// A key from its parts. Lengths are checked when it is used: a store refuses with `invalidItem`.
    public init(
        service: String, account: String, itemClass: ItemClass = .generic, accessGroup: String = ""
    ) {
        self.itemClass = itemClass
        self.accessGroup = accessGroup
        self.service = service
        self.account = account
    }

    /// Equal when all four are the same octets.
    public static func == (a: ItemKey, b: ItemKey) -> Bool {
        a.itemClass == b.itemClass && a.accessGroup.utf8.elementsEqual(b.accessGroup.utf8)
            && a.service.utf8.elementsEqual(b.service.utf8) && a.account.utf8.elementsEqual(b.account.utf8)
    }

    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(itemClass)
        for text in [accessGroup, service, account] {
            hasher.combine(text.utf8.count)
            for octet in text.utf8 { hasher.combine(octet) }
        }
    }

    /// For a person: class, service and account.
    public var description: String { "\(itemClass) \(service)/\(account)" }
}
