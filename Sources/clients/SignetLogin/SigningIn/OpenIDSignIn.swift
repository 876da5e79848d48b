// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSession
internal import SignetSignIn

/// Signs a person in at an OpenID Connect server.
struct OpenIDSignIn: Sendable {
    /// The result of a sign-in.
    struct Finished: Sendable {
        /// The settings, completed from the server's metadata.
        var settings: AccountSettings.OpenID
        /// The name under which the account is shown.
        let user: String
        let grant: SessionGrant
    }

    private typealias Person = (identity: VerifiedIdentity, tokens: TokenEndpointResponse)

    let way: SignInWay
    /// Whose addresses may sign in; nil if everyone's may.
    let staff: BusinessEmailPolicy?
    let connection: ServerConnection
    let notice: @Sendable (LoginNotice) -> Void

    private var transport: any IdentityTransport { connection.transport }

    func run(_ wanted: AccountSettings.OpenID) async throws -> Finished {
        if staff != nil { notice(.businessOnly) }
        let metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(wanted.issuer), over: transport,
            options: connection.options.keySet)
        var settings = wanted
        guard let endpoint = metadata.tokenEndpoint else {
            throw LoginError(
                .invalidDocument, in: .signIn, "The server's metadata name no token endpoint.")
        }
        settings.tokenEndpoint = endpoint.text
        settings.revocationEndpoint = metadata.revocationEndpoint?.text
        var asked = settings
        asked.scopes = settings.scopes(supported: metadata.supportedScopes)
        let token = try TokenEndpoint(
            url: endpoint, clientID: settings.clientID, authentication: settings.authentication,
            transport: watched(settings))
        let done = try await person(asked, by: token, of: metadata)
        let subject = done.identity.subject
        settings.subject = subject
        let grant: SessionGrant
        do {
            if let refusal = refusal(of: done.identity) { throw refusal }
            grant = try OAuthBackend(token, user: { _ in subject }).grant(of: done.tokens)
        } catch {
            await revoke(done.tokens, by: token, of: metadata)
            throw error
        }
        if grant.refreshToken == nil {
            let leftOut = asked.scopes.count < settings.scopes.count
            notice(.noRefreshToken(grant.lifetime, leftOut: leftOut))
        }
        let user = done.identity.email.address ?? done.identity.name ?? subject
        return Finished(settings: settings, user: user, grant: grant)
    }

    /// Ends what the server has given for a sign-in that fails, if the server is reached, and even
    /// if the task is cancelled.
    private func revoke(
        _ tokens: TokenEndpointResponse, by token: TokenEndpoint, of metadata: ProviderMetadata
    ) async {
        guard let place = metadata.revocationEndpoint else { return }
        await Task {
            if let refreshToken = tokens.refreshToken {
                try? await token.revoke(refreshToken: refreshToken, at: place)
            } else if let accessToken = tokens.accessToken {
                try? await token.revoke(accessToken: accessToken, at: place)
            }
        }.value
    }

    /// Why this person may not sign in; nil if they may.
    private func refusal(of identity: VerifiedIdentity) -> LoginError? {
        guard let verdict = staff?.verdict(for: identity.email), !verdict.isAllowed else {
            return nil
        }
        return LoginError(
            .unauthorizedDomain, in: .otherPerson,
            "Sign in failed. The account has no verified address of an allowed domain "
                + "(\(shown: verdict.name)).")
    }

    private func person(
        _ settings: AccountSettings.OpenID, by token: TokenEndpoint, of metadata: ProviderMetadata
    ) async throws -> Person {
        switch way {
        case .loopback(let opens, let port, let timeout, let show):
            return try await inBrowser(
                settings, opens: opens, port: port, timeout: timeout, show: show)
        case .device(let timeout, let show):
            return try await onDevice(
                settings, by: token, of: metadata, timeout: timeout, show: show)
        case .suitable(let port, let timeout, let show):
            // A browser if there is one, otherwise a code if the server supports codes.
            let opens = SystemBrowser.isAvailable
            guard opens || metadata.deviceAuthorizationEndpoint == nil else {
                return try await onDevice(
                    settings, by: token, of: metadata, timeout: timeout, show: show)
            }
            return try await inBrowser(
                settings, opens: opens, port: port, timeout: timeout ?? .seconds(300), show: show)
        case .code:
            throw LoginError(
                .unsupported, in: .signIn,
                "Only a Supabase project sends codes: choose another way.")
        }
    }

    private func inBrowser(
        _ settings: AccountSettings.OpenID, opens: Bool, port: UInt16, timeout: Duration,
        show: SignInWay.Show
    ) async throws -> Person {
        let signIn = try LoopbackSignIn(
            settings.provider(), authentication: settings.authentication, port: port,
            timeout: timeout, transport: watched(settings), options: connection.options)
        let done = try await signIn.run { address in
            let isOpening = opens && (try? SystemBrowser.open(address)) != nil
            show(.address(address, isOpening: isOpening))
        }
        return (done.identity, done.tokens)
    }

    private func onDevice(
        _ settings: AccountSettings.OpenID, by token: TokenEndpoint, of metadata: ProviderMetadata,
        timeout: Duration?, show: SignInWay.Show
    ) async throws -> Person {
        guard let place = metadata.deviceAuthorizationEndpoint else {
            throw LoginError(
                .unsupported, in: .signIn, "The server does not offer sign-in on another device.")
        }
        let device = try DeviceAuthorization(
            endpoint: place, token: token, scopes: settings.scopes,
            clock: timeout.map(connection.clock.ending) ?? connection.clock)
        let code = try await device.begin()
        show(.deviceCode(code))
        let tokens = try await device.tokens(for: code)
        do {
            guard let idToken = tokens.idToken else {
                throw AuthorizationError(
                    .invalidResponse,
                    "\(reported: SignInText.noIDToken(from: settings.issuer.withoutObeyed))")
            }
            let verifier = try IDTokenVerifier(
                settings.provider(), keys: .fetched(over: transport), options: connection.options)
            return (try await verifier.verify(idToken, nonce: .none), tokens)
        } catch {
            await revoke(tokens, by: token, of: metadata)
            throw error
        }
    }

    /// The transport of the sign-in, which knows where tokens come from.
    private func watched(_ settings: AccountSettings.OpenID) -> SignInTransport {
        let endpoint = settings.tokenEndpoint
        return connection.signIn { $0.text.utf8.elementsEqual(endpoint.utf8) }
    }
}

extension TimeSource {
    /// This time, of which none is left after this duration: a caller that waits by it until a later
    /// time has then reached that time, and no request is cut off.
    fileprivate func ending(after duration: Duration) -> TimeSource {
        let end = elapsed() + duration
        return TimeSource(
            now: now,
            elapsed: {
                let elapsed = elapsed()
                return elapsed < end ? elapsed : elapsed + .seconds(1_000_000_000)
            },
            sleep: { await sleep(for: min($0, max(end - elapsed(), .zero))) })
    }
}
