// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Hummingbird
package import Logging
package import SignetJOSE

/// An OpenID provider for development: discovery, keys, the authorization-code flow with PKCE, the
/// device flow, refresh tokens, revocation, and any token that is asked for.
///
/// It believes everything and asks no one. It listens only on 127.0.0.1, its keys are only in
/// memory, and the server accepts it only as an issuer on loopback.
package struct DevIssuer: Sendable {
    private let state: ProviderState
    private let logger: Logger

    package init(
        _ configuration: DevIssuerConfiguration, clock: TimeSource = .system, logger: Logger
    ) throws(KeyError) {
        state = try ProviderState(configuration, clock: clock)
        self.logger = logger
    }

    /// `iss` of its tokens; empty until it listens.
    package var issuer: String { state.issuer }

    /// An ID token, without HTTP.
    package func idToken(_ wish: MintRequest) throws -> String { try state.idToken(wish) }

    /// Signs with a new key from now on.
    package func rotateKeys(forgetting: Bool = false) throws(KeyError) {
        try state.keys.rotate(forgetting: forgetting)
    }

    /// Makes the application, ready to run.
    package func application(
        onServerRunning: @escaping @Sendable (_ issuer: String) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        router.add(middleware: LoopbackOnly())
        DiscoveryRoutes(provider: state).add(to: router)
        AuthorizeRoute(provider: state).add(to: router)
        TokenRoute(provider: state).add(to: router)
        DeviceRoutes(provider: state).add(to: router)
        DevelopmentRoutes(provider: state).add(to: router)
        return Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: state.configuration.port)),
            onServerRunning: { [state] channel in
                state.listens(on: channel.localAddress?.port ?? state.configuration.port)
                await onServerRunning(state.issuer)
            },
            logger: logger)
    }
}
