// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import GRDB

extension World {
    /// Another connection to the same file, as a person with a shell would open it.
    func database() throws -> DatabaseQueue {
        try DatabaseQueue(path: folder.path("people.sqlite"))
    }

    func count(_ table: String) async throws -> Int {
        try await database().read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1
        }
    }

    func execute(_ sql: String) async throws {
        try await database().write { try $0.execute(sql: sql) }
    }
}
