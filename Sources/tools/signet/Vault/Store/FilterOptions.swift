// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// Which items a command selects.
struct FilterOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only items of this service.", valueName: "name"))
    var service: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only items of this account.", valueName: "name"))
    var account: String?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("Only items of this class.", valueName: "name"),
        completion: .default)
    var itemClass: ItemClass?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only items of this access group.", valueName: "name"))
    var group: String?

    /// Whether all items are selected.
    var isEmpty: Bool { service == nil && account == nil && itemClass == nil && group == nil }

    func check() throws {
        guard service != "" else { throw CommandFailure.usage("No service has an empty name.") }
    }

    /// Whether an item is selected. Texts are compared by their octets, as in stores.
    var matching: @Sendable (StoredItem) -> Bool {
        let service = service
        let account = account
        let itemClass = itemClass
        let group = group
        let isSame: @Sendable (String?, String) -> Bool = { wanted, text in
            wanted.map { $0.utf8.elementsEqual(text.utf8) } ?? true
        }
        return { item in
            isSame(service, item.key.service) && isSame(account, item.key.account)
                && isSame(group, item.key.accessGroup)
                && (itemClass.map { $0 == item.key.itemClass } ?? true)
        }
    }

    /// The selected items. If a service and a group are given, the store is asked for their items
    /// alone and need not look at all items.
    func items(of store: any SecureStore) throws -> [StoredItem] {
        guard let service, let group else {
            return try waiting { try await store.allItems() }.filter(matching)
        }
        let found = try waiting { [itemClass] in
            try await store.list(service: service, itemClass: itemClass, accessGroup: group)
        }
        return found.filter(matching)
    }
}
