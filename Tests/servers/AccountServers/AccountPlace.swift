// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetAccounts
package import SignetPostgres

/// Where several servers find their database: a file of SQLite, or PostgreSQL. As text it is an
/// argument of a program.
package enum AccountPlace: Sendable {
    case sqlite(path: String)
    case postgres(connection: String, schema: String)

    package init?(_ text: String) {
        let words = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        switch words.first {
        case "sqlite" where words.count == 2: self = .sqlite(path: words[1])
        case "postgres" where words.count == 3:
            self = .postgres(connection: words[1], schema: words[2])
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .sqlite(let path): "sqlite\n\(path)"
        case .postgres(let connection, let schema): "postgres\n\(connection)\n\(schema)"
        }
    }

    /// Whether connections are lost in what is done to the servers.
    package var losesConnections: Bool {
        if case .postgres = self { true } else { false }
    }

    /// Opens the database with long timeouts: a busy machine is not its fault.
    package func open() async throws -> any AccountDatabase {
        switch self {
        case .sqlite(let path):
            try await SQLiteAccounts.open(at: path, busyTimeout: .seconds(600))
        case .postgres(let connection, let schema):
            try await PostgresAccounts.open(.longWaiting(connection, schema))
        }
    }
}

extension PostgresConfiguration {
    /// With long timeouts.
    package static func longWaiting(
        _ connection: String, _ schema: String, connections: Int = 6
    ) throws(AccountError) -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(connection)
        configuration.schema = schema
        configuration.maximumConnectionCount = connections
        configuration.waitingTime = .seconds(300)
        configuration.connectTimeout = .seconds(120)
        configuration.statementTimeout = .seconds(300)
        configuration.lockTimeout = .seconds(300)
        configuration.idleTransactionTimeout = .seconds(300)
        return configuration
    }
}
