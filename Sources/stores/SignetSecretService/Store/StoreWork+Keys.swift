// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetVault

// MARK: Keys that were deleted

extension StoreWork {
    /// Ensures that every item of this store was sealed with a key of the ring.
    ///
    /// Items are found by hashes that need their key, so no search finds an item that a deleted key
    /// sealed. The item still names its key: every item without a key of the ring is lost.
    ///
    /// - Throws: `corrupt`; `locked` if the key may be locked away.
    func requireAllKeys(_ ring: SealingRing) throws(StoreError) {
        var orphans = try orphans(ring)
        guard !orphans.isEmpty else { return }
        guard !ring.isIncomplete else { throw Keyring.behindALock }
        // Between two of these messages another program may remove an item, or make a key and seal
        // with it. Keys come before their items: with the present keys, what is lost stays the same
        // each time.
        for _ in 0..<2 {
            let current = try self.ring(creating: false)
            orphans.formIntersection(try self.orphans(current))
            guard !orphans.isEmpty else { return }
            guard !current.isIncomplete else { throw Keyring.behindALock }
        }
        throw .lostKey
    }

    /// The paths of the items that no key of the ring sealed.
    private func orphans(_ ring: SealingRing) throws(StoreError) -> Set<String> {
        // Reads all first: an item that is written afterwards must not count as extra.
        var paths = try keyring.paths(identity.attributes(.item))
        for key in ring.keys where !paths.isEmpty {
            var attributes = identity.attributes(.item)
            attributes[StoreIdentity.keyName] = key.id.hexadecimal
            paths.subtract(try keyring.paths(attributes))
        }
        return paths
    }
}
