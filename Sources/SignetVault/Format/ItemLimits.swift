// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The longest texts of an item, in octets of UTF-8, and the checks before anything is written.
package enum ItemLimits {
    package static let itemClass = 1...64
    package static let accessGroup = 0...255
    package static let service = 1...1024
    package static let account = 0...1024
    package static let label = 0...1024
    package static let comment = 0...4096
    package static let valueType = 1...64
    package static let attributeCount = 64
    package static let attributeName = 1...128
    package static let attributeValue = 0...4096
    package static let value = 0...VaultFormat.maximumValueByteCount

    /// - Throws: `invalidItem`, with a message that names the part and not its content.
    package static func check(_ key: ItemKey) throws(StoreError) {
        try check(key.itemClass.rawValue, itemClass, "class")
        try check(key.accessGroup, accessGroup, "access group")
        try check(key.service, service, "service")
        try check(key.account, account, "account")
    }

    /// - Throws: `invalidItem`, with a message that names the part and not its content.
    package static func check(_ details: ItemDetails) throws(StoreError) {
        try check(details.label, label, "label")
        try check(details.comment, comment, "comment")
        guard details.attributes.count <= attributeCount else {
            throw StoreError(.invalidItem, "An item has at most \(attributeCount) attributes.")
        }
        for (name, value) in details.attributes {
            try check(name, attributeName, "name of an attribute")
            try check(value, attributeValue, "value of an attribute")
        }
    }

    /// - Throws: `invalidItem`.
    package static func check(_ type: ValueType) throws(StoreError) {
        try check(type.rawValue, valueType, "type of a value")
    }

    /// - Throws: `tooLarge`, or `invalidItem` for its type.
    package static func check(_ value: SecretValue) throws(StoreError) {
        try check(value.type)
        guard self.value.contains(value.byteCount) else {
            throw StoreError(.tooLarge, "A value has at most \(self.value.upperBound) bytes.")
        }
    }

    private static func check(_ text: String, _ lengths: ClosedRange<Int>, _ name: String) throws(StoreError)
    {
        let count = text.utf8.count
        guard !lengths.contains(count) else { return }
        throw StoreError(
            .invalidItem,
            "The \(name) has \(count) bytes of UTF-8; \(lengths.lowerBound) to \(lengths.upperBound) are allowed."
        )
    }
}
