// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
package import SignetMemory

extension KeyringConnection {
    /// Every item with the given attributes, in all collections, locked or not. Unlocks nothing.
    ///
    /// If an item is deleted after it was listed and before its secret is read, a new item, which
    /// the list does not have yet, may have replaced it. The search is then made again.
    ///
    /// - Parameters:
    ///   - attributes: at least one attribute. An empty set would match everything, so its result
    ///     is empty.
    ///   - loadingSecrets: whether to read the secrets of items that are not locked.
    package func search(
        _ attributes: [String: String], loadingSecrets: Bool
    ) throws(SecretServiceFailure) -> [ServiceItem] {
        guard !attributes.isEmpty else { return [] }
        var attemptsLeft = 5
        while true {
            do throws(SecretServiceFailure) {
                let (present, isComplete) = try searchOnce(
                    attributes, loadingSecrets: loadingSecrets)
                // In a long list something may be gone each time, so the last attempt may return
                // fewer items. It must not return none: the caller would take that for absence.
                guard isComplete || (attemptsLeft == 1 && !present.isEmpty) else {
                    throw SecretServiceFailure(.noSuchObject, operation: "search")
                }
                return present
            } catch {
                // Another program deleted an item after it was listed and before its properties
                // were read, or the daemon has restarted.
                attemptsLeft -= 1
                guard error.kind == .noSuchObject || error.isDisconnection, attemptsLeft > 0 else {
                    throw error
                }
                if error.isDisconnection { disconnect() }
            }
        }
    }

    /// Searches, and loads the secrets of what is not locked. Items that are gone by then are left
    /// out, and the list is not complete.
    private func searchOnce(
        _ attributes: [String: String], loadingSecrets: Bool
    ) throws(SecretServiceFailure) -> (present: [ServiceItem], isComplete: Bool) {
        let table = AttributeTable(attributes)
        var flags = UInt32(SIGNET_SEARCH_ALL)
        if loadingSecrets { flags |= UInt32(SIGNET_SEARCH_LOAD_SECRETS) }
        let list = try unsafe callReconnecting("search") { service, cancellable, error in
            unsafe secret_service_search_sync(
                service, nil, table.pointer, flags, cancellable, error)
        }
        defer { unsafe g_list_free(list) }
        // Takes over all references before anything can fail.
        var items: [ServiceItem] = []
        var element = unsafe list
        while let current = unsafe element {
            if let data = unsafe current.pointee.data {
                unsafe items.append(ServiceItem(owning: OpaquePointer(data)))
            }
            unsafe element = current.pointee.next
        }
        guard loadingSecrets else { return (items, true) }
        var present: [ServiceItem] = []
        present.reserveCapacity(items.count)
        for item in items where try load(item) { present.append(item) }
        return (present, present.count == items.count)
    }

    /// The paths of all items with the given attributes, in all collections, locked or not. Sends a
    /// single message, and reads nothing of an item.
    ///
    /// - Parameter attributes: at least one attribute, as in ``search(_:loadingSecrets:)``.
    package func paths(_ attributes: [String: String]) throws(SecretServiceFailure) -> Set<String> {
        let operation = "paths"
        guard !attributes.isEmpty else { return [] }
        guard !attributes.contains(where: { Self.holdsNull($0.key) || Self.holdsNull($0.value) })
        else {
            throw SecretServiceFailure(.other, operation: operation)
        }
        return try unsafe callMethod(
            "SearchItems", of: "/org/freedesktop/secrets",
            interface: "org.freedesktop.Secret.Service",
            operation: operation,
            parameters: {
                let entries = unsafe attributes.map { name, value in
                    unsafe g_variant_new_dict_entry(
                        g_variant_new_string(name), g_variant_new_string(value))
                }
                return unsafe entries.withUnsafeBufferPointer {
                    unsafe [g_variant_new_array(nil, $0.baseAddress, UInt($0.count))]
                }
            },
            reading: { reply -> Set<String>? in
                // The unlocked items, and the locked ones.
                guard unsafe Self.typeText(of: reply) == "(aoao)" else { return nil }
                var paths: Set<String> = []
                for index in 0..<2 as Range<UInt> {
                    guard let array = unsafe g_variant_get_child_value(reply, index) else {
                        return nil
                    }
                    defer { unsafe g_variant_unref(array) }
                    paths.formUnion(unsafe Self.paths(in: array))
                }
                return paths
            })
    }

    /// Ensures that an item has its secret or is known to be locked.
    ///
    /// - Returns: false if it no longer exists.
    private func load(_ item: ServiceItem) throws(SecretServiceFailure) -> Bool {
        if item.isLocked { return true }
        item.secret = item.loadedSecret()
        if item.secret != nil { return true }
        // The search drops errors of loading. When items are loaded one by one, the service says
        // what is wrong.
        do throws(SecretServiceFailure) {
            let isLoaded = try unsafe callOnce("load") { _, cancellable, error in
                unsafe secret_item_load_secret_sync(item.pointer, cancellable, error) != 0
            }
            item.secret = item.loadedSecret()
            guard isLoaded, item.secret != nil else {
                throw SecretServiceFailure(.protocol, operation: "load")
            }
            return true
        } catch {
            switch error.kind {
            case .locked:
                item.isLocked = true
                return true
            case .noSuchObject:
                return false
            default:
                throw error
            }
        }
    }

    /// Writes an item. It replaces an existing item with exactly these attributes.
    ///
    /// - Parameters:
    ///   - collection: the path of a collection, from ``collection(alias:)``.
    ///   - label: what people see in keyring programs.
    package func store(
        _ secret: SecretStorage, attributes: [String: String], label: String, schema: String,
        collection: String
    ) throws(SecretServiceFailure) {
        let operation = "store"
        guard !attributes.isEmpty, !Self.holdsNull(label), !Self.holdsNull(collection),
            !attributes.contains(where: { Self.holdsNull($0.key) || Self.holdsNull($0.value) })
        else { throw SecretServiceFailure(.other, operation: operation) }
        let table = AttributeTable(attributes)
        let schema = ItemSchema(name: schema, attributes: attributes.keys)
        let value = unsafe Self.value(of: secret)
        defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
        let isStored = try unsafe callReconnecting(operation) { service, cancellable, error in
            unsafe secret_service_store_sync(
                service, schema.pointer, table.pointer, collection, label, value, cancellable, error
            ) != 0
        }
        // The attributes are valid, so only a dismissed prompt is left to fail without an error.
        guard isStored else { throw SecretServiceFailure(.dismissed, operation: operation) }
    }

    /// Sets the secret of an item that a search found, and its label if that differs.
    ///
    /// It does not use ``store(_:attributes:label:schema:collection:)``, for which some services
    /// ask the user.
    ///
    /// - Returns: false if the item no longer exists.
    package func update(
        _ item: ServiceItem, secret: SecretStorage, label: String
    ) throws(SecretServiceFailure) -> Bool {
        let operation = "update"
        guard !Self.holdsNull(label) else {
            throw SecretServiceFailure(.other, operation: operation)
        }
        let value = unsafe Self.value(of: secret)
        defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
        do throws(SecretServiceFailure) {
            let isSet = try unsafe callOnce(operation) { _, cancellable, error in
                unsafe secret_item_set_secret_sync(item.pointer, value, cancellable, error) != 0
            }
            guard isSet else { throw SecretServiceFailure(.dismissed, operation: operation) }
            // Only people read the label. A label that could not be changed is no reason to report
            // the write as failed.
            if !item.label.utf8.elementsEqual(label.utf8) {
                _ = try? unsafe callOnce(operation) { _, cancellable, error in
                    unsafe secret_item_set_label_sync(item.pointer, label, cancellable, error) != 0
                }
            }
            return true
        } catch {
            guard error.kind == .noSuchObject || error.isDisconnection else { throw error }
            return false
        }
    }

    /// A new value of libsecret with a copy of the text, for the caller to release.
    @unsafe
    private static func value(of secret: SecretStorage) -> OpaquePointer? {
        unsafe secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe secret_value_new(
                    buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
                    "text/plain")
            }
        }
    }

    /// Deletes an item.
    ///
    /// - Returns: false if it no longer existed.
    package func delete(_ item: ServiceItem) throws(SecretServiceFailure) -> Bool {
        do throws(SecretServiceFailure) {
            let isDeleted = try unsafe callOnce("delete") { _, cancellable, error in
                unsafe secret_item_delete_sync(item.pointer, cancellable, error) != 0
            }
            guard isDeleted else { throw SecretServiceFailure(.dismissed, operation: "delete") }
            return true
        } catch {
            guard error.kind == .noSuchObject else { throw error }
            return false
        }
    }

    /// Whether a text holds a zero byte, which would end it early in C and make it name something
    /// else.
    private static func holdsNull(_ text: String) -> Bool { text.utf8.contains(0) }
}
