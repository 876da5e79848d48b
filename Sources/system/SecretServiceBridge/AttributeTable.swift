// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret

/// Names and values by which the service finds items. The only owner of a `GHashTable` of texts.
@safe
struct AttributeTable: ~Copyable {
    let pointer: OpaquePointer?

    init(_ attributes: [String: String]) {
        unsafe pointer = g_hash_table_new_full(
            { unsafe g_str_hash($0) }, { unsafe g_str_equal($0, $1) }, { unsafe g_free($0) },
            { unsafe g_free($0) })
        for (name, value) in attributes {
            unsafe g_hash_table_insert(pointer, Self.copied(name), Self.copied(value))
        }
    }

    deinit { unsafe g_hash_table_unref(pointer) }

    private static func copied(_ text: String) -> UnsafeMutableRawPointer? {
        unsafe text.withCString {
            unsafe UnsafeMutableRawPointer(g_strndup($0, UInt(text.utf8.count)))
        }
    }
}

/// The schema under which items are stored. It gives them a name by which other programs recognise
/// them (`xdg:schema`). Searches do not use it, because gnome-keyring loses it while an item is
/// locked.
@safe
struct ItemSchema: ~Copyable {
    let pointer: OpaquePointer?

    init(name: String, attributes: some Sequence<String>) {
        // The values are attribute types, as integers in pointers. Null is 0: a text.
        let types = unsafe g_hash_table_new_full(
            { unsafe g_str_hash($0) }, { unsafe g_str_equal($0, $1) }, { unsafe g_free($0) }, nil)
        for attribute in attributes {
            let copy = unsafe attribute.withCString {
                unsafe UnsafeMutableRawPointer(g_strndup($0, UInt(attribute.utf8.count)))
            }
            unsafe g_hash_table_insert(types, copy, nil)
        }
        unsafe pointer = secret_schema_newv(name, UInt32(SIGNET_SCHEMA_DONT_MATCH_NAME), types)
        unsafe g_hash_table_unref(types)
    }

    deinit { unsafe secret_schema_unref(pointer) }
}
