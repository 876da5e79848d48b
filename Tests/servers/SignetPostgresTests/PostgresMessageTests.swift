// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetPostgres
import TestSupport
import Testing

/// Hostile text at every place where PostgreSQL's engine takes text. No server is asked: no folder
/// of the sockets exists.
@Suite("PostgreSQL's messages about hostile input", .serialized)
struct PostgresMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("a connection") { _ = try PostgresConfiguration($0.text) },
        HostileSite("an address as a URI") {
            _ = try PostgresConfiguration("postgresql://app:\($0.text)@localhost/accounts")
        },
        HostileSite("an option") {
            _ = try PostgresConfiguration("host=localhost sslmode='\($0.text)'")
            throw AccountError(.invalidParameter, "It is taken.")
        },
        HostileSite("an option's name") {
            _ = try PostgresConfiguration("host=localhost \($0.text)=a")
        },
        HostileSite("a host") { text in
            _ = try PostgresConfiguration(
                host: text.text, database: "accounts", user: "app", password: text.text)
            throw AccountError(.invalidParameter, "It is taken.")
        },
        HostileSite("a folder of sockets") { text in
            try await open(
                PostgresConfiguration(
                    host: "/nonexistent/\(text.prefix(80))", database: text.text, user: text.text,
                    password: text.text))
        },
        HostileSite("a schema") { text in
            var configuration = try PostgresConfiguration(
                host: "/nonexistent", database: "accounts", user: "app")
            configuration.schema = text.text
            try await open(configuration)
        },
    ]

    @Test("A message is short, on one line, and repeats no secret", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }

    private static func open(_ configuration: PostgresConfiguration) async throws {
        var configuration = configuration
        (configuration.connectTimeout, configuration.waitingTime) = (.seconds(600), .seconds(600))
        _ = try await PostgresAccounts.open(configuration)
    }
}
