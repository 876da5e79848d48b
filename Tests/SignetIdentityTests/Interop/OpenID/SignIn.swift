// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetJOSE
import Testing

/// One sign-in at the provider, step by step, so that a test can go wrong at any of them.
struct SignIn {
    /// No test is about time, and this machine may have much else to do.
    static let patience = Duration.seconds(60)
    static var options: TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.keySet.timeout = patience
        return options
    }

    let provider: OpenIDProvider
    let metadata: ProviderMetadata
    let clientID: String
    let authentication: ClientAuthentication
    let state: AuthorizationState
    let nonce: AuthorizationNonce
    let pkce: PKCE

    init(clientID: String = "public", _ authentication: ClientAuthentication = .none) async throws {
        provider = try await OpenIDProvider.shared
        metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(provider.issuer), transport: CurlTransport.curl, options: Self.options.keySet)
        self.clientID = clientID
        self.authentication = authentication
        state = try AuthorizationState()
        nonce = try AuthorizationNonce()
        pkce = try PKCE()
    }

    func request(
        additional: [(name: String, value: String)] = []
    ) throws -> AuthorizationRequest {
        try AuthorizationRequest(
            provider: metadata, clientID: clientID, redirectURI: OpenIDProvider.redirectURI,
            scopes: ["openid", "email", "profile"], state: state, nonce: .used(nonce), pkce: .used(pkce),
            additional: additional)
    }

    /// The browser's part: it asks, and is sent back to the redirect URI.
    func browse(_ request: AuthorizationRequest) async throws -> String {
        let answer = try await CurlTransport.curl.exchange(
            TransportRequest(url: EndpointURL(request.url), accept: "text/html", timeout: Self.patience))
        #expect(answer.status == 302)
        return try #require(answer.values(of: "Location").first)
    }

    func callback(_ url: String) throws -> AuthorizationCallback {
        try AuthorizationCallback(
            url: url, redirectURI: OpenIDProvider.redirectURI, state: state, issuer: metadata.issuer,
            requiresIssuer: metadata.sendsIssuerInResponse)
    }

    func code() async throws -> AuthorizationCode { try callback(await browse(request())).code }

    func endpoint() throws -> TokenEndpoint {
        try TokenEndpoint(
            provider: metadata, clientID: clientID, authentication: authentication,
            transport: CurlTransport.curl,
            timeout: Self.patience)
    }

    func exchange(_ code: AuthorizationCode) async throws -> TokenEndpointResponse {
        try await endpoint().exchange(code, redirectURI: OpenIDProvider.redirectURI, pkce: .used(pkce))
    }

    func verifier() throws -> IDTokenVerifier {
        try IDTokenVerifier(
            .openID(
                issuer: provider.issuer, clientIDs: [clientID],
                algorithms: clientID == "es256" ? [.es256] : [.rs256]), transport: CurlTransport.curl,
            options: Self.options)
    }

    /// What the token endpoint, or the provider through the browser, refuses.
    static func refusal<Value>(_ body: () async throws -> Value) async -> AuthorizationError? {
        do {
            _ = try await body()
            Issue.record("accepted")
            return nil
        } catch let error as AuthorizationError {
            return error
        } catch {
            Issue.record("not an AuthorizationError: \(error)")
            return nil
        }
    }
}
