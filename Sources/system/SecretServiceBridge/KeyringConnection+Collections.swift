// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret

/// A collection of the service, as it was when the service was asked.
package struct ServiceCollection: Sendable, Equatable {
    package let path: String
    package let isLocked: Bool
}

extension KeyringConnection {
    /// The collection that has an alias now.
    ///
    /// - Returns: nil if no collection has it.
    package func collection(alias: String) throws(SecretServiceFailure) -> ServiceCollection? {
        try unsafe withCollection(alias: alias) { (pointer) throws(SecretServiceFailure) in
            guard let pointer = unsafe pointer else { return nil }
            return try unsafe Self.description(of: pointer)
        }
    }

    /// Makes a collection and gives it an alias. The service shows a prompt for its password.
    ///
    /// - Returns: false if the prompt was dismissed or could not be shown.
    package func createCollection(label: String, alias: String) throws(SecretServiceFailure) -> Bool
    {
        do {
            let made = try unsafe callOnce("create") { service, cancellable, error in
                unsafe secret_collection_create_sync(service, label, alias, 0, cancellable, error)
            }
            guard let made = unsafe made else { return false }
            unsafe g_object_unref(UnsafeMutableRawPointer(made))
            return true
        } catch {
            // If the user does not answer the prompt, gnome-keyring names a collection that does
            // not exist.
            guard error.kind == .noSuchObject else { throw error }
            return false
        }
    }

    /// Whether any collection is locked at this moment.
    ///
    /// It does not use libsecret's list of collections, for which libsecret would first load every
    /// item of every collection.
    package func isAnyCollectionLocked() throws(SecretServiceFailure) -> Bool {
        let paths = try unsafe property(
            "Collections", of: "/org/freedesktop/secrets",
            interface: "org.freedesktop.Secret.Service"
        ) { value -> [String]? in
            guard unsafe Self.typeText(of: value) == "ao" else { return nil }
            return unsafe Self.paths(in: value)
        }
        for path in paths {
            do {
                if try isCollectionLocked(at: path) { return true }
            } catch {
                // The collection was deleted since it was listed, so nothing in it is locked.
                guard error.kind == .noSuchObject else { throw error }
            }
        }
        return false
    }

    /// Whether an item's collection is locked at this moment. A locked item in an unlocked
    /// collection needs a person's consent.
    package func isCollectionLocked(of item: ServiceItem) throws(SecretServiceFailure) -> Bool {
        let parts = item.path.split(separator: "/").dropLast()
        return try isCollectionLocked(at: "/" + parts.joined(separator: "/"))
    }

    private func isCollectionLocked(at path: String) throws(SecretServiceFailure) -> Bool {
        try unsafe property("Locked", of: path, interface: "org.freedesktop.Secret.Collection") {
            value -> Bool? in
            guard unsafe Self.typeText(of: value) == "b" else { return nil }
            return unsafe g_variant_get_boolean(value) != 0
        }
    }

    /// Locks the collection that has an alias.
    ///
    /// - Returns: the collection as it is now; nil if there is none. A collection that is only in
    ///   memory may not be lockable.
    package func lock(alias: String) throws(SecretServiceFailure) -> ServiceCollection? {
        try unsafe callWithCollection(alias: alias, operation: "lock") {
            service, list, cancellable, error in
            unsafe secret_service_lock_sync(service, list, cancellable, nil, error)
        }
        return try collection(alias: alias)
    }

    /// Unlocks the collection that has an alias. The service may show a prompt, which waits until
    /// the job's deadline or, if the job has a ``PromptLimit``, until that ends.
    ///
    /// - Returns: the collection as it is now; nil if there is none. It is still locked if the
    ///   prompt was dismissed or could not be shown.
    package func unlock(alias: String) throws(SecretServiceFailure) -> ServiceCollection? {
        try unsafe callWithCollection(alias: alias, operation: "unlock") {
            service, list, cancellable, error in
            unsafe secret_service_unlock_sync(service, list, cancellable, nil, error)
        }
        return try collection(alias: alias)
    }

    /// Unlocks items that are locked although their collection is not. KeePassXC, for example,
    /// locks the items that it has not yet allowed this program to read. The service may show a
    /// prompt.
    package func unlock(_ items: [ServiceItem]) throws(SecretServiceFailure) {
        guard !items.isEmpty else { return }
        let pointers = unsafe items.map { unsafe $0.pointer }
        try unsafe callWithList(of: pointers, operation: "unlock") {
            service, list, cancellable, error in
            unsafe secret_service_unlock_sync(service, list, cancellable, nil, error)
        }
    }

    private typealias ListCall = (
        OpaquePointer, UnsafeMutablePointer<GList>?, OpaquePointer?, ErrorPointer
    ) -> Int32

    /// Makes a call with the collection that has an alias; does nothing if no collection has it.
    private func callWithCollection(
        alias: String, operation: String, _ call: ListCall
    ) throws(SecretServiceFailure) {
        try unsafe withCollection(alias: alias) { (pointer) throws(SecretServiceFailure) in
            if let pointer = unsafe pointer {
                try unsafe callWithList(of: [pointer], operation: operation, call)
            }
        }
    }

    /// Makes a call with a list of objects. How many of them the service changed is not used: a
    /// collection is asked for afterwards, and an item that is still locked has no secret.
    private func callWithList(
        of objects: [OpaquePointer], operation: String, _ call: ListCall
    ) throws(SecretServiceFailure) {
        let none: UnsafeMutablePointer<GList>? = nil
        let list = unsafe objects.reduce(none) { list, object in
            unsafe g_list_prepend(list, UnsafeMutableRawPointer(object))
        }
        defer { unsafe g_list_free(list) }
        _ = try unsafe callOnce(operation) { service, cancellable, error in
            unsafe call(service, list, cancellable, error)
        }
    }

    /// Passes the collection that has an alias to `body`; nil if no collection has it.
    private func withCollection<R>(
        alias: String, _ body: (OpaquePointer?) throws(SecretServiceFailure) -> R
    ) throws(SecretServiceFailure) -> R {
        let pointer = try unsafe callReconnecting("alias") { service, cancellable, error in
            unsafe secret_collection_for_alias_sync(
                service, alias, UInt32(SIGNET_COLLECTION_NONE), cancellable, error)
        }
        defer {
            if let pointer = unsafe pointer {
                unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
            }
        }
        return try unsafe body(pointer)
    }

    private static func description(
        of collection: OpaquePointer
    ) throws(SecretServiceFailure) -> ServiceCollection {
        guard let path = unsafe g_dbus_proxy_get_object_path(collection) else {
            throw SecretServiceFailure(.protocol, operation: "alias")
        }
        return ServiceCollection(
            path: unsafe String(cString: path),
            isLocked: unsafe secret_collection_get_locked(collection) != 0)
    }
}
