// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault

extension FuzzTarget {
    /// Changes of a vault's file, four bytes each: the page, the place in it and the new value. An
    /// item that is read has the value that was stored, and in a vault without a finding all are
    /// there.
    static let vault = FuzzTarget(
        "vault", seeds: sampleChanges()
    ) { input in
        let fixture = try VaultFixture.shared.get()
        let opened = Result {
            try fixture.withVault(input) { vault in
                let values = fixture.items.map { item in
                    Result { try vault.read { reader in try reader.entry(item.key) } }
                }
                return (isClean: (try? vault.verify().isClean) == true, values: values)
            }
        }
        guard case .success(let found) = opened else { return false }
        for (item, value) in zip(fixture.items, found.values) {
            let entry = try? value.get()
            guard entry != nil || found.isClean else { continue }
            let isSame = entry?.value.withExposedBytes { bytes in
                item.value.elementsEqual(bytes.indices.map { bytes[$0] })
            }
            try hold(isSame == true, "an item has the value that was stored")
        }
        return true
    }

    /// A kind of record as the first byte, and what is sealed in it with the known key. A record
    /// that opens is sealed again and opens as itself.
    static let records = FuzzTarget(
        "records",
        seeds: try sampleRecords()
    ) { input in
        guard let kind = input.first else { return false }
        let root = try hold("a root key is made") { try rootKeys.get() }
        let plain = Array(input.dropFirst())
        switch kind % 5 {
        case 0: return try metadata(plain)
        case 1: return try state(plain, root: root)
        case 2: return try bucket(plain, root: root)
        case 3:
            guard let slot = try? SlotRecord(parsing: plain, rowID: nil) else { return false }
            let key = SecretKey(copying: [UInt8](repeating: 4, count: 32))
            try hold(
                (try? slot.openRoot(with: key, vaultID: vaultID)) == nil,
                "a slot does not open with a foreign key")
        default:
            guard let head = try? HeadRecord(parsing: plain) else { return false }
            try hold(
                (try? head.check(root, slots: [], ring: [])) == nil,
                "a head does not stand for other slots")
        }
        return true
    }

    private static func metadata(_ plain: [UInt8]) throws -> Bool {
        guard let metadata = try? ItemMetadata(decoding: plain.span) else { return false }
        let written = try hold("metadata are written") { try metadata.encoded() }
        try hold(written == plain, "metadata have one form")
        return true
    }

    private static func state(_ plain: [UInt8], root: RootKeys) throws -> Bool {
        let record = try sealed(plain, as: .state, subject: [], root: root)
        let opened = Result { try StateRecord(opening: record.span, with: root) }
        guard case .success(let state) = opened else { return false }
        let again = try state.sealed(with: root)
        try hold(StateRecord(opening: again.span, with: root) == state, "a state opens as itself")
        return true
    }

    private static func bucket(_ plain: [UInt8], root: RootKeys) throws -> Bool {
        let record = try sealed(plain, as: .bucket, subject: [0, 1], root: root)
        let opened = Result { try BucketRecord(opening: record.span, number: 1, with: root) }
        guard case .success(let bucket) = opened else { return false }
        let again = try bucket.sealed(number: 1, with: root)
        try hold(
            BucketRecord(opening: again.span, number: 1, with: root) == bucket,
            "a bucket opens as itself")
        return true
    }

    /// A record of generation 1.
    private static func sealed(
        _ plain: [UInt8], as kind: RecordKind, subject: [UInt8], root: RootKeys
    ) throws -> [UInt8] {
        try [0, 0, 0, 0, 0, 0, 0, 1]
            + root.state.seal(plain.span, as: kind, subject: subject.span, generation: 1)
    }

    /// None, some of SQLite's header, and one in each quarter of the first pages.
    private static func sampleChanges() -> [[UInt8]] {
        var changes: [[UInt8]] = [
            [], [0, 0, 18, 2], [0, 0, 100, 5], [0, 0, 28, 255, 0, 0, 24, 1],
        ]
        for page in 0 as UInt8..<12 {
            for quarter in 0 as UInt8..<4 { changes.append([page, quarter * 4, 9, 0xff]) }
        }
        return changes
    }

    private static func sampleRecords() throws -> [[UInt8]] {
        let metadata = try ItemMetadata(
            key: ItemKey(service: "example.com", account: "alice"), details: ItemDetails(),
            created: ItemTime(milliseconds: 1), modified: ItemTime(milliseconds: 2),
            valueType: ValueType(rawValue: "text")
        ).encoded()
        let root = try rootKeys.get()
        let slot = try SlotRecord.make(
            RawKeyUnlock(SecretKey(copying: [UInt8](repeating: 3, count: 32)))
                .newSlot(id: vaultID, vaultID: vaultID),
            id: vaultID, root: root)
        let head = try HeadRecord.make(
            root, created: ItemTime(milliseconds: 1), slots: [slot], ring: [])
        return [
            [0] + metadata, [1] + [UInt8](repeating: 0, count: 120),
            [2, 0, 0, 0, 1] + [UInt8](repeating: 9, count: 32), [3] + slot.bytes,
            [4] + head.bytes,
        ]
    }

    private static let vaultID = [UInt8](0..<16)
    private static let rootKeys = Result {
        try RootKeys(
            root: SecretKey(copying: [UInt8](repeating: 9, count: 32)), vaultID: vaultID, epoch: 1)
    }
}
