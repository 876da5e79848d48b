// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import AuthServer
internal import Foundation
internal import Hummingbird
internal import Logging
internal import SignetAccounts
internal import SignetCurl
internal import SignetPostgres

/// The command `auth-server`: runs until SIGTERM or SIGINT, and then finishes what it has begun.
/// Settings are environment variables; the README lists them.
@main
enum AuthServerCommand {
    static func main() async {
        do { try await run(Settings(ProcessInfo.processInfo.environment)) } catch {
            try? FileHandle.standardError.write(contentsOf: Data("auth-server: \(error)\n".utf8))
            // From sysexits.h: EX_CONFIG, EX_UNAVAILABLE.
            exit(error is ConfigurationProblem ? 78 : 69)
        }
    }

    private static func run(_ settings: Settings) async throws {
        let configuration = try ServerConfiguration(settings)
        var logger = Logger(label: "auth-server") { StreamLogHandler.standardOutput(label: $0) }
        guard let level = Logger.Level(rawValue: settings["AUTH_LOG_LEVEL"] ?? "info") else {
            throw ConfigurationProblem("AUTH_LOG_LEVEL", "is trace, debug, info, warning or error.")
        }
        logger.logLevel = level
        if let issuer = configuration.developmentIssuer {
            logger.warning("DEVELOPMENT: anyone for whom \(issuer) vouches is signed in")
        }
        // The only place that knows which kind of database it is.
        let database: any AccountDatabase =
            configuration.database.hasPrefix("postgres")
            ? try await PostgresAccounts.open(PostgresConfiguration(configuration.database))
            : try await SQLiteAccounts.open(at: configuration.database)
        let application = try await SignInServer.application(
            configuration, database: database, transport: CurlTransport.curl, logger: logger
        ) { port in
            guard let path = settings["AUTH_PORT_FILE"] else { return }
            try? Data("\(port)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        try await application.runService()
    }
}
