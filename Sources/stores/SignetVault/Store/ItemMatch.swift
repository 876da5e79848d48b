// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The items of a list or a removal.
package struct ItemMatch: Sendable {
    package let service: String
    package let itemClass: ItemClass?
    package let accessGroup: String

    /// - Throws: `emptyMatch` for an empty service, `invalidItem`.
    package init(service: String, itemClass: ItemClass?, accessGroup: String) throws(StoreError) {
        try ItemLimits.check(service: service, accessGroup: accessGroup)
        self.service = service
        self.itemClass = itemClass
        self.accessGroup = accessGroup
    }

    /// Whether a key matches. Texts are compared by their octets.
    package func matches(_ key: ItemKey) -> Bool {
        (itemClass == nil || itemClass == key.itemClass) && service.hasSameOctets(as: key.service)
            && accessGroup.hasSameOctets(as: key.accessGroup)
    }
}
