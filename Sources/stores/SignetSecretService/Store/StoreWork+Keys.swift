// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetVault

// MARK: Keys that were deleted

extension StoreWork {
    /// Ensures that every item of this store was sealed with a key of the ring.
    ///
    /// A search finds items by hashes that are made with their key, so it never finds an item that a
    /// deleted key sealed. But each item also names its key in an attribute: an item that names no
    /// key of the ring is lost.
    ///
    /// - Throws: `corrupt` if an item is lost; `locked` if its key may be in a locked collection.
    func requireAllKeys(_ ring: SealingRing) throws(StoreError) {
        var orphans = try orphans(ring)
        guard !orphans.isEmpty else { return }
        guard !ring.isIncomplete else { throw Keyring.mayBeInLockedKeyring }
        // Between two of these messages another program may remove an item, or make a key and seal
        // an item with it: then an item only looks lost. The key is always stored before its items,
        // so with the keys of now such an item is no longer among the orphans. A lost item is among
        // them each time.
        for _ in 0..<2 {
            let current = try self.ring(creating: false)
            orphans.formIntersection(try self.orphans(current))
            guard !orphans.isEmpty else { return }
            guard !current.isIncomplete else { throw Keyring.mayBeInLockedKeyring }
        }
        throw .lostKey
    }

    /// The paths of the items that no key of the ring sealed.
    private func orphans(_ ring: SealingRing) throws(StoreError) -> Set<String> {
        // The paths of all items are read first: otherwise an item that is written between the two
        // reads would count as an orphan.
        var paths = try keyring.paths(identity.attributes(.item))
        for key in ring.keys where !paths.isEmpty {
            var attributes = identity.attributes(.item)
            attributes[StoreIdentity.keyName] = key.id.hexadecimal
            paths.subtract(try keyring.paths(attributes))
        }
        return paths
    }
}
