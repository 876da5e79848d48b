// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
package import SignetIdentity
internal import SignetJOSE

/// The sign-in server, put together from its parts. It has no global state: two of them run in one process.
package struct SignInServer: Sendable {
    private let configuration: ServerConfiguration
    private let store: any AccountStore
    private let vault: SigningKeyVault
    private let verifier: IDTokenVerifier
    private let tokens: SessionTokens
    private let tag: SubjectTag
    private let logger: Logger

    /// - Parameters:
    ///   - transport: how the provider's keys are fetched.
    ///   - keyOptions: how long they are kept.
    /// - Throws: what is wrong with the configuration or with the vault.
    package init(
        configuration: ServerConfiguration, store: any AccountStore, vault: SigningKeyVault,
        transport: some IdentityTransport, keyOptions: KeySetOptions = KeySetOptions(),
        clock: TimeSource = .system, logger: Logger
    ) throws {
        self.configuration = configuration
        self.store = store
        self.vault = vault
        self.logger = logger
        tag = try vault.tag()
        tokens = try SessionTokens(
            issuer: configuration.issuer, audience: configuration.audience, keys: vault.ring(),
            clock: clock)
        var options = TokenVerificationOptions()
        options.clock = clock
        options.keySet = keyOptions
        // An issuer for development is asked for new keys soon: there is nobody to be protected from our questions.
        if configuration.developmentIssuer != nil { options.keySet.cooldown = .seconds(1) }
        options.keySet.onEvent = { event in
            let level: Logger.Level = event.error == nil ? .info : .warning
            logger.log(
                level: level, "issuer's keys", metadata: ["event": .string(event.description)])
        }
        verifier = try IDTokenVerifier(
            configuration.provider, keys: .fetched(over: transport), options: options)
    }

    /// The application, to be run.
    ///
    /// - Parameters:
    ///   - keyRereads: each element makes it look for rotated keys at once.
    ///   - onServerRunning: told the port.
    package func application(
        keyRereads: AsyncStream<Void> = AsyncStream { $0.finish() },
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        var application = Application(
            router: router(), server: .http1(configuration: connectionLimits),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: .maximum(
                    configuration.maximumConnectionCount, logger: logger)),
            onServerRunning: { [configuration] channel in
                await onServerRunning(channel.localAddress?.port ?? configuration.port)
            },
            logger: logger)
        application.addServices(
            KeyReloading(
                vault: vault, tokens: tokens, seconds: configuration.keyRereadSeconds,
                requests: keyRereads,
                logger: logger))
        return application
    }

    private func router() -> Router<AppRequestContext> {
        let authentication = SessionAuthentication(tokens: tokens, store: store, tag: tag)
        let router = Router(context: AppRequestContext.self)
        router.addMiddleware {
            HeadMiddleware()
            RequestIDMiddleware()
            AccessLogMiddleware()
            RefusalMiddleware()
        }
        HealthRoute(store: store).add(to: router)
        KeySetRoute(tokens: tokens).add(to: router)
        GoogleSignIn(
            verifier: verifier, emailPolicy: configuration.emailPolicy, store: store,
            tokens: tokens, tag: tag
        ).add(to: router)
        if configuration.hasBenchmarkRoutes {
            BenchmarkRoutes(authentication: authentication).add(to: router)
        }

        let signedIn = router.group().add(middleware: authentication).group(
            context: SignedInContext.self)
        AccountRoutes(store: store).add(to: signedIn)
        VisitRoutes(store: store, now: { [tokens] in tokens.now() }).add(to: signedIn)
        return router
    }

    /// A token of 16 KiB fits in a header field; more is nobody's request.
    private var connectionLimits: HTTP1Channel.Configuration {
        let idle = configuration.idleSeconds
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                RequestTimeLimit(
                    seconds: Int64(idle / 2), maximumByteCount: 16 * JSONBody.maximumByteCount)
            ],
            idleTimeout: .seconds(Int64(idle)),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 20 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 64
            ))
    }
}
