// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The sealed data beside an item's value: its names, details and times. Sealing gives octets that
/// open only with the same key, id and generation (the number of the write).
///
///     fields, before padding (VAULT-FORMAT.md, "item and val"; integers are big-endian)
///     version, 1 byte: 1
///     lp(class), lp(access group), lp(service), lp(account)
///     lp(label), lp(comment)
///     created, modified: 8 bytes each, milliseconds since 1970
///     lp(value type)
///     number of attributes, 4 bytes
///     for each attribute, names ascending: lp(name), lp(value)
///
/// lp is a length of 4 bytes and as many bytes of UTF-8: lp("imap") is 00 00 00 04 69 6D 61 70.
package struct ItemMetadata: Sendable, Equatable {
    private static let version: UInt8 = 1

    package var key: ItemKey
    package var details: ItemDetails
    package var created: ItemTime
    package var modified: ItemTime
    package var valueType: ValueType

    package init(
        key: ItemKey, details: ItemDetails, created: ItemTime, modified: ItemTime,
        valueType: ValueType
    ) {
        self.key = key
        self.details = details
        self.created = created
        self.modified = modified
        self.valueType = valueType
    }

    // MARK: Sealed

    /// Seals the metadata for the row with this id.
    package func sealed(
        with key: VaultKey, id: Span<UInt8>, generation: UInt64, nonce: [UInt8]? = nil
    ) throws(StoreError) -> [UInt8] {
        let padded = try encodedAndPadded()
        return try padded.withExposedBytes { (bytes) throws(StoreError) in
            try key.seal(bytes, as: .meta, subject: id, generation: generation, nonce: nonce)
        }
    }

    /// Opens the metadata of the row with this id.
    ///
    /// - Parameter expected: the requested key. Another key in the record is damage. Without it,
    ///   the caller must compare the key's id with the row's.
    package init(
        opening sealed: Span<UInt8>, with key: VaultKey, id: Span<UInt8>, generation: UInt64,
        expecting expected: ItemKey? = nil
    ) throws(StoreError) {
        let padded = try key.open(sealed, as: .meta, subject: id, generation: generation)
        self = try padded.withExposedBytes { (bytes) throws(StoreError) -> ItemMetadata in
            guard let range = Padding.range(ofTextIn: bytes) else {
                throw .damaged(
                    RecordKind.meta.place, problem: "its padding is not as it is written")
            }
            return try ItemMetadata(decoding: bytes.extracting(range), expecting: expected)
        }
    }

    // MARK: Encoding

    /// The octets without padding, for tests and known answers.
    package func encoded() throws(StoreError) -> [UInt8] {
        let padded = try encodedAndPadded()
        return padded.withExposedBytes { bytes in
            Padding.range(ofTextIn: bytes).map { bytes.extracting($0).copied() } ?? []
        }
    }

    private func encodedAndPadded() throws(StoreError) -> SecretKey {
        let count = try checkedByteCount()
        let attributes = details.sortedAttributes
        let texts = [
            key.itemClass.rawValue.utf8, key.accessGroup.utf8, key.service.utf8, key.account.utf8,
            details.label.utf8, details.comment.utf8,
        ]
        // Writes in memory that is wiped.
        var writer = try Padding.begin(count: count)
        writer.append(Self.version)
        for text in texts { writer.appendPrefixed(text) }
        writer.append(created.milliseconds)
        writer.append(modified.milliseconds)
        writer.appendPrefixed(valueType.rawValue.utf8)
        writer.append(UInt32(truncatingIfNeeded: attributes.count))
        for (name, value) in attributes {
            writer.appendPrefixed(name.utf8)
            writer.appendPrefixed(value.utf8)
        }
        return try Padding.end(writer)
    }

    /// The number of octets without padding, for metadata within their limits.
    private func checkedByteCount() throws(StoreError) -> Int {
        try ItemLimits.check(key)
        try ItemLimits.check(details)
        try ItemLimits.check(valueType)
        let count = ItemLimits.metadataCount(key, details: details, type: valueType)
        guard count <= ItemLimits.metadata else {
            throw StoreError(
                .invalidItem,
                "Names, comment and attributes of an item take \(count) bytes together; "
                    + "\(ItemLimits.metadata) are allowed.")
        }
        return count
    }

    // MARK: Decoding

    /// Reads the octets without padding. Every octet must be as a writer writes it.
    package init(decoding bytes: Span<UInt8>, expecting expected: ItemKey? = nil) throws(StoreError)
    {
        guard bytes.count <= ItemLimits.metadata else {
            throw Self.malformed("its length is above \(ItemLimits.metadata) bytes")
        }
        var cursor = ByteCursor(bytes)
        let fields = try Self.fixedFields(&cursor, in: bytes)
        key = try Self.key(of: fields, in: bytes, expecting: expected)
        details = ItemDetails(
            label: try Self.text(bytes.extracting(fields.label)),
            comment: try Self.text(bytes.extracting(fields.comment)),
            attributes: try Self.attributes(&cursor, in: bytes))
        created = ItemTime(milliseconds: fields.created)
        modified = ItemTime(milliseconds: fields.modified)
        valueType = ValueType(rawValue: try Self.text(bytes.extracting(fields.valueType)))
        guard cursor.isAtEnd else { throw Self.malformed("bytes follow the last attribute") }
    }

    /// The fields before the attributes. Of a text only its range in the record is kept.
    private struct FixedFields {
        let itemClass, accessGroup, service, account: Range<Int>
        let label, comment: Range<Int>
        let created, modified: UInt64
        let valueType: Range<Int>
    }

    private static func fixedFields(
        _ cursor: inout ByteCursor, in bytes: Span<UInt8>
    ) throws(StoreError) -> FixedFields {
        guard cursor.integer(UInt8.self, in: bytes) == version else {
            throw malformed("its version is not \(version)")
        }
        guard let itemClass = cursor.prefixed(1...64, in: bytes),
            let accessGroup = cursor.prefixed(0...ItemLimits.accessGroup, in: bytes),
            let service = cursor.prefixed(1...ItemLimits.service, in: bytes),
            let account = cursor.prefixed(0...ItemLimits.account, in: bytes)
        else { throw malformed("a name is cut off, or is too short or too long") }
        guard let label = cursor.prefixed(0...ItemLimits.label, in: bytes),
            let comment = cursor.prefixed(0...ItemLimits.comment, in: bytes)
        else { throw malformed("its label or comment is cut off or too long") }
        guard let created = cursor.integer(UInt64.self, in: bytes),
            let modified = cursor.integer(UInt64.self, in: bytes),
            max(created, modified) <= VaultFormat.maximumInteger
        else { throw malformed("a time is cut off, or is above 2^63 - 1") }
        guard let valueType = cursor.prefixed(1...ItemLimits.valueType, in: bytes) else {
            throw malformed("its value type is cut off, or is too short or too long")
        }
        return FixedFields(
            itemClass: itemClass, accessGroup: accessGroup, service: service, account: account,
            label: label, comment: comment, created: created, modified: modified,
            valueType: valueType)
    }

    /// The names in the record, which must be the expected names if there are any.
    private static func key(
        of fields: FixedFields, in bytes: Span<UInt8>, expecting expected: ItemKey?
    ) throws(StoreError) -> ItemKey {
        if let expected {
            guard isText(expected.itemClass.rawValue, equalTo: bytes.extracting(fields.itemClass)),
                isText(expected.accessGroup, equalTo: bytes.extracting(fields.accessGroup)),
                isText(expected.service, equalTo: bytes.extracting(fields.service)),
                isText(expected.account, equalTo: bytes.extracting(fields.account))
            else { throw .damaged(RecordKind.meta.place, problem: "it is another item's") }
            return expected
        }
        guard let itemClass = ItemClass(rawValue: try text(bytes.extracting(fields.itemClass)))
        else { throw malformed("its class is unknown") }
        return ItemKey(
            service: try text(bytes.extracting(fields.service)),
            account: try text(bytes.extracting(fields.account)), itemClass: itemClass,
            accessGroup: try text(bytes.extracting(fields.accessGroup)))
    }

    private static func attributes(
        _ cursor: inout ByteCursor, in bytes: Span<UInt8>
    ) throws(StoreError) -> [String: String] {
        guard let count = cursor.integer(UInt32.self, in: bytes),
            count <= UInt32(ItemLimits.attributeCount)
        else {
            throw malformed("its number of attributes is cut off or too high")
        }
        var attributes: [String: String] = [:]
        var previousName: Range<Int>?
        for _ in 0..<count {
            guard let name = cursor.prefixed(1...ItemLimits.attributeName, in: bytes),
                let value = cursor.prefixed(0...ItemLimits.attributeValue, in: bytes)
            else { throw malformed("an attribute is cut off, or is too short or too long") }
            if let previousName {
                guard precedes(bytes.extracting(previousName), next: bytes.extracting(name)) else {
                    throw malformed("its attributes are not in order")
                }
            }
            previousName = name
            let valueText = try text(bytes.extracting(value))
            let nameText = try text(bytes.extracting(name))
            // Canonically equivalent names are equal as strings but differ in octets: neither may
            // displace the other.
            guard attributes.updateValue(valueText, forKey: nameText) == nil else {
                throw malformed("two of its attributes have equivalent names")
            }
        }
        return attributes
    }

    private static func text(_ octets: Span<UInt8>) throws(StoreError) -> String {
        guard let text = UTF8Text.string(octets) else {
            throw malformed("a text is not UTF-8")
        }
        return text
    }

    private static func isText(_ text: String, equalTo octets: Span<UInt8>) -> Bool {
        withSpan(of: text.utf8) { bytesAreEqual($0, octets) }
    }

    /// Whether `a` comes before `b`, octet by octet: the order of the names in a record.
    private static func precedes(_ a: Span<UInt8>, next b: Span<UInt8>) -> Bool {
        for index in 0..<min(a.count, b.count) where a[index] != b[index] {
            return a[index] < b[index]
        }
        return a.count < b.count
    }

    private static func malformed(_ problem: ErrorMessage) -> StoreError {
        .damaged(RecordKind.meta.place, problem: problem)
    }
}

extension SecretWriter {
    /// The length as u32 and the octets.
    mutating func appendPrefixed(_ octets: String.UTF8View) {
        append(UInt32(truncatingIfNeeded: octets.count))
        append(octets.span)
    }
}
