// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The fixed numbers and texts of version 1 of the vault file (Documentation/VAULT-FORMAT.md).
package enum VaultFormat {
    /// "SIGNETV1": the beginning of the head and of all associated data.
    package static let magic: [UInt8] = Array("SIGNETV1".utf8)
    /// The version in the head.
    package static let version: UInt16 = 1
    /// XAES-256-GCM, HMAC-SHA-256 and HKDF-SHA-256.
    package static let suite: UInt16 = 1
    /// "SVLT", in the database's header.
    package static let applicationID: Int64 = 0x5356_4C54
    /// The schema's version, in the database's header.
    package static let userVersion: Int64 = 1
    /// Octets in a page of the database.
    package static let pageByteCount: Int64 = 4096

    package static let vaultIDByteCount = 16
    package static let keyByteCount = 32
    package static let keyIDByteCount = 16
    package static let itemIDByteCount = 32
    package static let groupByteCount = 16
    package static let tagByteCount = 16
    /// The octets that sealing adds: nonce and tag.
    package static let sealByteCount = 40

    package static let slotIDByteCount = 16
    /// SHA-256.
    package static let digestByteCount = 32

    package static let headByteCount = 104
    package static let ringByteCount = 73
    package static let bucketByteCount = 84
    package static let stateByteCount = 168
    /// The lengths of a slot: without parameters, and with the longest name and wrapped key.
    package static let slotByteCounts = 124...4356
    /// The shortest and the longest length of `item.meta`: a padded text, sealed.
    package static let sealedMetadataByteCounts =
        104...(Padding.paddedByteCount(of: ItemLimits.metadata) + sealByteCount)
    /// The shortest and the longest length of `val.b`.
    package static let sealedValueByteCounts =
        104...(Padding.paddedByteCount(of: ItemLimits.value) + sealByteCount)

    package static let maximumSlotCount = 32
    package static let maximumPassphraseSlotCount = 8
    package static let maximumRingRowCount = 1024
    package static let bucketCount = 4096

    /// A page in SQLite's log, with its header.
    package static let frameByteCount = pageByteCount + PrivatePlace.frameHeaderByteCount

    /// The largest integer in a column, and so the largest generation and time.
    package static let maximumInteger = UInt64(Int64.max)

    /// A row of `sqlite_schema`.
    package struct Statement: Hashable, Sendable {
        package let type: String
        package let name: String
        package let table: String
        package let sql: String
    }

    /// The whole schema. A database that differs in any row is not a vault.
    package static let schema: [Statement] = [
        table("head", sql: "CREATE TABLE head(k INTEGER PRIMARY KEY,b BLOB NOT NULL)"),
        table("slot", sql: "CREATE TABLE slot(id BLOB PRIMARY KEY,b BLOB NOT NULL) WITHOUT ROWID"),
        table("ring", sql: "CREATE TABLE ring(kid BLOB PRIMARY KEY,b BLOB NOT NULL) WITHOUT ROWID"),
        table(
            "item",
            sql:
                "CREATE TABLE item(id BLOB PRIMARY KEY,grp BLOB NOT NULL,kid BLOB NOT NULL,gen INTEGER NOT NULL,"
                + "v INTEGER NOT NULL,meta BLOB NOT NULL,vt BLOB NOT NULL) WITHOUT ROWID"),
        Statement(
            type: "index", name: "item_grp", table: "item",
            sql: "CREATE INDEX item_grp ON item(grp)"),
        table("val", sql: "CREATE TABLE val(v INTEGER PRIMARY KEY,b BLOB NOT NULL)"),
        table("bucket", sql: "CREATE TABLE bucket(n INTEGER PRIMARY KEY,b BLOB NOT NULL)"),
        table("state", sql: "CREATE TABLE state(k INTEGER PRIMARY KEY,b BLOB NOT NULL)"),
    ]

    /// The bucket of an item: the first 12 bits of its id.
    package static func bucket(ofItem id: Span<UInt8>) -> UInt16? {
        guard id.count == itemIDByteCount else { return nil }
        return UInt16(id[0]) << 4 | UInt16(id[1] >> 4)
    }

    /// - Throws: `invalidParameter` unless a vault's id has its length.
    static func requireVaultID(_ id: [UInt8]) throws(StoreError) {
        guard id.count == vaultIDByteCount else {
            throw StoreError(
                .invalidParameter,
                "A vault's id has \(id.count) bytes instead of \(vaultIDByteCount).")
        }
    }

    private static func table(_ name: String, sql: String) -> Statement {
        Statement(type: "table", name: name, table: name, sql: sql)
    }
}
