// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetIdentity
internal import SignetSession

/// The backend of an account at an OpenID Connect server, which finds a token endpoint that has
/// moved.
///
/// If there plainly is no token endpoint at the known address (404, 405, 410, or no such host), the
/// server's metadata are read once more, with the checks of a sign-in. If they name a different
/// address, the exchange is repeated there: no token endpoint has seen the token yet. After any
/// other failure nothing is repeated: the token may have been exchanged.
struct OpenIDBackend: SessionBackend {
    private let settings: Locked<AccountSettings.OpenID>
    private let connection: ServerConnection

    private var transport: any IdentityTransport { connection.transport }

    init(_ settings: AccountSettings.OpenID, over connection: ServerConnection) throws {
        _ = try settings.backend(over: connection.transport)
        self.settings = Locked(settings)
        self.connection = connection
    }

    /// The settings, with the endpoints that an exchange has found.
    var current: AccountSettings.OpenID { settings.withLock { $0 } }

    /// Takes over the settings of a later sign-in.
    func take(_ newer: AccountSettings.OpenID) { settings.withLock { $0 = newer } }

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        let begin = connection.clock.elapsed()
        let watch = EndpointWatch(transport)
        let known = current
        let failure: SessionError
        do throws(SessionError) {
            return try await Self.backend(known, over: watch).refresh(token)
        } catch {
            failure = error
        }
        guard failure.code != .refused, failure.code != .cancelled, watch.sawNoEndpoint,
            let newer = await relocated(known),
            let there = try? newer.backend(over: transport)
        else { throw failure }
        settings.withLock { $0 = newer }
        // The manager gives up on a call after a while, and this exchange needs all of its time.
        guard connection.clock.elapsed() - begin < .seconds(8) else { throw failure }
        return try await there.refresh(token)
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        try await Self.backend(current, over: transport).signOut(tokens, scope: scope)
    }

    /// The backend for these settings, whose addresses were read once already.
    private static func backend(
        _ settings: AccountSettings.OpenID, over transport: any IdentityTransport
    ) throws(SessionError) -> OAuthBackend {
        do {
            return try settings.backend(over: transport)
        } catch {
            throw SessionError(
                .unavailable, underlying: error, "The account's server cannot be asked.")
        }
    }

    /// The settings with the endpoints that the server's metadata name now; nil if they cannot be
    /// read, or name the same token endpoint.
    private func relocated(_ known: AccountSettings.OpenID) async -> AccountSettings.OpenID? {
        guard let issuer = try? EndpointURL(known.issuer),
            let metadata = try? await ProviderMetadata.fetch(
                issuer: issuer, over: transport, options: connection.options.keySet),
            let endpoint = metadata.tokenEndpoint,
            !endpoint.text.utf8.elementsEqual(known.tokenEndpoint.utf8)
        else { return nil }
        var newer = known
        newer.tokenEndpoint = endpoint.text
        newer.revocationEndpoint = metadata.revocationEndpoint?.text
        return newer
    }
}

/// A transport that notes whether the last request met an endpoint at all.
private final class EndpointWatch: IdentityTransport {
    private let transport: any IdentityTransport
    private let last = Locked(false)

    init(_ transport: any IdentityTransport) { self.transport = transport }

    /// Whether the last answer was 404, 405 or 410, or no host has the name.
    var sawNoEndpoint: Bool { last.withLock { $0 } }

    func exchange(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        do {
            let response = try await transport.exchange(request)
            last.withLock { $0 = [404, 405, 410].contains(response.status) }
            return response
        } catch {
            last.withLock { $0 = error.isUnknownHost }
            throw error
        }
    }
}
