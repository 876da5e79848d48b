// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Hummingbird
package import Logging
package import SignetHummingbirdAccounts

/// The sign-in server, assembled from its parts. It has no global state, so two servers can run in
/// one process.
package enum SignInServer {
    /// Makes the application, ready to run.
    ///
    /// - Parameters:
    ///   - transport: how the providers' keys are fetched.
    ///   - onServerRunning: gets the port once the server listens.
    /// - Throws: what is wrong with the configuration, the database or the keys.
    package static func application(
        _ configuration: ServerConfiguration, database: any AccountDatabase,
        transport: some IdentityTransport, logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) async throws -> some ApplicationProtocol {
        let secret = try await configuration.vault.secret()
        try await AccountSchema.migrate(database, steps: [Services.tables])
        let services = try await Services(configuration, database, secret, transport, logger)
        var application = Application(
            router: try services.router(),
            server: .http1(configuration: .bounded(idle: configuration.idle)),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                // In all: the proxy limits those of one address.
                availableConnectionsDelegate: .maximum(1_000, logger: logger)),
            onServerRunning: { await onServerRunning($0.localAddress?.port ?? configuration.port) },
            logger: logger)
        let outbox = try configuration.sender.map {
            try Outbox(database, secret: AccountSecret(secret), sender: $0)
        }
        application.addServices(
            AccountUpkeep(
                of: services.sessions, keys: services.keys, longTokens: services.longTokens,
                codes: services.codes, limits: services.limits, outbox: outbox,
                keyPause: configuration.keyReadingPause, logger: logger))
        return application
    }
}

extension Services {
    fileprivate func router() throws -> Router<Guest> {
        let router = Router(context: Guest.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestLog()).add(middleware: ErrorAnswers())
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
        if configuration.developmentIssuer != nil, !browsers.isEmpty { SignInPage.add(to: router) }
        return router
    }
}
