// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import TestSupport

/// The databases that a test runs on.
enum Engine: String, CaseIterable, Sendable {
    case sqlite, postgres

    /// A new database; nil where there is no PostgreSQL.
    func place(in folder: PrivateFolder) throws -> AccountPlace? {
        switch self {
        case .sqlite: return .sqlite(path: folder.path + "/accounts")
        case .postgres:
            guard PostgresServer.isExpected else { return nil }
            let server = try PostgresServer.shared()
            return .postgres(connection: server.connection, schema: try server.schema())
        }
    }
}
