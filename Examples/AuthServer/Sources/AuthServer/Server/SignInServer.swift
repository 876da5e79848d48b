// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Hummingbird
package import Logging
internal import NIOCore
internal import ServiceLifecycle
package import SignetAccounts
package import SignetCrypto
internal import SignetHummingbird
package import SignetIdentity
internal import SignetSignIn

/// The sign-in server, assembled from its parts. It has no global state, so two servers can run in
/// one process.
package enum SignInServer {
    /// Makes the application, ready to run.
    ///
    /// - Parameters:
    ///   - transport: how the providers' keys are fetched.
    ///   - keyOptions: how long the providers' keys are kept.
    ///   - onServerRunning: gets the port once the server listens.
    /// - Throws: what is wrong with the configuration, the database or the keys.
    package static func application(
        _ configuration: ServerConfiguration, database: any AccountDatabase, secret: SecretKey,
        transport: some IdentityTransport, keyOptions: KeySetOptions = KeySetOptions(),
        clock: TimeSource = .system, logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) async throws -> some ApplicationProtocol {
        var options = TokenVerificationOptions()
        options.clock = clock
        options.keySet = keyOptions
        // Asks an issuer for development for new keys after a short time: no provider has to be
        // protected from this server.
        if configuration.developmentIssuer != nil { options.keySet.cooldown = .seconds(1) }
        options.keySet.onEvent = { logger.log($0) }
        try await AccountSchema.migrate(database, steps: [Services.tables])
        let services = try await Services(
            configuration, database, secret, transport, options, logger)
        var application = Application(
            router: try services.router(),
            server: .http1(configuration: .bounded(idle: .seconds(configuration.idleSeconds))),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: .maximum(
                    configuration.maximumConnectionCount, logger: logger)),
            onServerRunning: { channel in
                await onServerRunning(channel.localAddress?.port ?? configuration.port)
            }, logger: logger)
        application.addServices(
            KeyReading(
                into: services.longTokens, every: .seconds(configuration.keyRereadSeconds),
                logger: logger
            ) {
                let ring = try await services.keys.refresh()
                try services.sessions.use(services.sessions.issuer.using(ring))
                return ring
            },
            Chore { await services.sweep.run { logger.error("sweep: \($0.fullCode)") } })
        if let sender = configuration.sender {
            let outbox = try Outbox(database, secret: AccountSecret(secret), sender: sender)
            application.addServices(
                Chore { await outbox.run { logger.error("outbox: \($0.fullCode)") } })
        }
        return application
    }
}

/// Work that runs beside the requests until the server shuts down.
private struct Chore: Service {
    let work: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await work() } }
}

extension Services {
    fileprivate var sweep: AccountSweep { AccountSweep(sessions, codes: codes, limits: limits) }

    fileprivate func router() throws -> Router<Guest> {
        let router = Router(context: Guest.self, options: .autoGenerateHeadEndpoints)
        router.addMiddleware {
            RequestLog()
            ErrorAnswers()
        }
        let health = DatabaseHealth(limits)
        let members = router.group().add(middleware: try authentication())
            .group(context: Member.self)
        router.addKeySet(of: longTokens)
        router.get("health") { _, _ -> Response in
            guard await health.isWell() else { throw HTTPError(.serviceUnavailable) }
            return try Response(json: ["status": "ok"])
        }
        addMobileSignIn(to: router)
        addTokenRoutes(to: router)
        addAccountRoutes(to: members)
        addVisits(to: members)
        for flow in browsers {
            router.addSignIn(flow, at: "signin/\(flow.verifier.provider.name)") {
                done, request, context in
                let signedIn = try await signIn(done.identity, request, context.logger)
                return [cookie.setting(try longToken(signedIn))]
            }
        }
        if configuration.developmentIssuer != nil, website == nil { SignInPage.add(to: router) }
        return router
    }
}
