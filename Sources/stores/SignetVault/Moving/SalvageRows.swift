// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Copies the items of a damaged vault that open to a new vault, and reports what is lost:
/// `try SalvageRows(connection: connection, keys: keys).copy(to: vault, report: &report)`.
///
/// An item has two rows: one of the table `item`, with its id (a keyed hash of its names), the name
/// of its key, its sealed metadata (names, details, times), and a number; and the row of the table
/// `val` with this number, its sealed value. Any of these may be damaged.
struct SalvageRows {
    let connection: VaultConnection
    let keys: SalvageKeys

    /// Items kept in memory before they are written.
    private static let batchCount = 256
    private static let batchByteCount = 8 << 20

    /// Writes what opens to the vault, in batches, and reports the other rows as lost.
    func copy(to vault: FileVault, report: inout SalvageReport) throws(StoreError) {
        var batch: [NewItem] = []
        var byteCount = 0
        let rowKeys = try SalvagedRowKeys.items(of: connection)
        // The closure returns whether it has read the row of this id.
        let listed = try rowKeys.readRows { (id, query) throws(StoreError) -> Bool in
            guard let row = row(id, by: query), let (metadata, key) = metadata(of: row) else {
                return false
            }
            // The row was read even if its item is lost, which is reported then.
            guard let item = item(of: row, metadata: metadata, with: key, report: &report) else {
                return true
            }
            byteCount += item.value.byteCount
            batch.append(item)
            if batch.count >= Self.batchCount || byteCount >= Self.batchByteCount {
                try write(&batch, to: vault, report: &report)
                byteCount = 0
            }
            return true
        }
        reportUnreadRows(listed, to: &report)
        try write(&batch, to: vault, report: &report)
        reportMissingRows(to: &report, listedCount: listed.count)
    }

    private func reportUnreadRows(
        _ listed: SalvagedRowKeys.ListedKeys, to report: inout SalvageReport
    ) {
        var unreadIDs = listed.unread.sorted { $0.lexicographicallyPrecedes($1) }
        // A malformed key is reported without an id.
        if listed.hasMalformedKey { unreadIDs.insert([], at: 0) }
        for id in unreadIDs {
            report.lose("item", problem: "Its row is damaged, and its name cannot be read.", id: id)
        }
        if !listed.isComplete { report.lose("database", problem: "A page of it cannot be read.") }
    }

    /// Writes a batch, and empties it.
    private func write(
        _ batch: inout [NewItem], to vault: FileVault, report: inout SalvageReport
    ) throws(StoreError) {
        try vault.writing { (writer) throws(StoreError) in
            for item in batch { try writer.put(item) }
        }
        report.savedCount += batch.count
        batch = []
    }

    /// The item of a row with authentic metadata, if its value is authentic too.
    private func item(
        of row: ItemRow, metadata: ItemMetadata, with key: VaultKey, report: inout SalvageReport
    ) -> NewItem? {
        let id = row.id
        // Without the ring, and so its key for names, no name can be compared with its row.
        guard keys.ring == nil || (try? keys.ring?.itemID(for: metadata.key)) == id else {
            report.lose("item", problem: "Its row is another item's.", id: id, item: metadata.key)
            return nil
        }
        guard let value = value(of: row, with: key) else {
            report.lose(
                "value", problem: "Its value is damaged or gone.", id: id, item: metadata.key)
            return nil
        }
        return NewItem(
            key: metadata.key, value: SecretValue(value, type: metadata.valueType),
            details: metadata.details, created: metadata.created, modified: metadata.modified)
    }

    /// The row of this id; nil if it cannot be read, is malformed or is not found.
    private func row(_ id: [UInt8], by query: VaultQuery) -> ItemRow? {
        let row = try? connection.withRows(of: query, binding: id) {
            (statement) throws(StoreError) -> ItemRow? in
            try statement.step() ? try ItemRow(statement) : nil
        }
        return row?.id == id ? row : nil
    }

    /// The row's metadata, opened with any data key that fits: the row's key name may be damaged.
    private func metadata(of row: ItemRow) -> (ItemMetadata, VaultKey)? {
        for key in keys.dataKeys {
            if let metadata = try? ItemMetadata(
                opening: row.metadata.span, with: key, id: row.id.span, generation: row.generation)
            {
                return (metadata, key)
            }
        }
        return nil
    }

    /// The row's value; nil if it cannot be read, does not open or is not there.
    private func value(of row: ItemRow, with key: VaultKey) -> SecretKey? {
        let value = try? connection.withSealedValue(of: row) {
            (sealed) throws(StoreError) -> SecretKey? in
            guard VaultFormat.sealedValueByteCounts.contains(sealed.count) else { return nil }
            return try key.openPadded(
                sealed, as: .value, subject: row.id.span, generation: row.generation)
        }
        // The outer optional is nil without a row, the inner one for a length that no value has.
        return value ?? nil
    }

    /// Reports how many rows are gone: fewer were listed than the state counts. Reports the state
    /// itself if it cannot be read.
    private func reportMissingRows(to report: inout SalvageReport, listedCount: Int) {
        guard let octets = try? VaultTables.state(of: connection),
            let state = try? StateRecord(opening: octets.span, with: keys.root)
        else {
            return report.lose(
                "state", problem: "It cannot be read: whether rows are gone is not known.")
        }
        report.generation = state.generation
        let count = Int(clamping: state.count)
        guard count > listedCount else { return }
        let lost = count - listedCount
        let verb = lost == 1 ? "row is" : "rows are"
        report.lose(
            "item", problem: "\(lost) \(shown: verb) gone, and nothing names what was lost.")
    }
}
