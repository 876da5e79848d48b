// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE

/// A provider's token endpoint: redeems authorization codes and refresh tokens (RFC 6749, sections 4.1.3 and 6).
///
/// ```swift
/// let tokens = try TokenEndpoint(
///     url: EndpointURL("https://idp.example/token"), clientID: "television",
///     authentication: .none, transport: .curl)
/// ```
///
/// Each call is one request and is never repeated: a code that was sent twice is a code that somebody stole, and a provider may take back
/// what it gave for the first. Redirects are not followed, for they would carry the secret away.
public struct TokenEndpoint: Sendable, CustomStringConvertible, CustomReflectable {
    /// Where it is.
    public let url: EndpointURL
    /// `client_id`.
    public let clientID: String
    private let authentication: ClientAuthentication
    private let transport: any IdentityTransport
    private let timeout: Duration
    private let maximumByteCount: Int

    /// A token endpoint.
    ///
    /// - Parameters:
    ///   - url: the address, `token_endpoint` of the provider's metadata.
    ///   - clientID: the client's identifier at the provider.
    ///   - authentication: how the client shows who it is.
    ///   - transport: sends the requests.
    ///   - timeout: for one whole exchange, up to 60 s.
    ///   - maximumByteCount: the longest answer that is read, 1 024 to 1 048 576 bytes.
    /// - Throws: `invalidIdentifier` for a client that is empty or not printable ASCII; `invalidSecret` for an empty or overlong secret;
    ///   `outOfRange`.
    public init(
        url: EndpointURL, clientID: String, authentication: ClientAuthentication,
        transport: some IdentityTransport, timeout: Duration = .seconds(10),
        maximumByteCount: Int = 131_072
    ) throws(IdentityConfigurationError) {
        try Identifier.checkClient(clientID)
        try authentication.check()
        guard timeout > .zero, timeout <= .seconds(60),
            (1024...1_048_576).contains(maximumByteCount)
        else {
            throw IdentityConfigurationError(
                .outOfRange,
                "The timeout is over 0 and at most 60 s, the limit 1 024 to 1 048 576 bytes.")
        }
        self.url = url
        self.clientID = clientID
        self.authentication = authentication
        self.transport = transport
        self.timeout = timeout
        self.maximumByteCount = maximumByteCount
    }

    /// The token endpoint of a provider's metadata.
    ///
    /// - Throws: as the other form, and `contradiction` when the provider names none, or does not take this client authentication.
    public init(
        provider: ProviderMetadata, clientID: String, authentication: ClientAuthentication,
        transport: some IdentityTransport, timeout: Duration = .seconds(10),
        maximumByteCount: Int = 131_072
    ) throws(IdentityConfigurationError) {
        guard let url = provider.tokenEndpoint else {
            throw IdentityConfigurationError(
                .contradiction, "The provider names no token endpoint that may be used.")
        }
        let name = authentication.method.rawValue
        // Many providers take public clients and do not list "none".
        let isTaken = provider.tokenEndpointAuthMethods.contains {
            $0.utf8.elementsEqual(name.utf8)
        }
        guard isTaken || authentication.method == .none else {
            throw IdentityConfigurationError(.contradiction, "The provider does not take \(name).")
        }
        try self.init(
            url: url, clientID: clientID, authentication: authentication, transport: transport,
            timeout: timeout, maximumByteCount: maximumByteCount)
    }

    /// Redeems an authorization code.
    ///
    /// - Parameters:
    ///   - code: the code of the callback.
    ///   - redirectURI: the one of the authorization request.
    ///   - pkce: as in the authorization request. Where it is left out, no verifier is sent; where
    ///     the nonce takes its place, the answer must have an ID token.
    /// - Throws: `refused` with what the provider said (`invalid_grant` for a code that is wrong,
    ///   over, or used, or a wrong verifier), `unavailable`, `invalidResponse`, `cancelled`;
    ///   `pkceRequired`, before anything is sent, when PKCE is left out and the client has no
    ///   secret.
    public func exchange(
        _ code: AuthorizationCode, redirectURI: String, pkce: PKCE.Use
    ) async throws(AuthorizationError) -> TokenEndpointResponse {
        var parameters = [
            (name: "grant_type", value: "authorization_code"),
            (name: "code", value: code.exposedText),
            (name: "redirect_uri", value: redirectURI),
        ]
        var secrets = [code.exposedText]
        if case .used(let pkce) = pkce {
            parameters.append(("code_verifier", pkce.exposedVerifier))
            secrets.append(pkce.exposedVerifier)
        } else if authentication.method == .none {
            throw AuthorizationError(
                .pkceRequired, "A client without a secret cannot leave out PKCE: nothing was sent.")
        }
        let response = try await send(parameters, secrets: secrets)
        // A code of a request without an ID token, injected here, would pass unnoticed.
        if case .notUsed = pkce, response.idToken == nil {
            throw AuthorizationError(
                .invalidResponse,
                "PKCE was left out, and there is no ID token whose nonce binds the code.")
        }
        return response
    }

    /// Gets new tokens for a refresh token. Where the answer has another refresh token, keep that one and forget this one.
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token. It is a secret.
    ///   - scopes: fewer than before; all of them when empty.
    /// - Throws: as ``exchange(_:redirectURI:pkce:)``, and `malformed` for a refresh token or scope that cannot be one.
    public func refresh(
        _ refreshToken: String, scopes: [String] = []
    ) async throws(AuthorizationError) -> TokenEndpointResponse {
        guard Self.isPrintable(refreshToken, 1...16_384), scopes.allSatisfy(Identifier.isScope)
        else {
            throw AuthorizationError(
                .malformed, "A refresh token or a scope is empty or not printable ASCII.")
        }
        var parameters = [
            (name: "grant_type", value: "refresh_token"),
            (name: "refresh_token", value: refreshToken),
        ]
        if !scopes.isEmpty { parameters.append(("scope", scopes.joined(separator: " "))) }
        return try await send(parameters, secrets: [refreshToken])
    }

    /// The address and the client, and nothing secret.
    public var description: String { "TokenEndpoint(\(url), \(authentication))" }

    /// Shows the address and the client only.
    public var customMirror: Mirror {
        Mirror(self, children: ["url": url.text, "clientID": clientID])
    }

    /// Has the server forget a refresh token and what was given for it (RFC 7009).
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token. It is a secret.
    ///   - endpoint: `revocation_endpoint` of the same provider's metadata. It gets the token and
    ///     the client's secret.
    /// - Throws: as ``refresh(_:scopes:)``. A token that the server does not know is no error
    ///   (section 2.2).
    public func revoke(
        refreshToken: String, at endpoint: EndpointURL
    ) async throws(AuthorizationError) {
        try await revoke(refreshToken, "refresh_token", at: endpoint)
    }

    /// The same for an access token, where there is no refresh token.
    ///
    /// - Throws: as ``revoke(refreshToken:at:)``; `refused` with `unsupported_token_type` by many
    ///   servers.
    public func revoke(
        accessToken: String, at endpoint: EndpointURL
    ) async throws(AuthorizationError) {
        try await revoke(accessToken, "access_token", at: endpoint)
    }

    private func revoke(
        _ token: String, _ kind: String, at endpoint: EndpointURL
    ) async throws(AuthorizationError) {
        guard Self.isPrintable(token, 1...16_384) else {
            throw AuthorizationError(.malformed, "A token is empty or not printable ASCII.")
        }
        let parameters = [(name: "token", value: token), (name: "token_type_hint", value: kind)]
        try await ask(parameters, at: endpoint, secrets: [token]).checkIsDone()
    }

    private func send(
        _ parameters: [(name: String, value: String)], secrets: [String]
    ) async throws(AuthorizationError) -> TokenEndpointResponse {
        try await ask(parameters, at: url, secrets: secrets).tokens()
    }

    /// Sends a form as this client, to this endpoint or another one of the same provider.
    ///
    /// - Parameter secrets: what must not come back in an error.
    func ask(
        _ parameters: [(name: String, value: String)], at url: EndpointURL, secrets: [String]
    ) async throws(AuthorizationError) -> TokenEndpointAnswer {
        var body = parameters
        var authorization: String?
        var secrets = secrets
        switch authentication.method {
        case .none:
            body.append(("client_id", clientID))
        case .basic:
            let secret = authentication.exposedSecret
            secrets.append(secret)
            // RFC 6749, section 2.3.1: encoded each before they are joined, so that a colon does not move the border.
            let pair = FormEncoding.encode(clientID) + ":" + FormEncoding.encode(secret)
            let credentials = Base64Standard.encode(pair.utf8)
            secrets.append(credentials)
            authorization = "Basic " + credentials
        case .post:
            let secret = authentication.exposedSecret
            secrets.append(secret)
            body += [("client_id", clientID), ("client_secret", secret)]
        }
        let request = TransportRequest(
            url: url, method: .post,
            body: TransportRequest.Body(
                Array(FormEncoding.encode(body).utf8),
                contentType: "application/x-www-form-urlencoded"),
            authorization: authorization, maximumBodyByteCount: maximumByteCount, timeout: timeout)
        let response: TransportResponse
        // A time of our own: a sign-in must not wait for a transport that has forgotten it.
        switch await TimedExchange.outcome(of: request, over: transport, clock: .system) {
        case .success(let answer): response = answer
        case .failure(let failure): throw Self.failure(failure)
        }
        guard response.body.count <= maximumByteCount else {
            throw Self.failure(.init(.bodyTooLarge, ""))
        }
        // As they are, and as they were sent.
        return TokenEndpointAnswer(
            response, secrets: secrets + secrets.map(FormEncoding.encode))
    }

    private static func failure(_ failure: TransportFailure) -> AuthorizationError {
        switch failure.code {
        case .cancelled: AuthorizationError(.cancelled, "The exchange was cancelled.")
        case .bodyTooLarge:
            AuthorizationError(
                .invalidResponse, "The token endpoint's answer is longer than the limit.")
        default:
            AuthorizationError(
                .unavailable,
                "The token endpoint gave no complete answer (\(failure.code.rawValue)).")
        }
    }

    private static func isPrintable(_ text: String, _ counts: ClosedRange<Int>) -> Bool {
        counts.contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
