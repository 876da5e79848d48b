// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Testing

/// One sign-in at the provider, step by step, so that a test can go wrong at any of them.
struct SignInSteps {
    /// No test here is about time, and the machine may be busy.
    static let timeout = Duration.seconds(60)
    static var options: TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.clock = .peers
        options.keySet.clock = .peers
        options.keySet.timeout = timeout
        return options
    }

    let metadata: ProviderMetadata
    let clientID: String
    let algorithm: SignatureAlgorithm
    let scopes: [String]
    let authentication: ClientAuthentication
    let state: AuthorizationState
    let nonce: AuthorizationNonce
    let pkce: PKCE

    /// With the provider that these tests share.
    init(clientID: String = "public", _ authentication: ClientAuthentication = .none) async throws {
        try await self.init(
            issuer: OpenIDProvider.shared.issuer, clientID: clientID, authentication,
            algorithm: clientID == "es256" ? .es256 : .rs256,
            scopes: ["openid", "email", "profile"])
    }

    init(
        issuer: String, clientID: String, _ authentication: ClientAuthentication,
        algorithm: SignatureAlgorithm, scopes: [String] = ["openid"]
    ) async throws {
        metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(issuer), over: CurlTransport.curl, options: Self.options.keySet
        )
        self.clientID = clientID
        self.authentication = authentication
        self.algorithm = algorithm
        self.scopes = scopes
        state = try AuthorizationState()
        nonce = try AuthorizationNonce()
        pkce = try PKCE()
    }

    /// Another client, with the verifier of the sign-in whose code it redeems: the client is what
    /// is refused.
    init(_ client: SignInSteps, redeeming other: SignInSteps) {
        (metadata, clientID, authentication) = (
            client.metadata, client.clientID, client.authentication
        )
        (algorithm, scopes) = (client.algorithm, client.scopes)
        (state, nonce, pkce) = (other.state, other.nonce, other.pkce)
    }

    func request(
        additional: [(name: String, value: String)] = []
    ) throws -> AuthorizationRequest {
        try AuthorizationRequest(
            provider: metadata, clientID: clientID, redirectURI: OpenIDProvider.redirectURI,
            scopes: scopes, state: state, nonce: .used(nonce), pkce: .used(pkce),
            additional: additional)
    }

    /// The browser's part at the shared provider.
    func browse(_ request: AuthorizationRequest) async throws -> String {
        try await OpenIDProvider.visit(request.url)
    }

    func callback(_ url: String) throws -> AuthorizationCallback {
        try AuthorizationCallback(
            url: url, redirectURI: OpenIDProvider.redirectURI, state: state,
            issuer: metadata.issuer,
            requiresIssuer: metadata.sendsIssuerInResponse)
    }

    func code() async throws -> AuthorizationCode { try callback(await browse(request())).code }

    func endpoint() throws -> TokenEndpoint {
        try TokenEndpoint(
            provider: metadata, clientID: clientID, authentication: authentication,
            transport: CurlTransport.curl,
            timeout: Self.timeout)
    }

    func exchange(_ code: AuthorizationCode) async throws -> TokenEndpointResponse {
        try await endpoint().exchange(
            code, redirectURI: OpenIDProvider.redirectURI, pkce: .used(pkce))
    }

    func verifier() throws -> IDTokenVerifier {
        try IDTokenVerifier(
            .openID(
                issuer: metadata.issuer, clientIDs: [clientID], algorithms: [algorithm]),
            keys: .fetched(over: CurlTransport.curl), options: Self.options)
    }

    /// What the token endpoint refuses, or the provider through the browser.
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
