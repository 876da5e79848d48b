// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DevIssuer
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetVault

/// The real server and the real issuer for development, on ports of their own, with files of their own.
struct World: Sendable {
    struct Options: Sendable {
        var settings: [String: String] = [:]
        var hasIssuer = true
        /// What keys age by, and pauses between fetches pass by.
        var keyClock = TimeSource.system
        /// Puts something in front of the real store.
        var store: @Sendable (SQLiteAccountStore) -> any AccountStore = { $0 }
    }

    static let clientIDs = ["dev-client", "web-client"]
    static let transport = CurlTransport.curl

    let folder: TemporaryFolder
    let clock: MovableClock
    let log: CapturedLog
    let store: SQLiteAccountStore
    let vault: SigningKeyVault
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
                clientIDs: clientIDs, redirectURIs: ["http://127.0.0.1:7777/callback"],
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
        // Without an issuer: an address where nobody listens, so that its keys are out of reach.
        let settings = [
            "GOOGLE_CLIENT_ID": clientIDs.joined(separator: ","),
            "AUTH_ISSUER": "https://auth.example",
            "AUTH_DATABASE": folder.path("people.sqlite"), "AUTH_VAULT": folder.path("keys.vault"),
            "AUTH_VAULT_KEY_FILE": folder.path("vault.key"), "AUTH_PORT": "0",
            "AUTH_DEV_ISSUER": options.hasIssuer ? issuerAddress : "http://127.0.0.1:1",
            // Half of it is for a request to arrive whole, on a busy machine too.
            "AUTH_IDLE_SECONDS": "120",
        ].merging(options.settings, uniquingKeysWith: { $1 })
        let configuration = try ServerConfiguration(Settings(environment: settings))
        let store = try SQLiteAccountStore(path: configuration.databasePath)
        let vault = try SigningKeyVault.open(
            path: configuration.vaultPath, key: configuration.vaultKey)
        defer { vault.close() }
        var keyOptions = KeySetOptions()
        keyOptions.timeout = .seconds(60)
        keyOptions.clock = options.keyClock
        let server = try SignInServer(
            configuration: configuration, store: options.store(store), vault: vault,
            transport: Self.transport, keyOptions: keyOptions, clock: clock.token,
            logger: log.logger)
        try await running(
            { server.application(onServerRunning: $0) }, log.logger,
            { (port: Int, group) in
                try await body(
                    World(
                        folder: folder, clock: clock, log: log, store: store, vault: vault,
                        issuer: issuer,
                        client: WebClient(port: port), group: group))
            })
    }

    /// Runs an application while the body runs, which gets what the application said when it began to listen.
    private static func running<Value: Sendable>(
        _ application: (@escaping @Sendable (Value) async -> Void) -> some ApplicationProtocol,
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
