// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetCrypto
internal import SignetMemory
internal import SignetVault

/// An item as it is kept in a secret of the service: `signet1:` and base64url of
///
///     key name (16) ‖ generation u64 ‖ length of the sealed metadata u32 ‖ sealed metadata ‖
///     sealed value
///
/// Metadata and value are sealed and padded as in the vault's format. They are bound to the store,
/// the item's id and the generation, so neither can replace its counterpart of another item or of
/// another write of this item.
///
/// If an item has two copies, the copy with the higher generation (``ItemGeneration``) is newer.
struct SealedItem {
    static let prefix: StaticString = "signet1:"
    private static let headByteCount = 28

    let generation: UInt64
    let metadata: ItemMetadata
    let revision: ItemRevision
    private let key: RingKey
    private let id: [UInt8]
    private let sealedValue: [UInt8]

    // MARK: Reading

    /// Opens a found item: its metadata now, its value when ``value()`` is called.
    ///
    /// - Throws: `corrupt` for anything that a store with a key of the ring did not write for this
    ///   item.
    init(opening text: SecretStorage, ring: SealingRing, claimedID: String?, claimedKey: String?)
        throws(StoreError)
    {
        // The secret is text: "signet1:" and base64url of the bytes below.
        guard let bytes = SecretText.decode(text, prefix: Self.prefix) else {
            throw .damagedItem("it is not sealed text")
        }
        let parts = bytes.withBytes {
            span -> (key: [UInt8], generation: UInt64, metadata: [UInt8], value: [UInt8])? in
            var cursor = ByteCursor(span)
            // offset  size  field (SECRET-SERVICE.md; n is the length)
            //      0    16  kid of the key of the ring
            //     16     8  generation, big-endian
            //     24     4  length of the sealed metadata
            //     28     n  the sealed metadata: nonce (24), ciphertext, tag (16)
            //   28+n        the sealed value, in the same form
            guard let key = cursor.octets(16, in: span),
                let generation = cursor.integer(UInt64.self, in: span),
                let metadata = cursor.prefixed(0...span.count, in: span),
                let value = cursor.octets(span.count - cursor.offset, in: span)
            else { return nil }
            return (key, generation, span.extracting(metadata).copied(), value)
        }
        guard let parts else { throw .damagedItem("it is cut off") }
        guard let key = ring.key(id: parts.key) else {
            throw .damagedItem("it was sealed with a key that is not in the keyring")
        }
        // A search for deleted keys relies on the name in this attribute.
        // attribute   value
        // signet:key  kid of the key that sealed it, 32 hexadecimal digits
        // signet:id   the item's id, 64 hexadecimal digits
        guard claimedKey == key.id.hexadecimal else {
            throw .damagedItem("its attributes were changed")
        }
        self.key = key
        generation = parts.generation
        sealedValue = parts.value
        // The id must follow from the sealed names, not from the attribute.
        guard let claimedID, let id = Self.octets(hexadecimal: claimedID) else {
            throw .damagedItem("its attributes were changed")
        }
        self.id = id
        do {
            metadata = try ItemMetadata(
                opening: parts.metadata.span, with: key.data, id: id.span, generation: generation)
        } catch {
            throw error.code == .corrupt ? .damagedItem("its metadata does not open") : error
        }
        guard try key.itemID(metadata.key) == id else { throw .damagedItem("it is another item's") }
        revision = Self.revision(key.id, generation: generation, value: parts.value)
    }

    /// Opens the value.
    func value() throws(StoreError) -> SecretValue {
        do {
            return SecretValue(
                try key.data.openPadded(
                    sealedValue.span, as: .value, subject: id.span, generation: generation),
                type: metadata.valueType)
        } catch {
            throw error.code == .corrupt ? .damagedItem("its value does not open") : error
        }
    }

    var item: StoredItem {
        StoredItem(
            key: metadata.key, details: metadata.details, created: metadata.created,
            modified: metadata.modified, valueType: metadata.valueType, revision: revision)
    }

    // MARK: Writing

    /// The text of an item, and the revision that it will have when read.
    static func seal(
        _ metadata: ItemMetadata, value: SecretValue, with key: RingKey, generation: UInt64
    ) throws(StoreError) -> (text: SecretStorage, revision: ItemRevision) {
        let id = try key.itemID(metadata.key)
        let sealedMetadata = try metadata.sealed(
            with: key.data, id: id.span, generation: generation)
        let sealedValue = try value.withExposedBytes { (bytes) throws(StoreError) in
            try key.data.sealPadded(bytes, as: .value, subject: id.span, generation: generation)
        }
        var bytes = key.id
        bytes.reserveCapacity(headByteCount + sealedMetadata.count + sealedValue.count)
        bytes.appendBigEndian(generation)
        bytes.appendPrefixed(sealedMetadata)
        bytes.append(contentsOf: sealedValue)
        return (
            SecretText.encode(bytes.span, prefix: prefix),
            revision(key.id, generation: generation, value: sealedValue)
        )
    }

    private static func revision(_ keyID: [UInt8], generation: UInt64, value: [UInt8])
        -> ItemRevision
    {
        var octets = keyID
        octets.appendBigEndian(generation)
        return ItemRevision(octets: octets + value.suffix(VaultFormat.tagByteCount))
    }

    /// 32 octets from 64 lowercase hexadecimal digits; nil for any other text.
    private static func octets(hexadecimal text: String) -> [UInt8]? {
        let digitCount = 2 * VaultFormat.itemIDByteCount
        guard text.utf8.count == digitCount else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        let values = text.utf8.compactMap { digits.firstIndex(of: $0) }
        guard values.count == digitCount else { return nil }
        return stride(from: 0, to: digitCount, by: 2).map {
            UInt8(truncatingIfNeeded: values[$0] << 4 | values[$0 + 1])
        }
    }
}
