// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import AuthServer
internal import Foundation
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle
internal import SignetCurl
internal import SignetVault
internal import UnixSignals

/// `auth-server serve`: runs until SIGTERM or SIGINT, and then finishes what it has begun.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the server (the default).")

    @Option(help: "The address to listen on (AUTH_HOST).") var host: String?
    @Option(help: "The port; 0 takes a free one (AUTH_PORT).") var port: String?
    @Option(help: "The SQLite file (AUTH_DATABASE).") var database: String?
    @Option(help: "The vault (AUTH_VAULT).") var vault: String?
    @Option(help: "A file to write the port to once it listens, for scripts.") var portFile: String?

    /// Whoever still talks after this is cut off.
    private static let gracefulSeconds = 20

    func run() async throws {
        let settings = Settings(
            environment: ProcessInfo.processInfo.environment,
            overrides: [
                "AUTH_HOST": host, "AUTH_PORT": port, "AUTH_DATABASE": database,
                "AUTH_VAULT": vault,
            ])
        let configuration: ServerConfiguration
        let level: Logger.Level
        do throws(ConfigurationProblem) {
            configuration = try ServerConfiguration(settings)
            level = try Self.logLevel(settings)
        } catch {
            throw AuthServerCommand.fail(error.description)
        }
        // The database holds addresses: what this process makes is its owner's alone.
        umask(0o077)
        let logger = Logger(label: "auth-server") { JSONLinesHandler(label: $0, level: level) }
        try await serve(configuration, logger)
    }

    private func serve(_ configuration: ServerConfiguration, _ logger: Logger) async throws {
        let vault = try Opening.vault(configuration.vaultPath, configuration.vaultKey)
        defer { vault.close() }
        let server = try SignInServer(
            configuration: configuration, store: Opening.store(configuration.databasePath),
            vault: vault,
            transport: Self.transport, logger: logger)
        if let issuer = configuration.developmentIssuer {
            logger.warning(
                "DEVELOPMENT: whoever the issuer on this machine vouches for is signed in; Google is not asked",
                metadata: ["issuer": .string(issuer)])
        }
        let (rereads, reread) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let application = server.application(keyRereads: rereads) { port in
            guard let portFile else { return }
            try? Data("\(port)\n".utf8).write(to: URL(fileURLWithPath: portFile), options: .atomic)
        }
        var group = ServiceGroupConfiguration(
            services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(Self.gracefulSeconds)
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                for await _ in hangUps { reread.yield() }
            }
            try await ServiceGroup(configuration: group).run()
            tasks.cancelAll()
        }
    }

    private static let transport = CurlTransport.curl

    private static func logLevel(_ settings: Settings) throws(ConfigurationProblem) -> Logger.Level
    {
        guard let text = settings.text("AUTH_LOG_LEVEL") else { return .info }
        guard let level = Logger.Level(rawValue: text) else {
            throw ConfigurationProblem(
                "AUTH_LOG_LEVEL",
                "is none of trace, debug, info, notice, warning, error and critical.")
        }
        return level
    }
}
