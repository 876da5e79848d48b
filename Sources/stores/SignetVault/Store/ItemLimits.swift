// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The limits of an item's parts, in octets. Every store has the limits of
/// Documentation/VAULT-FORMAT.md, so an item can always move to another store. A store calls the
/// checks before it does anything: `try ItemLimits.check(key)` throws `invalidItem` for an account
/// of 1,025 octets.
///
/// An item is found by its key (service, account, class, access group). Its details are a label, a
/// comment and attributes, which are pairs of a name and a value.
public enum ItemLimits {
    /// Longest access group.
    public static let accessGroup = 255
    /// Longest service; the shortest has 1.
    public static let service = 1024
    /// Longest account.
    public static let account = 1024
    /// Longest label.
    public static let label = 1024
    /// Longest comment.
    public static let comment = 4096
    /// Longest text of a value's type; the shortest has 1.
    public static let valueType = 64
    /// Most attributes.
    public static let attributeCount = 64
    /// Longest name of an attribute; the shortest has 1.
    public static let attributeName = 128
    /// Longest value of an attribute.
    public static let attributeValue = 4096
    /// Longest value: 16 MiB.
    public static let value = 16_777_216
    /// The most for all parts beside the value together, as the vault encodes them.
    public static let metadata = 65_536

    /// Checks that a key's service is not empty, and that its texts are within their limits.
    ///
    /// - Throws: `invalidItem`.
    public static func check(_ key: ItemKey) throws(StoreError) {
        guard !key.service.utf8.isEmpty else {
            throw StoreError(.invalidItem, "An item's service is not empty.")
        }
        try check("service", text: key.service, limit: service)
        try check("account", text: key.account, limit: account)
        try check("access group", text: key.accessGroup, limit: accessGroup)
    }

    /// Checks the lengths of label, comment and attributes, and the number of attributes.
    ///
    /// - Throws: `invalidItem`.
    public static func check(_ details: ItemDetails) throws(StoreError) {
        try check("label", text: details.label, limit: label)
        try check("comment", text: details.comment, limit: comment)
        guard details.attributes.count <= attributeCount else {
            throw StoreError(
                .invalidItem,
                "An item has at most \(attributeCount) attributes, not \(details.attributes.count)."
            )
        }
        for (name, value) in details.attributes {
            guard !name.utf8.isEmpty else {
                throw StoreError(.invalidItem, "The name of an attribute is not empty.")
            }
            try check("name of an attribute", text: name, limit: attributeName)
            try check("value of an attribute", text: value, limit: attributeValue)
        }
    }

    /// Checks a value's length and the text of its type.
    ///
    /// - Throws: `tooLarge`, `invalidValue`.
    public static func check(_ value: SecretValue) throws(StoreError) {
        guard value.byteCount <= Self.value else {
            throw StoreError(
                .tooLarge, "A value has at most \(Self.value) bytes, this one \(value.byteCount).")
        }
        try check(value.type)
    }

    /// Checks the text of a value's type.
    ///
    /// - Throws: `invalidValue`.
    public static func check(_ type: ValueType) throws(StoreError) {
        let count = type.rawValue.utf8.count
        guard (1...valueType).contains(count) else {
            throw StoreError(
                .invalidValue, "The type of a value has 1 to \(valueType) octets, not \(count).")
        }
    }

    /// Checks a whole item, including the total of its parts.
    ///
    /// - Throws: `invalidItem`, `tooLarge`, `invalidValue`.
    public static func check(key: ItemKey, value: SecretValue, details: ItemDetails?)
        throws(StoreError)
    {
        try check(key)
        try check(value)
        guard let details else { return }
        try check(details)
        let count = metadataCount(key, details: details, type: value.type)
        guard count <= metadata else {
            throw StoreError(
                .invalidItem,
                "Key, label, comment and attributes have at most \(metadata) octets together, "
                    + "not \(count).")
        }
    }

    /// Checks the parameters of a list, a search or a clearance.
    ///
    /// - Throws: `emptyMatch` for an empty service, `invalidItem`.
    public static func check(service: String, accessGroup: String) throws(StoreError) {
        guard !service.utf8.isEmpty else {
            throw StoreError(
                .emptyMatch, "Name the service: an empty one would match what was not named.")
        }
        try check("service", text: service, limit: Self.service)
        try check("access group", text: accessGroup, limit: Self.accessGroup)
    }

    private static func check(_ part: String, text: String, limit most: Int) throws(StoreError) {
        guard text.utf8.count <= most else {
            throw StoreError(
                .invalidItem,
                "The \(shown: part) has \(text.utf8.count) octets, more than the \(most) allowed.")
        }
    }

    /// Octets of the metadata in the vault (``ItemMetadata``), whatever the order of the parts. All
    /// lengths were checked.
    static func metadataCount(_ key: ItemKey, details: ItemDetails, type: ValueType) -> Int {
        let texts = [
            key.itemClass.rawValue, key.accessGroup, key.service, key.account, details.label,
            details.comment, type.rawValue,
        ]
        // Each text follows its length, of 4 octets.
        let textsCount = texts.reduce(0) { $0 + 4 + $1.utf8.count }
        let attributesCount = details.attributes.reduce(0) {
            $0 + 4 + $1.key.utf8.count + 4 + $1.value.utf8.count
        }
        // The version, 1 octet; two times, 8 octets each; the number of attributes, 4.
        return 1 + textsCount + 2 * 8 + 4 + attributesCount
    }
}
