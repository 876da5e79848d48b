// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The loaded SQLite, by its own account: the library in memory, not the headers.
package enum SQLiteLibrary {
    /// The version, such as "3.40.1".
    package static var version: String { unsafe String(cString: sqlite3_libversion()) }

    /// The version as a number, such as 3,040,001.
    package static var versionNumber: Int32 { sqlite3_libversion_number() }

    /// 3.37, the first version that gives extended codes from the opening on
    /// (`SQLITE_OPEN_EXRESCODE`).
    package static let oldestVersionNumber: Int32 = 3_037_000

    /// Throws for a library that is too old, or was built for one thread.
    static func check() throws(SQLiteFailure) {
        guard versionNumber >= oldestVersionNumber, sqlite3_threadsafe() != 0 else {
            throw SQLiteFailure(extendedCode: SQLITE_NOLFS, operation: "use SQLite \(version)")
        }
    }
}
