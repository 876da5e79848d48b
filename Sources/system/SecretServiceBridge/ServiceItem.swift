// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
package import SignetMemory

/// An item that a search found, as it was at that moment. It is used only on the thread that found
/// it, and only within the job that searched.
@safe
package final class ServiceItem {
    let pointer: OpaquePointer
    /// The item's path on the bus, below its collection's path.
    package let path: String
    /// Whether it is locked: its secret cannot be read, and it may show hashes in place of its
    /// attributes.
    package internal(set) var isLocked: Bool
    /// The secret; nil if it was not asked for, or if the item is locked.
    package internal(set) var secret: SecretStorage?

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        isLocked = unsafe secret_item_get_locked(pointer) != 0
        path = unsafe g_dbus_proxy_get_object_path(pointer).map { unsafe String(cString: $0) } ?? ""
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// The secret that was loaded with the item; nil when no secret was loaded.
    func loadedSecret() -> SecretStorage? {
        guard let value = unsafe secret_item_get_secret(pointer) else { return nil }
        defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
        var length: UInt = 0
        guard let bytes = unsafe secret_value_get(value, &length), let count = Int(exactly: length)
        else {
            return nil
        }
        return unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: count) { base in
            unsafe SecretStorage(copying: UnsafeBufferPointer(start: base, count: count).span)
        }
    }

    /// The name that people see in keyring programs.
    package var label: String {
        guard let text = unsafe secret_item_get_label(pointer) else { return "" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }

    /// The value of an attribute; nil when the item has no attribute of that name.
    package func attribute(_ name: String) -> String? {
        guard let table = unsafe secret_item_get_attributes(pointer) else { return nil }
        defer { unsafe g_hash_table_unref(table) }
        guard let value = unsafe name.withCString({ unsafe g_hash_table_lookup(table, $0) }) else {
            return nil
        }
        return unsafe String(cString: value.assumingMemoryBound(to: CChar.self))
    }
}
