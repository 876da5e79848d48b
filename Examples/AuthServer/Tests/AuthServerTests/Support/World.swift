// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DevIssuer
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SignetAccounts
import SignetCurl
import SignetIdentity
import SignetJOSE

/// The real server and the real issuer for development, on ports of their own, with files of their
/// own.
struct World: Sendable {
    struct Options: Sendable {
        var settings: [String: String] = [:]
        var hasIssuer = true
        /// The clock by which an issuer's keys age and the pauses between fetches pass.
        var keyClock = TimeSource.system
        /// How long a connection may be idle; a request has half of it to arrive whole, even on a
        /// busy machine.
        var idle = Duration.seconds(120)
        /// How often the server reads its own keys.
        var keyReadingPause = Duration.seconds(60)
        /// What the server gets in place of what it fetched from the issuer; nil for no answer.
        var fetched: @Sendable (TransportResponse) -> TransportResponse? = { $0 }
        /// Whether browsers sign in. If so, the server's address is on this machine.
        var hasBrowsers = false
    }

    static let clientIDs = ["dev-client", "web-client"]
    static let transport = CurlTransport.curl

    let folder: TemporaryFolder
    let clock: MovableClock
    let log: CapturedLog
    let store: SQLiteAccounts
    let database: FaultyDatabase
    let issuer: DevIssuer
    let client: WebClient
    let group: ServiceGroup

    /// Runs the body against a server in a new folder.
    static func with(
        _ options: Options = Options(), _ body: @Sendable @escaping (World) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await run(options, in: folder, body)
    }

    /// Runs the body against a server in this folder, which may have been used before.
    static func run(
        _ options: Options = Options(), in folder: TemporaryFolder,
        clock: MovableClock = MovableClock(), log: CapturedLog = CapturedLog(),
        _ body: @Sendable @escaping (World) async throws -> Void
    ) async throws {
        let quiet = Logger(label: "issuer") { _ in SwiftLogNoOpLogHandler() }
        let issuer = try DevIssuer(
            DevIssuerConfiguration(
                clientIDs: clientIDs,
                redirectURIs: [
                    "http://127.0.0.1:7777/callback", "http://127.0.0.1/signin/openid/callback",
                ],
                person: Person(sub: "110000000000000000001", email: "ada@company.example")),
            clock: clock.token, logger: quiet)
        try await running(
            { issuer.application(onServerRunning: $0) }, quiet,
            { (address: String, _) in
                try await serve(options, address, folder, clock, log, issuer, body)
            })
    }

    private static func serve(
        _ options: Options, _ issuerAddress: String, _ folder: TemporaryFolder,
        _ clock: MovableClock,
        _ log: CapturedLog, _ issuer: DevIssuer,
        _ body: @Sendable @escaping (World) async throws -> Void
    ) async throws {
        // Without an issuer: an address at which nothing listens, so that its keys are unreachable.
        let port = options.hasBrowsers ? try await freePort() : 0
        let settings = [
            "GOOGLE_CLIENT_ID": clientIDs.joined(separator: ","),
            "AUTH_ISSUER": options.hasBrowsers
                ? "http://127.0.0.1:\(port)" : "https://auth.example",
            "AUTH_DATABASE": folder.path("people.sqlite"), "AUTH_VAULT": folder.path("keys.vault"),
            "AUTH_VAULT_KEY_FILE": folder.path("vault.key"), "AUTH_PORT": "\(port)",
            "AUTH_DEV_ISSUER": options.hasIssuer ? issuerAddress : "http://127.0.0.1:1",
            "AUTH_CODES_FILE": folder.path("codes"),
        ].merging(options.settings, uniquingKeysWith: { $1 })
        var verification = TokenVerificationOptions()
        verification.clock = clock.token
        verification.keySet.timeout = .seconds(60)
        verification.keySet.clock = options.keyClock
        var configuration = try ServerConfiguration(Settings(settings), verification: verification)
        configuration.idle = options.idle
        configuration.keyReadingPause = options.keyReadingPause
        let store = try await SQLiteAccounts.open(
            at: configuration.database, busyTimeout: .seconds(600))
        let database = FaultyDatabase(store)
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        let application = try await SignInServer.application(
            configuration, database: database,
            transport: FilteredTransport(filter: options.fetched), logger: log.logger
        ) { told.yield($0) }
        try await running(
            { (tell: @escaping @Sendable (Int) async -> Void) in
                Watched(application: application, ports: ports, tell: tell)
            }, log.logger,
            { (port: Int, group) in
                try await body(
                    World(
                        folder: folder, clock: clock, log: log, store: store, database: database,
                        issuer: issuer, client: WebClient(port: port), group: group))
            })
        await store.close()
    }

    /// A port that was free a moment ago, of those that Linux gives to no connection by itself: the
    /// other tests, which run at the same time, do not get it.
    private static func freePort() async throws -> Int {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        var port = Int.random(in: 20_000..<30_000)
        while true {
            do {
                try await bootstrap.bind(host: "127.0.0.1", port: port).get().close()
                return port
            } catch {
                guard port < 32_000 else { throw error }
                port += 1
            }
        }
    }

    /// Runs an application while the body runs. The body gets what the application reported when it
    /// began to listen.
    private static func running<Value: Sendable>(
        _ application: (@escaping @Sendable (Value) async -> Void) -> some Service,
        _ logger: Logger, _ body: @Sendable @escaping (Value, ServiceGroup) async throws -> Void
    ) async throws {
        let (values, continuation) = AsyncStream.makeStream(of: Value.self)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [application { continuation.yield($0) }], logger: logger))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            var iterator = values.makeAsyncIterator()
            if let value = await iterator.next() {
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await body(value, group)) } catch {
                    outcome = .failure(error)
                }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                try outcome.get()
            }
            try await tasks.waitForAll()
        }
    }
}

/// Gives the server an answer that the test has changed, or none.
private struct FilteredTransport: IdentityTransport {
    let filter: @Sendable (TransportResponse) -> TransportResponse?

    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let answer = try await World.transport.exchange(request)
        guard let filtered = filter(answer) else {
            throw TransportFailure(.unreachable, "The test lets no answer through.")
        }
        return filtered
    }
}

/// Reports the port, which the application announces once it listens.
private struct Watched<Application: ApplicationProtocol>: Service {
    let application: Application
    let ports: AsyncStream<Int>
    let tell: @Sendable (Int) async -> Void

    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await port in ports { await tell(port) }
            }
            try await application.run()
            group.cancelAll()
        }
    }
}
