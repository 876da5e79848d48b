// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A column of a query's rows, by its position in the column list of ``VaultQuery/sql``.
///
/// Every read of a column goes through a name of this type: a change of a query's column list
/// changes a number here, and no caller.
struct VaultColumn {
    /// Counted from 0.
    let position: Int32

    private init(_ position: Int32) { self.position = position }

    /// The column of a query that has only one.
    static let only = Self(0)

    // `head` and `state`: k, b. `slots` and `ring`: id or kid, b. `buckets`: n, b.
    static let rowKey = Self(0)
    static let record = Self(1)

    // `item`, `group`, `items`, `itemFromTheLast`: grp, kid, gen, v, meta, vt, id.
    static let itemGroup = Self(0)
    static let itemKeyID = Self(1)
    static let itemGeneration = Self(2)
    static let itemValueNumber = Self(3)
    static let itemMetadata = Self(4)
    static let itemValueTag = Self(5)
    static let itemID = Self(6)
    /// `entry` has the item's value (v.b) in the place of its id.
    static let entryValue = Self(6)

    // `itemTags`: id, gen, meta, vt.
    static let taggedID = Self(0)
    static let taggedGeneration = Self(1)
    static let taggedMetadata = Self(2)
    static let taggedValueTag = Self(3)

    // `itemsBehind`: id, kid.
    static let listedID = Self(0)
    static let listedKeyID = Self(1)

    // `schema`: type, name, tbl_name, sql.
    static let schemaType = Self(0)
    static let schemaName = Self(1)
    static let schemaTable = Self(2)
    static let schemaSQL = Self(3)
}
