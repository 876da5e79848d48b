// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetCrypto
internal import SignetMemory
internal import SignetVault

/// An item as the keyring has it. The keyring's item has a secret, the text `signet1:` and
/// base64url of the bytes below, and attributes, which are text that is not secret.
///
///     offset  size  field (SECRET-SERVICE.md; n is the length; integers are big-endian)
///          0    16  kid, the name of the sealing key
///         16     8  generation (``ItemGeneration``): of two copies, the higher is the newer
///         24     4  length of the sealed metadata
///         28     n  the sealed metadata (names, details, times): nonce (24), ciphertext, tag (16)
///       28+n        the sealed value, in the same form
///
///     attribute   value
///     signet:key  kid, 32 hexadecimal digits
///     signet:id   the item's id, a keyed hash of its names, 64 hexadecimal digits
///
/// The sealing keys of a store, usually a single one, are its *ring*. Metadata and value are bound
/// to store, id and generation, so neither can replace its counterpart of a different item or
/// write.
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

    /// Opens a found item: its metadata now, its value when ``value()`` is called. The claims are
    /// its attributes, which any program of the user may have changed.
    ///
    /// - Throws: `corrupt` for anything that a store with a key of the ring did not write for this
    ///   item.
    init(opening text: SecretStorage, ring: SealingRing, claimedID: String?, claimedKey: String?)
        throws(StoreError)
    {
        guard let bytes = SecretText.decode(text, prefix: Self.prefix) else {
            throw .damagedItem("it is not sealed text")
        }
        guard let parts = bytes.withBytes({ Parts(parsing: $0) }) else {
            throw .damagedItem("it is cut off")
        }
        guard let key = ring.key(id: parts.keyID) else {
            throw .damagedItem("it was sealed with a key that is not in the keyring")
        }
        // A search for deleted keys relies on the name in this attribute.
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

    /// The fields of the bytes, which are not authentic yet.
    private struct Parts {
        let keyID: [UInt8]
        let generation: UInt64
        let metadata: [UInt8]
        let value: [UInt8]

        init?(parsing bytes: Span<UInt8>) {
            var cursor = ByteCursor(bytes)
            guard let keyID = cursor.octets(16, in: bytes),
                let generation = cursor.integer(UInt64.self, in: bytes),
                let metadata = cursor.prefixed(0...bytes.count, in: bytes),
                let value = cursor.octets(bytes.count - cursor.offset, in: bytes)
            else { return nil }
            self.keyID = keyID
            self.generation = generation
            self.metadata = bytes.extracting(metadata).copied()
            self.value = value
        }
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

    /// The item without its value.
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

    /// Identifies a write of an item: key, generation, and the tag at the end of the sealed value.
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
