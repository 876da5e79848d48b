// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The keys of a damaged vault, found by `try SalvageKeys(connection, with: method)`:
/// 1. the head names the vault, and its *epoch*, the number of its root key;
/// 2. any *slot* that opens gives the root key: it is sealed there for one way to unlock;
/// 3. the root key opens the *ring*, the table of the other keys: the data keys, which seal items,
///    and the keys for names and sums. Rows that do not open are left out.
///
/// The head's code over slots and ring is not checked.
struct SalvageKeys {
    let vaultID: [UInt8]
    let root: RootKeys
    let dataKeys: [VaultKey]
    /// Nil if the keys for names and sums are lost: then no name is compared with its row.
    let ring: VaultKeys?

    /// How many epochs to try if the head's epoch is damaged: each rotation of the root key adds
    /// one.
    private static let epochLimit: UInt32 = 256

    init(_ connection: VaultConnection, with method: any UnlockMethod) throws(StoreError) {
        let head = try HeadRecord(parsing: VaultTables.head(of: connection))
        vaultID = head.vaultID
        // A row of another length is left out: it cannot be opened.
        let ringRows = try Self.readableRows(.ring(of: connection)).compactMap { row in
            try? RingRow(keyID: row.id, sealed: row.octets)
        }
        var rootKeys = try Self.openAnySlot(of: connection, head: head, with: method)
        var usable = VaultKeys.usablePart(of: ringRows, with: rootKeys)
        // With a wrong epoch nothing opens: the keys that open the ring are derived from it.
        var epoch: UInt32 = 1
        while usable.dataKeys.isEmpty, epoch <= Self.epochLimit {
            rootKeys = try RootKeys(root: rootKeys.root, vaultID: head.vaultID, epoch: epoch)
            usable = VaultKeys.usablePart(of: ringRows, with: rootKeys)
            epoch += 1
        }
        guard !usable.dataKeys.isEmpty else {
            throw .damaged("key ring", problem: "no data key of it opens")
        }
        root = rootKeys
        dataKeys = usable.dataKeys
        ring = usable.ring
    }

    /// The root key from the first slot that opens.
    private static func openAnySlot(
        of connection: VaultConnection, head: HeadRecord, with method: any UnlockMethod
    ) throws(StoreError) -> RootKeys {
        // A malformed slot is left out: another slot may open.
        let slots = try readableRows(.slots(of: connection)).compactMap { row in
            try? SlotRecord(parsing: row.octets, rowID: row.id)
        }
        // The limits are checked before the first derivation runs.
        guard !slots.isEmpty else {
            throw .damaged("key slots", problem: "none of them can be read")
        }
        try SlotRecord.checkCounts(slots)
        var reason = StoreError(
            .authenticationFailure, "No key slot opens with this passphrase or key.")
        for slot in slots {
            do throws(StoreError) {
                return try FileVault.root(
                    [slot], vaultID: head.vaultID, epoch: head.epoch, with: method)
            } catch {
                // Reports the first error that says more than that the slot has another key.
                if reason.code == .authenticationFailure { reason = error }
            }
        }
        throw reason
    }

    /// The rows of a small table that can be read, whatever is wrong with the other rows.
    ///
    /// - Parameter keys: the rows' ids, as they are listed from either end of the table.
    private static func readableRows(
        _ keys: SalvagedRowKeys
    ) throws(StoreError) -> [(id: [UInt8], octets: [UInt8])] {
        var rows: [(id: [UInt8], octets: [UInt8])] = []
        _ = try keys.readRows { (key, query) throws(StoreError) -> Bool in
            // A row on a damaged page is left out, like a row that the query does not find.
            let octets = try? keys.connection.withRows(of: query, binding: key) {
                (row) throws(StoreError) -> [UInt8]? in
                try row.step() && row.blob(.rowKey) == key ? row.blob(.record) : nil
            }
            guard let octets else { return false }
            rows.append((key, octets))
            return true
        }
        return rows
    }
}
