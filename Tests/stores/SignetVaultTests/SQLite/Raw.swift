// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A connection without the bridge's care: what another program may do to a file.
enum Raw {
    struct Failure: Error { let code: Int32 }

    static func execute(_ path: String, _ sql: String) throws {
        var handle: OpaquePointer?
        defer { unsafe sqlite3_close_v2(handle) }
        var code = unsafe sqlite3_open_v2(
            path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        if code == SQLITE_OK { code = unsafe sqlite3_exec(handle, sql, nil, nil, nil) }
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }
}
