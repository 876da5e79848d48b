// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetBase
internal import SignetMemory
internal import SignetVault

/// An opened item, with its object on the bus.
struct FoundItem {
    let object: ServiceItem
    let sealed: SealedItem
}

// MARK: Reading

extension StoreWork {
    /// The newest copy of an item, opened; nil if it is certainly absent.
    func newest(_ key: ItemKey, in ring: SealingRing) throws(StoreError) -> FoundItem? {
        let all = try copies(of: key, in: ring)
        guard let newest = all.max(by: { Self.isOlder($0, than: $1) }) else {
            try requireAbsence(ring)
            return nil
        }
        return newest
    }

    /// Every copy of an item: a single copy, unless two programs wrote at once or the options
    /// changed.
    ///
    /// - Throws: `locked` if a copy is locked, because it may be the newest; `corrupt` if a copy
    ///   does not open.
    func copies(of key: ItemKey, in ring: SealingRing) throws(StoreError) -> [FoundItem] {
        var all: [FoundItem] = []
        for objects in try objects(for: key, in: ring, loadingSecrets: true) {
            all.append(try open(objects, ring: ring))
        }
        return all
    }

    /// The objects on the bus of every copy of an item.
    func objects(
        for key: ItemKey, in ring: SealingRing, loadingSecrets: Bool
    ) throws(StoreError) -> [ServiceItem] {
        var all: [ServiceItem] = []
        for member in ring.keys {
            var attributes = identity.attributes(.item)
            attributes[StoreIdentity.itemName] = try member.itemID(key).hexadecimal
            all += try keyring.searchUnlocked(attributes, loadingSecrets: loadingSecrets)
        }
        return all
    }

    /// The items of a service, or of every service, each as its newest copy.
    func items(service: String?, itemClass: ItemClass?, accessGroup: String) throws(StoreError)
        -> [StoredItem]
    {
        let ring = try ring(creating: false)
        var found: [ServiceItem] = []
        if let service {
            for member in ring.keys {
                var attributes = identity.attributes(.item)
                attributes[StoreIdentity.groupName] =
                    try member.group(service: service, accessGroup: accessGroup).hexadecimal
                found += try keyring.searchUnlocked(attributes, loadingSecrets: true)
            }
        } else {
            found = try keyring.searchUnlocked(identity.attributes(.item), loadingSecrets: true)
        }
        guard !found.isEmpty else {
            try requireAbsence(ring)
            return []
        }
        // Items were found, but a deleted key may have sealed other items of this service. A list
        // of every service finds such items, and they do not open.
        if service != nil { try requireAllKeys(ring) }
        var newest: [ItemKey: FoundItem] = [:]
        for object in found {
            let item = try open(object, ring: ring)
            let key = item.sealed.metadata.key
            if let service {
                // The sealed data determines the service, not the attribute.
                guard key.service.utf8.elementsEqual(service.utf8),
                    key.accessGroup.utf8.elementsEqual(accessGroup.utf8)
                else { throw .damagedItem("its attributes were changed") }
                if let itemClass, key.itemClass != itemClass { continue }
            }
            if let other = newest[key], Self.isOlder(item, than: other) { continue }
            newest[key] = item
        }
        return newest.values.map(\.sealed.item)
    }

    func open(_ object: ServiceItem, ring: SealingRing) throws(StoreError) -> FoundItem {
        guard let secret = object.secret else {
            throw keyring.lockedError(for: [object])
        }
        return FoundItem(
            object: object,
            sealed: try SealedItem(
                opening: secret, ring: ring, claimedID: object.attribute(StoreIdentity.itemName),
                claimedKey: object.attribute(StoreIdentity.keyName)))
    }

    /// Compares authenticated data: the generation, and then the tag.
    static func isOlder(_ a: FoundItem, than b: FoundItem) -> Bool {
        if a.sealed.generation != b.sealed.generation {
            return a.sealed.generation < b.sealed.generation
        }
        return a.sealed.revision.octets.lexicographicallyPrecedes(b.sealed.revision.octets)
    }
}

// MARK: Writing

extension StoreWork {
    /// Writes an item over its existing copies.
    func write(_ item: NewItem, in ring: SealingRing, with key: RingKey, over copies: [FoundItem])
        throws(StoreError) -> ItemRevision
    {
        let existing = copies.max { Self.isOlder($0, than: $1) }?.sealed
        let now = ItemTime.now(by: options.clock)
        let metadata = ItemMetadata(
            key: item.key, details: item.details ?? existing?.metadata.details ?? ItemDetails(),
            created: item.created ?? existing?.metadata.created ?? now,
            modified: item.modified ?? now, valueType: item.value.type)
        // The system's time, whatever the options say: it decides between copies of several
        // writers.
        let generation = try ItemGeneration.next(
            after: existing?.generation, milliseconds: SystemClock.millisecondsSince1970())
        let sealed = try SealedItem.seal(
            metadata, value: item.value, with: key, generation: generation)
        let target = try keyring.unlockedCollection()
        let attributes = try attributes(of: item.key, with: key)
        let label = label(for: metadata)
        // The newest copy that may be overwritten; the item becomes a new object if there is none.
        let replaced = copies.filter { mayReplace($0.object, attributes: attributes, in: target) }
            .max { Self.isOlder($0, than: $1) }
        var isUpdated = false
        if let replaced {
            isUpdated = try keyring.update(replaced.object, secret: sealed.text, label: label)
        }
        if !isUpdated {
            try keyring.store(sealed.text, attributes: attributes, label: label, in: target)
        }
        // The other copies were written by this store too, so it removes them.
        let others = copies.filter { $0.object !== replaced?.object }
        if !others.isEmpty { removeCopies(of: item.key, olderThan: generation, in: ring) }
        return sealed.revision
    }

    /// Removes the copies of an item that are older than `generation`. The caller holds the
    /// ``WriteLock``: without it, a copy that another writer just updated would be removed.
    ///
    /// Errors are dropped. The copies that remain are older and so are not read: a failed removal
    /// is not a failed write.
    private func removeCopies(of key: ItemKey, olderThan generation: UInt64, in ring: SealingRing) {
        do throws(StoreError) {
            for copy in try copies(of: key, in: ring) where copy.sealed.generation < generation {
                _ = try keyring.delete(copy.object)
            }
        } catch {}
    }

    /// Removes all copies of an item.
    ///
    /// - Returns: whether there was a copy.
    func remove(_ key: ItemKey) throws(StoreError) -> Bool {
        let ring = try ring(creating: false)
        var wasThere = false
        var mayRepeat = true
        while true {
            let objects = try objects(for: key, in: ring, loadingSecrets: false)
            if objects.isEmpty, !wasThere { try requireAbsence(ring) }
            do {
                for object in objects where try keyring.connection.delete(object) {
                    wasThere = true
                }
                return wasThere
            } catch {
                // A disconnection means that the daemon was replaced since the search. What the new
                // daemon holds is unknown here, so the search is repeated once.
                guard error.isDisconnection, mayRepeat else { throw StoreError(error) }
                mayRepeat = false
            }
        }
    }

    private func attributes(of key: ItemKey, with ringKey: RingKey) throws(StoreError) -> [String:
        String]
    {
        var attributes = identity.attributes(.item)
        attributes[StoreIdentity.keyName] = ringKey.id.hexadecimal
        attributes[StoreIdentity.itemName] = try ringKey.itemID(key).hexadecimal
        attributes[StoreIdentity.groupName] =
            try ringKey.group(service: key.service, accessGroup: key.accessGroup).hexadecimal
        guard options.plainAttributes else { return attributes }
        let plain = [
            ("class", key.itemClass.rawValue), ("service", key.service), ("account", key.account),
            ("access-group", key.accessGroup),
        ]
        // A null ends a C string: such a name stays a hash.
        for (name, value) in plain where !value.utf8.contains(0) { attributes[name] = value }
        return attributes
    }

    private func label(for metadata: ItemMetadata) -> String {
        // Whoever reads the label in an unlocked keyring can also read a sealing key that the keyring
        // holds, and so open the service's name. With a key that the program gives, the name must
        // not be in the label.
        guard memory.withLock({ $0.provided }) == nil || options.plainAttributes else {
            return identity.application
        }
        var label = "\(identity.application): \(metadata.key.service)"
        if options.plainAttributes {
            label =
                metadata.details.label.isEmpty
                ? "\(metadata.key.service)/\(metadata.key.account)" : metadata.details.label
        }
        return label.utf8.contains(0) ? identity.application : label
    }

    /// Whether a write may go over a copy: it is in the collection to write to, has the attributes
    /// that the item will have, and shows no name that the options now keep back.
    private func mayReplace(
        _ object: ServiceItem, attributes: [String: String], in target: ServiceCollection
    ) -> Bool {
        guard object.path.hasPrefix("\(target.path)/") else { return false }
        guard attributes.allSatisfy({ object.attribute($0.key) == $0.value }) else { return false }
        return options.plainAttributes || object.attribute("service") == nil
    }
}
