// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import AuthServer
internal import Foundation
internal import Hummingbird
internal import Logging
internal import SignetAccounts
internal import SignetCurl

/// The command `auth-server`: runs until SIGTERM or SIGINT, and then finishes what it has begun.
/// Settings are environment variables; the README lists them.
@main
enum AuthServerCommand {
    static func main() async {
        do { try await run(Settings(ProcessInfo.processInfo.environment)) } catch {
            try? FileHandle.standardError.write(contentsOf: Data("auth-server: \(error)\n".utf8))
            // Of sysexits: EX_CONFIG, EX_UNAVAILABLE.
            exit(error is ConfigurationProblem ? 78 : 69)
        }
    }

    private static func run(_ settings: Settings) async throws {
        let configuration = try ServerConfiguration(settings)
        // The database holds addresses: what this process makes is its owner's alone.
        umask(0o077)
        var logger = Logger(label: "auth-server") { StreamLogHandler.standardOutput(label: $0) }
        logger.logLevel = settings["AUTH_LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0) } ?? .info
        if let issuer = configuration.developmentIssuer {
            logger.warning("DEVELOPMENT: whoever \(issuer) vouches for is signed in")
        }
        let application = try await SignInServer.application(
            configuration, database: openDatabase(configuration.database),
            secret: configuration.vault.secret(), transport: CurlTransport.curl, logger: logger
        ) { port in
            guard let path = settings["AUTH_PORT_FILE"] else { return }
            try? Data("\(port)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        try await application.runService()
    }

    /// The one line that knows which database it is.
    private static func openDatabase(_ text: String) async throws -> any AccountDatabase {
        try await SQLiteAccounts.open(at: text)
    }
}
