// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetVault

/// A key that seals items, and the keys derived from it. A store's ring usually has a single key;
/// it has more if two programs made the first item at the same moment.
final class RingKey: Sendable {
    /// Seals metadata and values; its name is the key's name in the attributes.
    let data: VaultKey
    private let names: MACKey

    init(_ master: SecretKey, of identity: StoreIdentity) throws(StoreError) {
        let store = try identity.octets()
        names = try MACKey.vault(
            VaultKey.derive(
                master, label: "SIGNET secret-service names", context: store,
                count: VaultFormat.keyByteCount)
        )
        data = try VaultKey(
            VaultKey.derive(
                master, label: "SIGNET secret-service data", context: store,
                count: VaultFormat.keyByteCount),
            vaultID: store)
    }

    /// 16 octets that identify the key.
    var id: [UInt8] { data.id }

    /// 32 octets that identify an item without revealing its names.
    func itemID(_ key: ItemKey) throws(StoreError) -> [UInt8] {
        try names.nameCode(
            .item,
            parts: [
                key.itemClass.rawValue.utf8, key.accessGroup.utf8, key.service.utf8,
                key.account.utf8,
            ])
    }

    /// 16 octets that the items of a service and access group have in common.
    func group(service: String, accessGroup: String) throws(StoreError) -> [UInt8] {
        Array(try names.nameCode(.group, parts: [accessGroup.utf8, service.utf8]).prefix(16))
    }
}

/// The keys of a store, as they are in the keyring at this moment.
struct SealingRing: Sendable {
    /// Ascending by their names.
    let keys: [RingKey]
    /// Whether a key may be locked: then no item counts as absent, and nothing is written.
    let isIncomplete: Bool

    /// The key that all writers use once they see the same ring.
    var writing: RingKey? { keys.first }

    func key(id: [UInt8]) -> RingKey? { keys.first { $0.id == id } }
}
