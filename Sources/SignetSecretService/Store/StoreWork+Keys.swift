// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetVault

// MARK: Keys that were deleted

extension StoreWork {
    /// Makes sure that every item of this store was sealed with a key of the ring.
    ///
    /// Items are looked for under hashes that only their key makes: what a deleted key sealed is
    /// found by no such search. It still names its key, so that all items without those of the
    /// ring's keys are what is lost.
    ///
    /// - Throws: `corrupt`; `locked` when the key may be behind a lock.
    func requireAllKeys(_ ring: SealingRing) throws(StoreError) {
        var orphans = try orphans(ring)
        guard !orphans.isEmpty else { return }
        guard !ring.isIncomplete else { throw Keyring.behindALock }
        // Another program may have removed an item between two of these messages, or made a key and
        // sealed with it since the ring was read. Keys come before their items: with the keys of
        // now, what is lost is the same every time.
        for _ in 0..<2 {
            let current = try self.ring(creating: false)
            orphans.formIntersection(try self.orphans(current))
            guard !orphans.isEmpty else { return }
            guard !current.isIncomplete else { throw Keyring.behindALock }
        }
        throw .lostKey
    }

    /// Where the items are that no key of the ring sealed.
    private func orphans(_ ring: SealingRing) throws(StoreError) -> Set<String> {
        // All of them first: an item that is written meanwhile is not one too many.
        var paths = try keyring.paths(identity.attributes(.item))
        for key in ring.keys where !paths.isEmpty {
            var attributes = identity.attributes(.item)
            attributes[StoreIdentity.keyName] = key.id.hexadecimal
            paths.subtract(try keyring.paths(attributes))
        }
        return paths
    }
}
