// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE

/// A provider's token endpoint: redeems authorization codes and refresh tokens (RFC 6749, sections
/// 4.1.3 and 6).
///
/// ```swift
/// let tokens = try TokenEndpoint(
///     url: EndpointURL("https://idp.example/token"), clientID: "television",
///     authentication: .none, transport: .curl)
/// ```
///
/// Then `try await tokens.refresh(refreshToken)` gets new tokens, and `try await
/// tokens.exchange(code, redirectURI: redirectURI, pkce: .used(pkce))` the first ones of a sign-in.
/// PKCE's secret proves that the program that redeems the code also began the sign-in.
///
/// Each call sends one request and never repeats it. A provider treats a code that arrives twice as
/// stolen, and may revoke the tokens that it issued for that code. Redirects are not followed: a
/// redirect would send the secret elsewhere.
public struct TokenEndpoint: Sendable, CustomStringConvertible, CustomReflectable {
    /// The address.
    public let url: EndpointURL
    /// `client_id`.
    public var clientID: String { client.clientID }
    let client: EndpointClient

    /// A token endpoint.
    ///
    /// - Parameters:
    ///   - url: the address, `token_endpoint` of the provider's metadata.
    ///   - clientID: the client's identifier at the provider.
    ///   - authentication: how the client authenticates.
    ///   - transport: sends the requests.
    ///   - timeout: the limit for a whole exchange, up to 60 s.
    ///   - maximumByteCount: the longest response, 1,024 to 1,048,576 bytes.
    /// - Throws: `invalidIdentifier` if `clientID` is empty or not printable ASCII; `invalidSecret`
    ///   if the secret is empty or too long; `outOfRange` for a limit outside its range.
    public init(
        url: EndpointURL, clientID: String, authentication: ClientAuthentication,
        transport: some IdentityTransport, timeout: Duration = .seconds(10),
        maximumByteCount: Int = 131_072
    ) throws(IdentityConfigurationError) {
        client = try EndpointClient(
            clientID, authentication: authentication, transport: transport, timeout: timeout,
            maximumByteCount: maximumByteCount)
        self.url = url
    }

    /// The token endpoint of a provider's metadata.
    ///
    /// - Throws: `contradiction` if the provider names no token endpoint or does not support this
    ///   client authentication; `invalidIdentifier`, `invalidSecret` and `outOfRange` for the same
    ///   reasons as ``init(url:clientID:authentication:transport:timeout:maximumByteCount:)``.
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
        // Many providers accept public clients without listing "none".
        let isTaken = provider.tokenEndpointAuthMethods.contains {
            $0.utf8.elementsEqual(name.utf8)
        }
        guard isTaken || authentication.method == .none else {
            throw IdentityConfigurationError(
                .contradiction, "The provider does not take \(shown: name).")
        }
        try self.init(
            url: url, clientID: clientID, authentication: authentication, transport: transport,
            timeout: timeout, maximumByteCount: maximumByteCount)
    }

    /// Redeems an authorization code.
    ///
    /// - Parameters:
    ///   - code: the code of the callback.
    ///   - redirectURI: the authorization request's redirect URI.
    ///   - pkce: the authorization request's PKCE. If PKCE is left out, no verifier is sent; if the
    ///     nonce replaces it, the response must have an ID token.
    /// - Throws: `refused` with the provider's error (`invalid_grant` for a code that is wrong,
    ///   expired or used, or a wrong verifier), `unavailable`, `invalidResponse`, `cancelled`;
    ///   `pkceRequired`, before anything is sent, if PKCE is left out and the client has no
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
        } else if client.authentication.method == .none {
            throw AuthorizationError(
                .pkceRequired, "A client without a secret cannot leave out PKCE: nothing was sent.")
        }
        let response = try await send(parameters, secrets: secrets)
        // An injected code is one of another person's sign-in. Only the nonce of an ID token shows
        // it.
        if case .notUsed = pkce, response.idToken == nil {
            throw AuthorizationError(
                .invalidResponse,
                "PKCE was left out, and there is no ID token whose nonce binds the code.")
        }
        return response
    }

    /// Gets new tokens for a refresh token. If the response has a new refresh token, store it and
    /// drop the old token.
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token. It is a secret.
    ///   - scopes: fewer scopes than before; empty for all of them.
    /// - Throws: the errors of ``exchange(_:redirectURI:pkce:)``, and `malformed` for an impossible
    ///   refresh token or scope.
    public func refresh(
        _ refreshToken: String, scopes: [String] = []
    ) async throws(AuthorizationError) -> TokenEndpointResponse {
        guard Self.isPrintable(refreshToken, byteCount: 1...16_384),
            scopes.allSatisfy(Identifier.isScope)
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

    /// The address and the client, nothing secret.
    public var description: String { "TokenEndpoint(\(url), \(client.authentication))" }

    /// Only the address and the client.
    public var customMirror: Mirror {
        Mirror(self, children: ["url": url.text, "clientID": clientID])
    }

    /// Sends one request. Errors leave out each of `secrets`.
    private func send(
        _ parameters: [(name: String, value: String)], secrets: [String]
    ) async throws(AuthorizationError) -> TokenEndpointResponse {
        try await client.ask(parameters, at: url, secrets: secrets).tokens()
    }

    /// Whether a text has an allowed length, and printable ASCII alone.
    static func isPrintable(_ text: String, byteCount counts: ClosedRange<Int>) -> Bool {
        counts.contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
