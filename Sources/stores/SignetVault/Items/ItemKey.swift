// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The name of an item: class, access group, service and account. A store has at most one item with
/// a given key.
///
/// Texts are compared by their UTF-8 octets, without normalisation. The key is visible to any
/// holder of the unlocked store, and not readable in the file.
public struct ItemKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The kind of secret.
    public let itemClass: ItemClass
    /// Separates the items of several programs in a store; empty by default. At most 255 octets.
    public let accessGroup: String
    /// The program or service of the secret, 1 to 1,024 octets.
    public let service: String
    /// The account of the secret, 0 to 1,024 octets.
    public let account: String

    /// Makes a key from its parts. Lengths are checked on use: a store rejects a key with
    /// `invalidItem`.
    public init(
        service: String, account: String, itemClass: ItemClass = .generic, accessGroup: String = ""
    ) {
        self.itemClass = itemClass
        self.accessGroup = accessGroup
        self.service = service
        self.account = account
    }

    /// A password for an account on a server.
    public static func internet(server: String, account: String) -> ItemKey {
        ItemKey(service: server, account: account, itemClass: .internet)
    }

    /// An access, refresh or session token.
    public static func token(service: String, account: String) -> ItemKey {
        ItemKey(service: service, account: account, itemClass: .token)
    }

    /// A symmetric or private key.
    public static func key(service: String, name: String) -> ItemKey {
        ItemKey(service: service, account: name, itemClass: .key)
    }

    /// A certificate or a chain of certificates.
    public static func certificate(service: String, name: String) -> ItemKey {
        ItemKey(service: service, account: name, itemClass: .certificate)
    }

    /// The same key in an access group.
    public func inAccessGroup(_ accessGroup: String) -> ItemKey {
        ItemKey(service: service, account: account, itemClass: itemClass, accessGroup: accessGroup)
    }

    /// Equal if all four parts have the same octets.
    public static func == (a: ItemKey, b: ItemKey) -> Bool {
        a.itemClass == b.itemClass && a.accessGroup.hasSameOctets(as: b.accessGroup)
            && a.service.hasSameOctets(as: b.service) && a.account.hasSameOctets(as: b.account)
    }

    /// Orders by access group, service, class and account, each by its octets. Within a service
    /// this is the order of ``SecureStore/list(service:itemClass:accessGroup:)``.
    public static func < (a: ItemKey, b: ItemKey) -> Bool {
        if !a.accessGroup.hasSameOctets(as: b.accessGroup) {
            return a.accessGroup.precedesByOctets(b.accessGroup)
        }
        if !a.service.hasSameOctets(as: b.service) { return a.service.precedesByOctets(b.service) }
        if a.itemClass != b.itemClass {
            return a.itemClass.rawValue.precedesByOctets(b.itemClass.rawValue)
        }
        return a.account.precedesByOctets(b.account)
    }

    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(itemClass)
        for text in [accessGroup, service, account] { text.hashOctets(into: &hasher) }
    }

    /// For people: class, service and account, and the access group if there is one. Control
    /// characters are shown as U+FFFD.
    public var description: String {
        let group = accessGroup.isEmpty ? "" : " (\(accessGroup))"
        return "\(itemClass) \(service)/\(account)\(group)".withoutObeyed
    }
}
