// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetBase
internal import SignetMemory
internal import SignetVault

// The items of a store in the keyring. The Secret Service is a program that keeps secrets, and is
// called by messages on the D-Bus of the user's session. It has
// - collections, which people call keyrings: each is locked or unlocked;
// - objects in them: each has a secret, a label, and attributes, by which it is searched.
// The store's ring is its sealing keys, usually a single one. Each item is an object, of which
//     attribute signet:id   is a hash of the item's names, made with a key of the ring
//     attribute signet:key  is the name of that key
//     secret                is "signet1:…", the sealed item (``SealedItem``)
// An item may have several such objects, its *copies*: if two programs wrote it at once, if they
// made two keys at once, or if the options now want other attributes or another collection.

/// A copy of an item: its object on the bus, and its opened secret.
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
            // Throws if a copy may be where this search does not see it.
            try requireAbsence(ring)
            return nil
        }
        return newest
    }

    /// Every copy of an item, opened.
    ///
    /// - Throws: `locked` if a copy is locked, because it may be the newest; `corrupt` if a copy
    ///   does not open.
    func copies(of key: ItemKey, in ring: SealingRing) throws(StoreError) -> [FoundItem] {
        var all: [FoundItem] = []
        for object in try objects(for: key, in: ring, loadingSecrets: true) {
            all.append(try open(object, ring: ring))
        }
        return all
    }

    /// The objects of every copy of an item. Each key of the ring gives the item an id of its own,
    /// so each is searched for.
    ///
    /// - Throws: `locked` if a found object is locked.
    func objects(
        for key: ItemKey, in ring: SealingRing, loadingSecrets: Bool
    ) throws(StoreError) -> [ServiceItem] {
        var all: [ServiceItem] = []
        for ringKey in ring.keys {
            var attributes = identity.attributes(.item)
            attributes[StoreIdentity.itemName] = try ringKey.itemID(key).hexadecimal
            all += try keyring.searchUnlocked(attributes, loadingSecrets: loadingSecrets)
        }
        return all
    }

    /// The items of a service, or of every service, each as its newest copy.
    func items(service: String?, itemClass: ItemClass?, accessGroup: String) throws(StoreError)
        -> [StoredItem]
    {
        let ring = try ring(creating: false)
        let found = try objects(ofService: service, accessGroup: accessGroup, in: ring)
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
                // The sealed data determines the service, not the attribute. Octets are compared,
                // because `==` takes canonically equivalent names for the same.
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

    /// The objects of the items of a service, or of every service.
    private func objects(
        ofService service: String?, accessGroup: String, in ring: SealingRing
    ) throws(StoreError) -> [ServiceItem] {
        guard let service else {
            return try keyring.searchUnlocked(identity.attributes(.item), loadingSecrets: true)
        }
        var found: [ServiceItem] = []
        for ringKey in ring.keys {
            var attributes = identity.attributes(.item)
            attributes[StoreIdentity.groupName] =
                try ringKey.group(service: service, accessGroup: accessGroup).hexadecimal
            found += try keyring.searchUnlocked(attributes, loadingSecrets: true)
        }
        return found
    }

    /// Opens an object's secret, and checks that its attributes are the sealed item's.
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

    /// Compares sealed data: the generation, which each write raises; for equal generations, the
    /// revisions, so every program takes the same copy for the newest.
    static func isOlder(_ a: FoundItem, than b: FoundItem) -> Bool {
        if a.sealed.generation != b.sealed.generation {
            return a.sealed.generation < b.sealed.generation
        }
        return a.sealed.revision.octets.lexicographicallyPrecedes(b.sealed.revision.octets)
    }
}

// MARK: Writing

extension StoreWork {
    /// Writes an item in place of its existing copies.
    ///
    /// - Parameter key: the key of `ring` that seals it.
    func write(_ item: NewItem, in ring: SealingRing, with key: RingKey, over copies: [FoundItem])
        throws(StoreError) -> ItemRevision
    {
        let existing = copies.max { Self.isOlder($0, than: $1) }?.sealed
        let metadata = metadata(of: item, over: existing?.metadata)
        // The system's time, whatever the options say: it decides between copies of several
        // writers.
        let generation = try ItemGeneration.next(
            after: existing?.generation, milliseconds: SystemClock.millisecondsSince1970())
        let sealed = try SealedItem.seal(
            metadata, value: item.value, with: key, generation: generation)
        let replaced = try store(sealed.text, metadata: metadata, with: key, over: copies)
        // The other copies were written by this store too, so it removes them.
        let others = copies.filter { $0.object !== replaced }
        if !others.isEmpty { removeCopies(of: item.key, olderThan: generation, in: ring) }
        return sealed.revision
    }

    /// The metadata of an item to write. What it does not give stays as the existing item has it.
    private func metadata(of item: NewItem, over existing: ItemMetadata?) -> ItemMetadata {
        let now = ItemTime.now(by: options.clock)
        return ItemMetadata(
            key: item.key, details: item.details ?? existing?.details ?? ItemDetails(),
            created: item.created ?? existing?.created ?? now, modified: item.modified ?? now,
            valueType: item.value.type)
    }

    /// Stores the text of a sealed item: in the newest copy that may be overwritten, or in a new
    /// object if there is none.
    ///
    /// - Returns: the object of that copy; nil if there is none.
    private func store(
        _ text: SecretStorage, metadata: ItemMetadata, with key: RingKey, over copies: [FoundItem]
    ) throws(StoreError) -> ServiceItem? {
        let target = try keyring.unlockedCollection()
        let attributes = try attributes(of: metadata.key, with: key)
        let label = label(for: metadata)
        let replaced = copies.filter { mayReplace($0.object, attributes: attributes, in: target) }
            .max { Self.isOlder($0, than: $1) }
        var isUpdated = false
        if let replaced {
            isUpdated = try keyring.update(replaced.object, secret: text, label: label)
        }
        // Also if that copy is gone by now.
        if !isUpdated {
            try keyring.store(text, attributes: attributes, label: label, in: target)
        }
        return replaced?.object
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
        for isLastAttempt in [false, true] {
            let objects = try objects(for: key, in: ring, loadingSecrets: false)
            if objects.isEmpty, !wasThere { try requireAbsence(ring) }
            do {
                for object in objects where try keyring.connection.delete(object) {
                    wasThere = true
                }
                break
            } catch {
                // A disconnection means that the service was started again since the search. What
                // it holds now is unknown here, so the search is repeated once.
                guard error.isDisconnection, !isLastAttempt else { throw StoreError(error) }
            }
        }
        return wasThere
    }

    /// The attributes of an item's object, by which it is found again. With the option
    /// `plainAttributes` the names are also there unhashed, for other programs.
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

    /// The name that keyring programs show for the item's object, for example
    /// `org.example.mail: imap.example.org`.
    private func label(for metadata: ItemMetadata) -> String {
        let application = identity.application
        let key = metadata.key
        var label = application
        if options.plainAttributes {
            label =
                metadata.details.label.isEmpty
                ? "\(key.service)/\(key.account)" : metadata.details.label
        } else if memory.withLock({ $0.provided }) == nil {
            // The sealing key is in the keyring too. Whoever can read the label can read that key,
            // and so open the service's name: the label reveals nothing more.
            label = "\(application): \(key.service)"
        }
        // A null would end the label, which is a C string.
        return label.utf8.contains(0) ? application : label
    }

    /// Whether a write may go over a copy: it is in the collection to write to, has the attributes
    /// that the item will have, and shows no name that the options now keep back.
    private func mayReplace(
        _ object: ServiceItem, attributes: [String: String], in target: ServiceCollection
    ) -> Bool {
        // An object's path is its collection's path and a name.
        guard object.path.hasPrefix("\(target.path)/") else { return false }
        guard attributes.allSatisfy({ object.attribute($0.key) == $0.value }) else { return false }
        // Only an object with plain attributes has the attribute `service`.
        return options.plainAttributes || object.attribute("service") == nil
    }
}
