// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The *ring*: the keys that are sealed under the root key. For example,
/// `try keys.itemID(for: key)` gives the 32 octets by which the file names an item.
///
/// - names: a key that hashes an item's names, so that the file does not show them;
/// - sums: a key that hashes rows to *elements*, whose XOR is a sum (``Accumulator``): the sums
///   show whether a row is missing or old;
/// - data: the keys that seal items, usually a single one. During a rotation there are two.
///
///     offset  size  field of a row of the ring, opened (VAULT-FORMAT.md, "ring")
///          0     1  purpose: N, S or D
///          1    32  key
package final class VaultKeys: Sendable {
    /// A key's purpose: the first octet of its record, an ASCII letter.
    enum Purpose: UInt8, Sendable {
        case names = 0x4E  // N
        case sums = 0x53  // S
        case data = 0x44  // D
    }

    /// A key and its form in the file.
    struct Member: Sendable {
        let purpose: Purpose
        let key: VaultKey
        let row: RingRow
    }

    package let vaultID: [UInt8]
    /// The keys that seal items, in no particular order.
    package let dataKeys: [VaultKey]
    private let members: [Member]
    private let names: MACKey
    private let sums: MACKey

    /// The rows as they stand in the file, ascending by their names.
    package var rows: [RingRow] { members.map(\.row) }

    /// - Throws: `corrupt` unless there is one key for names, one for sums, and any for data, and
    ///   no key twice.
    init(_ members: [Member], vaultID: [UInt8]) throws(StoreError) {
        try Self.requireRowCount(members.count)
        let sorted = members.sorted { $0.key.id.lexicographicallyPrecedes($1.key.id) }
        for (a, b) in zip(sorted, sorted.dropFirst()) where a.key.id == b.key.id {
            throw .damaged("key ring", problem: "a key is there twice")
        }
        let namesMembers = sorted.filter { $0.purpose == .names }
        let sumsMembers = sorted.filter { $0.purpose == .sums }
        dataKeys = sorted.filter { $0.purpose == .data }.map(\.key)
        guard namesMembers.count == 1, let namesMember = namesMembers.first,
            sumsMembers.count == 1, let sumsMember = sumsMembers.first, !dataKeys.isEmpty
        else {
            throw .damaged(
                "key ring",
                problem:
                    "it has \(namesMembers.count) keys for names and \(sumsMembers.count) for sums instead of 1 and 1, and \(dataKeys.count) for data"
            )
        }
        self.members = sorted
        self.vaultID = vaultID
        names = try MACKey.vault(namesMember.key.key)
        sums = try MACKey.vault(sumsMember.key.key)
    }

    /// Opens the rows of the ring.
    package convenience init(opening rows: [RingRow], with root: RootKeys) throws(StoreError) {
        try Self.requireRowCount(rows.count)
        var members: [Member] = []
        for row in rows { members.append(try Self.opened(row, with: root)) }
        try self.init(members, vaultID: root.vaultID)
    }

    private static func requireRowCount(_ count: Int) throws(StoreError) {
        guard count <= VaultFormat.maximumRingRowCount else {
            throw .damaged(
                "key ring",
                problem: "it has \(count) rows, more than \(VaultFormat.maximumRingRowCount)")
        }
    }

    /// The usable part of a damaged ring: the data keys that open, and a ring if the keys for names
    /// and sums also open.
    static func usablePart(of rows: [RingRow], with root: RootKeys) -> (
        dataKeys: [VaultKey], ring: VaultKeys?
    ) {
        // A row that does not open is left out, whatever its error: this is for a salvage.
        let members = rows.compactMap { try? opened($0, with: root) }
        let dataKeys = members.filter { $0.purpose == .data }.map(\.key)
        return (dataKeys, try? VaultKeys(members, vaultID: root.vaultID))
    }

    /// New keys for a new vault.
    package static func generate(for root: RootKeys) throws(StoreError) -> VaultKeys {
        try VaultKeys(
            [
                sealed(.newVaultKey(), purpose: .names, with: root),
                sealed(.newVaultKey(), purpose: .sums, with: root),
                sealed(.newVaultKey(), purpose: .data, with: root),
            ], vaultID: root.vaultID)
    }

    /// The ring with a new data key, and that key.
    package func addingDataKey(_ root: RootKeys) throws(StoreError) -> (
        ring: VaultKeys, key: VaultKey
    ) {
        guard members.count < VaultFormat.maximumRingRowCount else {
            throw StoreError(
                .unsupported, "The key ring is full: finish the rotation of data keys first.")
        }
        let member = try Self.sealed(.newVaultKey(), purpose: .data, with: root)
        return (try VaultKeys(members + [member], vaultID: vaultID), member.key)
    }

    /// The ring with only the named data keys.
    package func keepingDataKeys(_ identifiers: [[UInt8]]) throws(StoreError) -> VaultKeys {
        try VaultKeys(
            members.filter { $0.purpose != .data || identifiers.contains($0.key.id) },
            vaultID: vaultID)
    }

    /// The same keys, sealed under another root key.
    package func sealed(for root: RootKeys) throws(StoreError) -> VaultKeys {
        var sealed: [Member] = []
        for member in members {
            sealed.append(try Self.sealed(member.key.key, purpose: member.purpose, with: root))
        }
        return try VaultKeys(sealed, vaultID: root.vaultID)
    }

    /// The data key with this name; nil if there is none.
    package func dataKey(_ identifier: Span<UInt8>) -> VaultKey? {
        for key in dataKeys {
            let id = key.id
            if bytesAreEqual(id.span, identifier) { return key }
        }
        return nil
    }

    // MARK: Codes

    /// An item's name in the file: 32 octets.
    package func itemID(for key: ItemKey) throws(StoreError) -> [UInt8] {
        try names.nameCode(
            .item,
            parts: [
                key.itemClass.rawValue.utf8, key.accessGroup.utf8, key.service.utf8,
                key.account.utf8,
            ])
    }

    /// The group by which the file finds the items of a service: 16 octets.
    package func group(
        service: String, itemClass: ItemClass, accessGroup: String
    ) throws(StoreError) -> [UInt8] {
        let code = try names.nameCode(
            .group, parts: [itemClass.rawValue.utf8, accessGroup.utf8, service.utf8])
        return Array(code.prefix(VaultFormat.groupByteCount))
    }

    /// An item's element in the sums. The tags are the last 16 octets of the sealed metadata and of
    /// the sealed value.
    package func element(
        id: Span<UInt8>, generation: UInt64, metadataTag: Span<UInt8>, valueTag: Span<UInt8>
    ) throws(StoreError) -> Accumulator {
        // The layout: see `element(ofOctets:)`.
        var message = [UInt8]()
        message.reserveCapacity(Self.elementOctetCount)
        message.append(UInt8(ascii: "I"))
        id.append(to: &message)
        message.appendBigEndian(generation)
        metadataTag.append(to: &message)
        valueTag.append(to: &message)
        return try sumCode(message)
    }

    /// How many octets an item's element is made of: "I", id, generation, two tags.
    package static let elementOctetCount = 73
    /// How many octets a bucket's element is made of: "B", number, generation, tag.
    private static let bucketElementOctetCount = 27

    /// An item's element, of octets that are in order already: `I`, the id, the generation and the
    /// two tags.
    package func element(ofOctets octets: [UInt8]) throws(StoreError) -> Accumulator {
        // offset  size  field (VAULT-FORMAT.md, el)
        //      0     1  "I"
        //      1    32  id
        //     33     8  gen, big-endian
        //     41    16  tag of meta
        //     57    16  vt, the tag of the value
        guard octets.count == Self.elementOctetCount else {
            throw .damaged(
                "item",
                problem:
                    "its id, generation and tags have \(octets.count) bytes instead of \(Self.elementOctetCount)"
            )
        }
        return try sumCode(octets)
    }

    /// A bucket's element in the state's sum of buckets.
    package func bucketElement(number: UInt16, record: Span<UInt8>) throws(StoreError)
        -> Accumulator
    {
        // offset  size  field of the bucket's record that its element holds
        //      0     8  gen
        //     68    16  the tag, which is the end of 84 bytes
        guard record.count == VaultFormat.bucketByteCount else {
            throw .damaged(
                "bucket", byteCount: record.count,
                expected: VaultFormat.bucketByteCount...VaultFormat.bucketByteCount)
        }
        var message = [UInt8]()
        message.reserveCapacity(Self.bucketElementOctetCount)
        message.append(UInt8(ascii: "B"))
        message.appendBigEndian(number)
        record.extracting(0..<8).append(to: &message)
        record.extracting(last: VaultFormat.tagByteCount).append(to: &message)
        return try sumCode(message)
    }

    /// The keyed hash of an element's octets.
    private func sumCode(_ message: [UInt8]) throws(StoreError) -> Accumulator {
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            Accumulator(code: try sums.code256(for: message.span))
        }
    }

    // MARK: Rows

    /// A key as a member of the ring, with its sealed row.
    private static func sealed(
        _ key: SecretKey, purpose: Purpose, with root: RootKeys
    ) throws(StoreError) -> Member {
        let vaultKey = try VaultKey(key, vaultID: root.vaultID)
        var writer = SecretWriter(count: 1 + VaultFormat.keyByteCount)
        writer.append(purpose.rawValue)
        key.withExposedBytes { writer.append($0) }
        guard let plain = writer.finish() else {
            throw StoreError(
                .invalidParameter, "A key of the ring has \(VaultFormat.keyByteCount) bytes.")
        }
        let id = vaultKey.id
        let sealed = try plain.withBytes { (bytes) throws(StoreError) in
            try root.wrap.seal(bytes, as: .ring, subject: id.span, generation: 0)
        }
        return Member(purpose: purpose, key: vaultKey, row: try RingRow(keyID: id, sealed: sealed))
    }

    /// The key of a row, which must be the key that the row names.
    private static func opened(_ row: RingRow, with root: RootKeys) throws(StoreError) -> Member {
        let plain = try root.wrap.open(
            row.sealed.span, as: .ring, subject: row.keyID.span, generation: 0)
        var purpose: Purpose?
        var key: SecretKey?
        plain.withExposedBytes { bytes in
            guard bytes.count == 1 + VaultFormat.keyByteCount else { return }
            purpose = Purpose(rawValue: bytes[0])
            key = SecretKey(copying: bytes.extracting(1..<bytes.count))
        }
        guard let purpose, let key else {
            throw .damaged("key ring", problem: "a key is for no known purpose")
        }
        let vaultKey = try VaultKey(key, vaultID: root.vaultID)
        guard vaultKey.id == row.keyID else {
            throw .damaged("key ring", problem: "a key has another one's name")
        }
        return Member(purpose: purpose, key: vaultKey, row: row)
    }
}
