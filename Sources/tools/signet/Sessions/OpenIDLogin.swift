// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCurl
internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSession
internal import SignetSignIn

/// Signs a person in at an OpenID Connect server.
struct OpenIDLogin: Sendable {
    /// How the person reaches the server.
    enum Way {
        /// A browser on this machine: the command opens it, or only shows the address.
        case browser(opens: Bool)
        /// A code that the person types on another device.
        case device
    }

    /// Nil means the way that suits this machine and the server.
    let way: Way?
    /// The port on which the command waits for the answer; 0 lets the system choose.
    let port: UInt16
    /// How long to wait for the person; nil means 300 s in a browser, and with a code until it
    /// expires.
    let seconds: Int?
    /// Whose addresses may sign in; nil if everyone's may.
    let staff: BusinessEmailPolicy?

    /// Refuses settings with which no sign-in can end well, before anything is asked.
    static func check(_ wanted: AccountSettings.OpenID) throws {
        _ = try EndpointURL(wanted.issuer)
        _ = try provider(wanted)
        try Identifier.checkScopes(wanted.scopes)
    }

    /// Signs in. Returns the settings, completed from the server's metadata, the name under which
    /// the account is shown, and the tokens.
    func run(
        _ wanted: AccountSettings.OpenID
    ) async throws -> (settings: AccountSettings.OpenID, user: String, grant: SessionGrant) {
        if staff != nil { Output.errorLine("signet: \(SignInText.businessAccount)") }
        let metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(wanted.issuer), over: CurlTransport.curl)
        var settings = wanted
        guard let endpoint = metadata.tokenEndpoint else {
            throw CommandFailure.refused(
                "invalidDocument", "The server's metadata name no token endpoint.")
        }
        settings.tokenEndpoint = endpoint.text
        settings.revocationEndpoint = metadata.revocationEndpoint?.text
        var asked = settings
        asked.scopes = settings.scopes(supported: metadata.supportedScopes)
        let (identity, tokens) =
            switch way ?? Self.way(metadata) {
            case .browser(let opens): try await inBrowser(asked, opens: opens)
            case .device: try await onDevice(asked, endpoint: endpoint, metadata: metadata)
            }
        let subject = identity.subject
        settings.subject = subject
        let token = try TokenEndpoint(
            url: endpoint, clientID: settings.clientID, authentication: settings.authentication,
            transport: CurlTransport.curl)
        if let refusal = refusal(of: identity) {
            // Nothing is kept of a refused sign-in, neither here nor, if it is reached, at the
            // server.
            if let place = metadata.revocationEndpoint, let refreshToken = tokens.refreshToken {
                try? await token.revoke(refreshToken: refreshToken, at: place)
            }
            throw refusal
        }
        let grant = try OAuthBackend(token, user: { _ in subject }).grant(of: tokens)
        if grant.refreshToken == nil {
            Self.warn(grant.lifetime, leftOut: asked.scopes.count < settings.scopes.count)
        }
        let user = identity.email.address ?? identity.name ?? subject
        return (settings, user, grant)
    }

    /// Why this person may not sign in; nil if they may.
    private func refusal(of identity: VerifiedIdentity) -> CommandFailure? {
        guard let verdict = staff?.verdict(for: identity.email), !verdict.isAllowed else {
            return nil
        }
        return .refused(
            "unauthorizedDomain",
            "Sign in failed. The account has no verified address of an allowed domain "
                + "(\(shown: verdict.name)).",
            advice: "Sign in with another account, or allow its domain: --allow-domain DOMAIN")
    }

    /// Says that the session is short, and what may make it longer.
    private static func warn(_ lifetime: Duration, leftOut: Bool) {
        Output.errorLine(
            "signet: warning: the server gave no refresh token: the session ends with its "
                + "access token, in \(lifetime.wholeSeconds) s.")
        guard leftOut else { return }
        Output.errorLine(
            "signet: the scope offline_access was left out, because the server does not list it. "
                + "To ask for it all the same, sign out, and sign in again with --scope email "
                + "--scope profile --scope offline_access besides the other options.")
    }

    /// A browser if there is one, otherwise a code if the server supports codes.
    private static func way(_ metadata: ProviderMetadata) -> Way {
        if SystemBrowser.isAvailable { return .browser(opens: true) }
        return metadata.deviceAuthorizationEndpoint == nil ? .browser(opens: false) : .device
    }

    private func inBrowser(
        _ settings: AccountSettings.OpenID, opens: Bool
    ) async throws -> (VerifiedIdentity, TokenEndpointResponse) {
        let signIn = try LoopbackSignIn(
            Self.provider(settings), authentication: settings.authentication, port: port,
            timeout: .seconds(seconds ?? 300), transport: Self.transport(settings))
        let done = try await signIn.run { address in
            let isOpen = opens && (try? SystemBrowser.open(address)) != nil
            Output.errorLine(
                isOpen
                    ? "signet: your browser opens; if not, open this address on this machine, once:"
                    : "signet: open this address once, with your browser on this machine:")
            Output.errorLine(address)
        }
        return (done.identity, done.tokens)
    }

    private func onDevice(
        _ settings: AccountSettings.OpenID, endpoint: EndpointURL, metadata: ProviderMetadata
    ) async throws -> (VerifiedIdentity, TokenEndpointResponse) {
        guard let place = metadata.deviceAuthorizationEndpoint else {
            throw CommandFailure.refused(
                "unsupported", "The server does not offer sign-in on another device.",
                advice: "Leave --device out.")
        }
        let token = try TokenEndpoint(
            url: endpoint, clientID: settings.clientID, authentication: settings.authentication,
            transport: Self.transport(settings))
        let device = try DeviceAuthorization(
            endpoint: place, token: token, scopes: settings.scopes,
            clock: seconds.map { .ending(after: .seconds($0)) } ?? .system)
        let code = try await device.begin()
        Output.errorLine("signet: on any device go to \(code.verificationURI)")
        Output.errorLine("        and enter the code \(code.userCode)")
        let tokens = try await device.tokens(for: code)
        guard let idToken = tokens.idToken else {
            throw AuthorizationError(
                .invalidResponse,
                "\(reported: SignInText.noIDToken(from: settings.issuer.onOneLine))")
        }
        let verifier = try IDTokenVerifier(
            Self.provider(settings), keys: .fetched(over: CurlTransport.curl))
        return (try await verifier.verify(idToken, nonce: .none), tokens)
    }

    private static func transport(_ settings: AccountSettings.OpenID) -> SignInTransport {
        let endpoint = settings.tokenEndpoint
        return SignInTransport { $0.text.utf8.elementsEqual(endpoint.utf8) }
    }

    private static func provider(_ settings: AccountSettings.OpenID) throws -> IdentityProvider {
        var provider = try IdentityProvider.openID(
            issuer: settings.issuer, clientIDs: [settings.clientID],
            algorithms: settings.algorithms.compactMap(KeyFile.signature))
        provider.trustedAudiences = settings.trustedAudiences ?? []
        provider.codeFlow?.scopes = settings.scopes
        return provider
    }
}

extension TimeSource {
    /// The system's time, of which none is left after this duration: a caller that waits by it
    /// until a later time has then reached that time, and no request is cut off.
    fileprivate static func ending(after duration: Duration) -> TimeSource {
        let system = TimeSource.system
        let end = system.elapsed() + duration
        return TimeSource(
            now: { system.now() },
            elapsed: {
                let elapsed = system.elapsed()
                return elapsed < end ? elapsed : elapsed + .seconds(1_000_000_000)
            },
            sleep: { await system.sleep(for: min($0, max(end - system.elapsed(), .zero))) })
    }
}
