// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SecretServiceBridge
internal import SignetCrypto
internal import SignetVault

/// An item as it is kept in a secret of the service: `signet1:` and base64url of
///
///     key name (16) ‖ generation u64 ‖ length of the sealed metadata u32 ‖ sealed metadata ‖ sealed value
///
/// sealed and padded as in the vault's format, bound to the store, the item's id and the generation, so that neither half passes for that
/// of another item or of another writing of this one.
///
/// Of two copies of an item the one with the higher generation (``ItemGeneration``) is the newer one.
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

    /// Opens what was found, its metadata at once and its value when asked.
    ///
    /// - Throws: `corrupt` for everything that was not written by a store with a key of the ring, for this item.
    init(opening text: SecretStorage, ring: SealingRing, claimedID: String?, claimedKey: String?)
        throws(StoreError)
    {
        guard let bytes = SecretText.decode(text, prefix: Self.prefix) else {
            throw .damagedItem("it is not sealed text")
        }
        let parts: (key: [UInt8], generation: UInt64, metadata: [UInt8], value: [UInt8])? =
            bytes.withBytes {
                span in
                guard span.count >= Self.headByteCount else { return nil }
                let length = Self.integer(span, 24..<28)
                guard length <= UInt64(span.count - Self.headByteCount) else { return nil }
                let end = Self.headByteCount + Int(length)
                return (
                    span.extracting(0..<16).copied(), Self.integer(span, 16..<24),
                    span.extracting(Self.headByteCount..<end).copied(),
                    span.extracting(end..<span.count).copied()
                )
            }
        guard let parts else { throw .damagedItem("it is cut off") }
        guard let key = ring.key(id: parts.key) else {
            throw .damagedItem("it was sealed with a key that is not in the keyring")
        }
        // The name by which deleted keys are noticed.
        guard claimedKey == key.id.hexadecimal else {
            throw .damagedItem("its attributes were changed")
        }
        self.key = key
        generation = parts.generation
        sealedValue = parts.value
        // The id is what the names inside come to, not what the attribute says.
        guard let claimedID, let id = Self.octets(hexadecimal: claimedID) else {
            throw .damagedItem("its attributes were changed")
        }
        self.id = id
        do throws(StoreError) {
            metadata = try ItemMetadata(
                opening: parts.metadata.span, with: key.data, id: id.span, generation: generation)
        } catch {
            throw error.code == .corrupt ? .damagedItem("its metadata does not open") : error
        }
        guard try key.itemID(metadata.key) == id else { throw .damagedItem("it is another item's") }
        var head = InlineArray<8, UInt8>(repeating: 0)
        for index in 0..<8 {
            head[index] = UInt8(truncatingIfNeeded: generation >> UInt64(56 - 8 * index))
        }
        revision = ItemRevision(octets: key.id + head.span.copied() + Array(parts.value.suffix(16)))
    }

    /// Opens the value.
    func value() throws(StoreError) -> SecretValue {
        do throws(StoreError) {
            return SecretValue(
                try key.data.openPadded(
                    sealedValue.span, .value, subject: id.span, generation: generation),
                type: metadata.valueType)
        } catch {
            throw error.code == .corrupt ? .damagedItem("its value does not open") : error
        }
    }

    var item: StoredItem {
        StoredItem(
            key: metadata.key, details: metadata.details, created: metadata.created,
            modified: metadata.modified,
            valueType: metadata.valueType, revision: revision)
    }

    // MARK: Writing

    /// The text of an item, and the revision that it will be read as.
    static func seal(
        _ metadata: ItemMetadata, _ value: SecretValue, with key: RingKey, generation: UInt64
    ) throws(StoreError) -> (text: SecretStorage, revision: ItemRevision) {
        let id = try key.itemID(metadata.key)
        let sealedMetadata = try metadata.sealed(
            with: key.data, id: id.span, generation: generation)
        let sealedValue = try value.withExposedBytes { (bytes) throws(StoreError) in
            try key.data.sealPadded(bytes, .value, subject: id.span, generation: generation)
        }
        var bytes = key.id
        bytes.reserveCapacity(headByteCount + sealedMetadata.count + sealedValue.count)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: generation >> shift))
        }
        let head = bytes
        let length = UInt32(truncatingIfNeeded: sealedMetadata.count)
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: length >> shift))
        }
        bytes.append(contentsOf: sealedMetadata)
        bytes.append(contentsOf: sealedValue)
        return (
            SecretText.encode(bytes.span, prefix: prefix),
            ItemRevision(octets: head + Array(sealedValue.suffix(16)))
        )
    }

    private static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var value: UInt64 = 0
        for index in range { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    /// 32 octets from lowercase digits.
    private static func octets(hexadecimal text: String) -> [UInt8]? {
        guard text.utf8.count == 64 else { return nil }
        var octets: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            let digit: UInt8
            switch character {
            case 0x30...0x39: digit = character - 0x30
            case 0x61...0x66: digit = character - 0x57
            default: return nil
            }
            if let first = high {
                octets.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return octets
    }
}
