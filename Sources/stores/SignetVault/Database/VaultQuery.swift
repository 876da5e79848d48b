// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Every statement that a vault runs on rows, for ``VaultConnection``. Constant text: no input ever
/// becomes SQL. ``VaultColumn`` names the columns of the rows, in the order of ``sql``.
///
/// Fields that the format limits are cut off in SQL (`sized`), so a hostile file with a head of 30
/// MB or ten million slots costs no memory.
enum VaultQuery: Int, CaseIterable {
    // Transactions.
    case begin, beginImmediate, commit, rollback
    // The small tables.
    case head, slots, ring, state, bucket, buckets
    // The same, from either end of a damaged table.
    case slotKeys, slotKeysFromTheLast, slot, slotFromTheLast
    case ringKeys, ringKeysFromTheLast, ringRow, ringRowFromTheLast
    // Items.
    case entry, item, itemTags, group, items, itemsBehind, itemOfOtherKey
    case value, valueTag, otherOfValue, lastValue
    // Items, from either end of a damaged table.
    case itemKeys, itemKeysFromTheLast, itemFromTheLast
    // Writing.
    case insertHead, insertState, putHead, putState
    case putSlot, dropSlot, putRing, dropRing, putBucket, dropBucket
    case insertItem, updateItem, moveValue, dropItem, insertValue, updateValue, dropValue
    // The database itself.
    case schema, countValues, orphanValues, integrity, dataVersion

    /// The number of rows for a query with a limit that is to give all of them.
    static let unlimited = Int64.max

    var sql: String {
        switch self {
        case .begin: "BEGIN"
        case .beginImmediate: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"

        case .head: "SELECT k,\(Self.headRecord) FROM head LIMIT 2"
        case .slots:
            "SELECT \(Self.slotID),\(Self.slotRecord) FROM slot ORDER BY id LIMIT \(VaultFormat.maximumSlotCount + 1)"
        case .ring:
            "SELECT \(Self.keyID),\(Self.sealedKey) FROM ring ORDER BY kid LIMIT \(VaultFormat.maximumRingRowCount + 1)"
        case .slotKeys: "SELECT \(Self.slotID) FROM slot ORDER BY id"
        case .slotKeysFromTheLast:
            "SELECT \(Self.slotID) FROM slot ORDER BY id DESC"
        case .slot: "SELECT id,\(Self.slotRecord) FROM slot WHERE id=?1"
        case .slotFromTheLast:
            "SELECT \(Self.slotID),\(Self.slotRecord) FROM slot WHERE id<=?1 ORDER BY id DESC LIMIT 1"
        case .ringKeys: "SELECT \(Self.keyID) FROM ring ORDER BY kid"
        case .ringKeysFromTheLast:
            "SELECT \(Self.keyID) FROM ring ORDER BY kid DESC"
        case .ringRow: "SELECT kid,\(Self.sealedKey) FROM ring WHERE kid=?1"
        case .ringRowFromTheLast:
            "SELECT \(Self.keyID),\(Self.sealedKey) FROM ring WHERE kid<=?1 ORDER BY kid DESC LIMIT 1"
        case .state: "SELECT k,\(Self.stateRecord) FROM state LIMIT 2"
        case .bucket: "SELECT \(Self.bucketRecord) FROM bucket WHERE n=?1"
        case .buckets:
            "SELECT n,\(Self.bucketRecord) FROM bucket ORDER BY n LIMIT \(VaultFormat.bucketCount + 1)"

        case .entry:
            "SELECT i.grp,i.kid,i.gen,i.v,i.meta,i.vt,v.b FROM item i LEFT JOIN val v ON v.v=i.v WHERE i.id=?1"
        case .item: "SELECT grp,kid,gen,v,meta,vt,id FROM item WHERE id=?1"
        case .itemTags: "SELECT id,gen,meta,vt FROM item WHERE id>=?1 AND id<?2"
        case .group: "SELECT grp,kid,gen,v,meta,vt,id FROM item WHERE grp=?1 LIMIT ?2"
        case .items: "SELECT grp,kid,gen,v,meta,vt,id FROM item ORDER BY id"
        case .itemKeys: "SELECT \(Self.itemID) FROM item ORDER BY id"
        case .itemFromTheLast:
            "SELECT grp,kid,gen,v,meta,vt,id FROM item WHERE id<=?1 ORDER BY id DESC LIMIT 1"
        case .itemKeysFromTheLast:
            "SELECT \(Self.itemID) FROM item ORDER BY id DESC"
        case .itemsBehind: "SELECT id,kid FROM item WHERE id>?1 ORDER BY id LIMIT ?2"
        case .itemOfOtherKey: "SELECT 1 FROM item WHERE kid<>?1 LIMIT 1"
        case .value: "SELECT b FROM val WHERE v=?1"
        case .valueTag: "SELECT substr(b,-\(VaultFormat.tagByteCount)) FROM val WHERE v=?1"
        case .otherOfValue: "SELECT 1 FROM item WHERE v=?1 AND id<>?2 LIMIT 1"
        case .lastValue: "SELECT max(v) FROM val"

        case .insertHead: "INSERT INTO head(k,b) VALUES(1,?1)"
        case .insertState: "INSERT INTO state(k,b) VALUES(1,?1)"
        case .putHead: "UPDATE head SET b=?1 WHERE k=1"
        case .putSlot: "INSERT OR REPLACE INTO slot(id,b) VALUES(?1,?2)"
        case .dropSlot: "DELETE FROM slot WHERE id=?1"
        case .putRing: "INSERT OR REPLACE INTO ring(kid,b) VALUES(?1,?2)"
        case .dropRing: "DELETE FROM ring WHERE kid=?1"
        case .putState: "UPDATE state SET b=?1 WHERE k=1"
        case .putBucket: "INSERT OR REPLACE INTO bucket(n,b) VALUES(?1,?2)"
        case .dropBucket: "DELETE FROM bucket WHERE n=?1"
        case .insertItem: "INSERT INTO item(id,grp,kid,gen,v,meta,vt) VALUES(?1,?2,?3,?4,?5,?6,?7)"
        case .updateItem: "UPDATE item SET kid=?2,gen=?3,meta=?4,vt=?5 WHERE id=?1"
        case .moveValue: "UPDATE item SET v=?2 WHERE id=?1"
        case .dropItem: "DELETE FROM item WHERE id=?1"
        case .insertValue: "INSERT INTO val(v,b) VALUES(?1,?2)"
        case .updateValue: "UPDATE val SET b=?2 WHERE v=?1"
        case .dropValue: "DELETE FROM val WHERE v=?1"

        case .schema: "SELECT type,name,tbl_name,sql FROM sqlite_schema LIMIT 64"
        case .countValues: "SELECT count(*) FROM val"
        case .orphanValues: "SELECT v FROM val WHERE v NOT IN (SELECT v FROM item) LIMIT 1000"
        case .integrity: "PRAGMA integrity_check(100)"
        case .dataVersion: "PRAGMA data_version"
        }
    }

    // Columns, cut off at the longest that the format has; of a slot's record, a little above.
    private static let headRecord = sized("b", limit: VaultFormat.headByteCount)
    private static let slotID = sized("id", limit: VaultFormat.slotIDByteCount)
    private static let slotRecord = sized("b", limit: 4608)
    private static let keyID = sized("kid", limit: VaultFormat.keyIDByteCount)
    private static let sealedKey = sized("b", limit: VaultFormat.ringByteCount)
    private static let stateRecord = sized("b", limit: VaultFormat.stateByteCount)
    private static let bucketRecord = sized("b", limit: VaultFormat.bucketByteCount)
    private static let itemID = sized("id", limit: VaultFormat.itemIDByteCount)

    /// A blob of at most `limit` octets, or null; length() of a blob reads only its header.
    private static func sized(_ column: String, limit: Int) -> String {
        "CASE WHEN typeof(\(column))='blob' AND length(\(column))<=\(limit) THEN \(column) END"
    }
}
