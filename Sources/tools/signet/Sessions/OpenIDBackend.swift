// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCurl
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
    private let settings: AccountSettings.OpenID
    private let moved: @Sendable (AccountSettings.OpenID) -> Void
    private let backend: OAuthBackend

    /// - Parameter moved: called with the new settings when the endpoint was found elsewhere.
    init(
        _ settings: AccountSettings.OpenID,
        moved: @escaping @Sendable (AccountSettings.OpenID) -> Void
    ) throws {
        self.settings = settings
        self.moved = moved
        backend = try settings.backend(over: CurlTransport.curl)
    }

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        let begin = TimeSource.system.elapsed()
        let watch = EndpointWatch()
        guard let watched = try? settings.backend(over: watch) else {
            return try await backend.refresh(token)
        }
        let failure: SessionError
        do throws(SessionError) {
            return try await watched.refresh(token)
        } catch {
            failure = error
        }
        guard failure.code != .refused, failure.code != .cancelled, watch.sawNoEndpoint,
            let newer = await relocated(), let there = try? newer.backend(over: CurlTransport.curl)
        else { throw failure }
        moved(newer)
        // The manager gives up on a call after a while, and this exchange needs all of its time.
        guard TimeSource.system.elapsed() - begin < .seconds(8) else { throw failure }
        return try await there.refresh(token)
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        try await backend.signOut(tokens, scope: scope)
    }

    /// The settings with the endpoints that the server's metadata name now; nil if they cannot be
    /// read, or name the same token endpoint.
    private func relocated() async -> AccountSettings.OpenID? {
        guard let issuer = try? EndpointURL(settings.issuer),
            let metadata = try? await ProviderMetadata.fetch(
                issuer: issuer, over: CurlTransport.curl),
            let endpoint = metadata.tokenEndpoint,
            !endpoint.text.utf8.elementsEqual(settings.tokenEndpoint.utf8)
        else { return nil }
        var newer = settings
        newer.tokenEndpoint = endpoint.text
        newer.revocationEndpoint = metadata.revocationEndpoint?.text
        return newer
    }
}

/// A transport that notes whether the last request met an endpoint at all.
private final class EndpointWatch: IdentityTransport {
    private let last = Locked(false)

    /// Whether the last answer was 404, 405 or 410, or no host has the name.
    var sawNoEndpoint: Bool { last.withLock { $0 } }

    func exchange(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        do {
            let response = try await CurlTransport.curl.exchange(request)
            last.withLock { $0 = [404, 405, 410].contains(response.status) }
            return response
        } catch {
            last.withLock { $0 = error.isUnknownHost }
            throw error
        }
    }
}
