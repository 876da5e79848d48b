// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetPlatform

/// The database around the rows: header and schema, made and compared.
enum VaultSchema {
    /// Creates the tables of a new vault. The pragmas come first: page size and journal mode apply
    /// to an empty file.
    static func make(_ connection: VaultConnection) throws(StoreError) {
        try connection.execute("PRAGMA page_size=\(VaultFormat.pageByteCount)")
        try connection.execute("PRAGMA encoding='UTF-8'")
        try connection.execute("PRAGMA journal_mode=WAL")
        try connection.execute("PRAGMA application_id=\(VaultFormat.applicationID)")
        try connection.execute("PRAGMA user_version=\(VaultFormat.userVersion)")
        for statement in VaultFormat.schema { try connection.execute(statement.sql) }
        try check(connection)
    }

    /// Compares the header and every row of the schema. A database with any difference is not a
    /// vault.
    static func check(_ connection: VaultConnection) throws(StoreError) {
        guard try connection.integer(ofPragma: "application_id") == VaultFormat.applicationID else {
            throw StoreError(
                .notAVault,
                "\(path: connection.path) is not a vault: it is another program's database.")
        }
        guard try connection.integer(ofPragma: "user_version") == VaultFormat.userVersion else {
            throw StoreError(
                .notAVault,
                "\(path: connection.path) is a vault of a version that is not known here.")
        }
        // A connection to the file alone has no journal.
        let journal = connection.isFileAlone ? "wal" : try connection.text(ofPragma: "journal_mode")
        guard journal == "wal", try connection.text(ofPragma: "encoding") == "UTF-8",
            try connection.integer(ofPragma: "page_size") == VaultFormat.pageByteCount
        else {
            throw .damaged(
                "database", problem: "its journal mode, page size or encoding was changed")
        }
        var missing = Set(VaultFormat.schema)
        try connection.withRows(of: .schema) { (row) throws(StoreError) in
            while try row.step() {
                guard let type = row.text(.schemaType), let name = row.text(.schemaName),
                    let table = row.text(.schemaTable), let sql = row.text(.schemaSQL)
                else { throw unknownSchemaError }
                let found = VaultFormat.Statement(type: type, name: name, table: table, sql: sql)
                guard missing.remove(found) != nil else { throw unknownSchemaError }
            }
        }
        guard missing.isEmpty else {
            throw .damaged("schema", problem: "a table or an index is missing")
        }
    }

    private static var unknownSchemaError: StoreError {
        .damaged("schema", problem: "it holds something that no vault has")
    }
}
