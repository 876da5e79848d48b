// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetVault

/// One key that items are sealed with, and what is derived from it. The ring of a store usually has one; it has more when two programs
/// made the first item at the same moment.
final class RingKey: Sendable {
    /// What is kept in the keyring, or what the program gave.
    let master: SecretKey
    /// Seals metadata and values; its name is the key's name in the attributes.
    let data: VaultKey
    private let names: MACKey

    init(_ master: SecretKey, of identity: StoreIdentity) throws(StoreError) {
        let store = try identity.octets()
        self.master = master
        do throws(CryptoError) {
            names = try MACKey(
                KeyDerivation.hkdfExpand(
                    master, info: Array("SIGNET secret-service names".utf8) + store, byteCount: 32),
                hash: .sha256)
            data = try Self.dataKey(master, store)
        } catch {
            throw .sealing(error)
        }
    }

    private static func dataKey(_ master: SecretKey, _ store: [UInt8]) throws(CryptoError)
        -> VaultKey
    {
        let key = try KeyDerivation.hkdfExpand(
            master, info: Array("SIGNET secret-service data".utf8) + store, byteCount: 32)
        do throws(StoreError) {
            return try VaultKey(key, vaultID: store)
        } catch {
            throw CryptoError(.libraryFailure, error.message)
        }
    }

    /// 16 octets that tell which key it is.
    var id: [UInt8] { data.id }

    /// 32 octets that name an item and tell nothing of its names.
    func itemID(_ key: ItemKey) throws(StoreError) -> [UInt8] {
        try code(1, [key.itemClass.rawValue, key.accessGroup, key.service, key.account])
    }

    /// 16 octets that items of one service and access group have in common.
    func group(service: String, accessGroup: String) throws(StoreError) -> [UInt8] {
        Array(try code(2, [accessGroup, service]).prefix(16))
    }

    private func code(_ purpose: UInt8, _ texts: [String]) throws(StoreError) -> [UInt8] {
        var message = [purpose]
        for text in texts {
            let count = UInt32(truncatingIfNeeded: text.utf8.count)
            for shift in [24, 16, 8, 0] as [UInt32] {
                message.append(UInt8(truncatingIfNeeded: count >> shift))
            }
            message.append(contentsOf: text.utf8)
        }
        do throws(CryptoError) {
            return try names.authenticationCode(for: message)
        } catch {
            throw .sealing(error)
        }
    }
}

/// The keys of a store, as they are in the keyring at this moment.
struct SealingRing: Sendable {
    /// Ascending by their names.
    let keys: [RingKey]
    /// Some key may be behind a lock: nothing can be called absent, and nothing is written.
    let isIncomplete: Bool

    /// What all writers seal with, as soon as they see the same ring.
    var writing: RingKey? { keys.first }

    func key(id: [UInt8]) -> RingKey? { keys.first { $0.id == id } }
}
