// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
internal import SignetMemory

/// The root key, and the keys derived from it for an epoch of a vault. Each *slot* of the vault has
/// the root key, sealed for one way to unlock; an *epoch* is the time of a root key, from 1. The
/// names in VAULT-FORMAT.md:
///
///     RK      the root key, 32 random octets
///     kw      seals the ring: the vault's keys for items, which do not change with the root key
///     ks      seals state and buckets: the sums by which a missing or old item is noticed
///     kh      makes the code in the head, over the slots and the ring
///     commit  is in the head, and shows that the root key is the right one
package final class RootKeys: Sendable {
    /// RK, which is kept for new slots.
    package let root: SecretKey
    package let vaultID: [UInt8]
    package let epoch: UInt32
    /// kw
    package let wrap: VaultKey
    /// ks
    package let state: VaultKey
    package let commitment: [UInt8]
    /// kh
    private let headKey: MACKey

    /// The keys of an epoch.
    package init(root: SecretKey, vaultID: [UInt8], epoch: UInt32) throws(StoreError) {
        guard root.byteCount == VaultFormat.keyByteCount, epoch >= 1 else {
            throw StoreError(
                .invalidParameter,
                "A root key has \(VaultFormat.keyByteCount) bytes, and epochs begin at 1.")
        }
        try VaultFormat.requireVaultID(vaultID)
        self.root = root
        self.vaultID = vaultID
        self.epoch = epoch
        var context = vaultID
        context.appendBigEndian(epoch)
        wrap = try VaultKey(
            Self.derive(root, label: "SIGNETV1 wrap", context: context), vaultID: vaultID)
        state = try VaultKey(
            Self.derive(root, label: "SIGNETV1 state", context: context), vaultID: vaultID)
        commitment = try Self.derive(root, label: "SIGNETV1 commit", context: context)
            .withExposedBytes { $0.copied() }
        headKey = try MACKey.vault(Self.derive(root, label: "SIGNETV1 head", context: context))
    }

    private static func derive(
        _ root: SecretKey, label: String, context: [UInt8]
    ) throws(StoreError) -> SecretKey {
        try VaultKey.derive(root, label: label, context: context, count: VaultFormat.keyByteCount)
    }

    /// A new root key.
    package static func generate(vaultID: [UInt8], epoch: UInt32) throws(StoreError) -> RootKeys {
        try RootKeys(root: .newVaultKey(), vaultID: vaultID, epoch: epoch)
    }

    /// The head's code over its fields before the code (`front`), the slots and the ring.
    func headCode(_ front: [UInt8], slots: [SlotRecord], ring: [RingRow]) throws(StoreError)
        -> [UInt8]
    {
        var message = front
        for slot in slots.sorted(by: { $0.id.lexicographicallyPrecedes($1.id) }) {
            // The length and the bytes.
            message.appendPrefixed(slot.bytes)
        }
        message.append(UInt8(ascii: "|"))
        for row in ring.sorted(by: { $0.keyID.lexicographicallyPrecedes($1.keyID) }) {
            message.appendPrefixed(row.sealed)
        }
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            try headKey.authenticationCode(for: message.span)
        }
    }
}

extension SecretKey {
    /// 32 random octets.
    package static func newVaultKey() throws(StoreError) -> SecretKey {
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            try SecretKey.generate(bitCount: VaultFormat.keyByteCount * 8)
        }
    }
}

extension MACKey {
    /// HMAC-SHA-256 with a key of a vault.
    package static func vault(_ key: SecretKey) throws(StoreError) -> MACKey {
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            try MACKey(key, hash: .sha256)
        }
    }

    /// What a name code names: the first octet of its message, so that the codes of an item and of
    /// a group never agree.
    package enum Named: UInt8, Sendable {
        case item = 1
        case group = 2
    }

    /// The code of several texts in order, each with its length before it.
    package func nameCode(
        _ named: Named, parts: [String.UTF8View]
    ) throws(StoreError) -> [UInt8] {
        var message = [UInt8]()
        message.reserveCapacity(parts.reduce(1) { $0 + 4 + $1.count })
        message.append(named.rawValue)
        for part in parts { message.appendPrefixed(part) }
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            try authenticationCode(for: message.span)
        }
    }
}
