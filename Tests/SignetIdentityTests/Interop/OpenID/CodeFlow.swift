// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetJOSE
import Testing

/// The code flow as an application has it: the whole sign-ins of these tests go through here, and
/// only here is it put together. ``SignInSteps`` is for what goes wrong between its steps.
struct CodeFlow {
    /// What is kept while the browser is away.
    struct Ticket {
        let state: AuthorizationState
        let nonce: AuthorizationNonce
        let pkce: PKCE
    }

    let issuer: EndpointURL
    let clientID: String
    let authentication: ClientAuthentication
    let redirectURI: String
    let scopes: [String]
    let options: TokenVerificationOptions
    private let verifier: IDTokenVerifier

    init(
        issuer: String, clientID: String, _ authentication: ClientAuthentication,
        algorithm: SignatureAlgorithm = .rs256, scopes: [String] = ["openid"],
        redirectURI: String = OpenIDProvider.redirectURI,
        options: TokenVerificationOptions = SignInSteps.options
    ) throws {
        self.issuer = try EndpointURL(issuer)
        self.clientID = clientID
        self.authentication = authentication
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.options = options
        verifier = try IDTokenVerifier(
            .openID(issuer: issuer, clientIDs: [clientID], algorithms: [algorithm]),
            transport: CurlTransport.curl, options: options)
    }

    /// The address for the browser, and what to keep.
    func begin() async throws -> (address: String, ticket: Ticket) {
        let ticket = try Ticket(state: AuthorizationState(), nonce: AuthorizationNonce(), pkce: PKCE())
        let request = try await AuthorizationRequest(
            provider: metadata(), clientID: clientID, redirectURI: redirectURI, scopes: scopes,
            state: ticket.state, nonce: .used(ticket.nonce), pkce: .used(ticket.pkce))
        return (request.url, ticket)
    }

    /// Who came back, by the query of the redirect URI.
    func finish(
        query: String, ticket: Ticket
    ) async throws -> (identity: VerifiedIdentity, tokens: TokenEndpointResponse) {
        let provider = try await metadata()
        let callback = try AuthorizationCallback(query: query, state: ticket.state, provider: provider)
        let endpoint = try TokenEndpoint(
            provider: provider, clientID: clientID, authentication: authentication,
            transport: CurlTransport.curl, timeout: SignInSteps.patience)
        let tokens = try await endpoint.exchange(
            callback.code, redirectURI: redirectURI, pkce: .used(ticket.pkce))
        let identity = try await verifier.verify(
            try #require(tokens.idToken), nonce: .raw(ticket.nonce.exposedText),
            accessToken: tokens.accessToken)
        return (identity, tokens)
    }

    private func metadata() async throws -> ProviderMetadata {
        try await ProviderMetadata.fetch(
            issuer: issuer, transport: CurlTransport.curl, options: options.keySet)
    }
}

extension CodeFlow {
    /// From begin to end, through a browser that says where it was sent.
    func signIn(
        _ visit: (String) async throws -> String
    ) async throws -> (identity: VerifiedIdentity, tokens: TokenEndpointResponse) {
        let (address, ticket) = try await begin()
        let location = try await visit(address)
        let query = try #require(location.split(separator: "?", maxSplits: 1).last)
        return try await finish(query: String(query), ticket: ticket)
    }
}
