// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetIdentity
internal import SignetJOSE

/// The steps of a sign-in, in order:
///
/// 1. Beginning: `endpoints`, `makeRequest`. The person signs in at the provider.
/// 2. The callback brings a code: `endpoints`, `requireKeys`, `readCallback`.
/// 3. `exchangeCode` gets tokens for the code, and `verifyIdentity` checks the ID token.
///
/// A *pending* sign-in holds the random texts that the answers must match: `state` in the callback,
/// the nonce in the ID token, and PKCE's secret, which the exchange sends.
extension SignIn {
    /// The provider's flow and the client, if the flow proves who signs in and binds its code.
    static func checkedFlow(
        of provider: IdentityProvider, authentication: ClientAuthentication
    ) throws(IdentityConfigurationError) -> (CodeFlow, clientID: String) {
        guard let flow = provider.codeFlow, let clientID = provider.clientIDs.first else {
            throw contradiction("\(shown: provider.name) has no authorization-code flow.")
        }
        guard flow.scopes.contains(where: { $0.utf8.elementsEqual("openid".utf8) }) else {
            throw contradiction("Without the scope \"openid\" there is no ID token.")
        }
        guard flow.usesPKCE || authentication.method != .none else {
            throw contradiction("A client without a secret cannot leave out PKCE.")
        }
        try Identifier.checkScopes(flow.scopes)
        return (flow, clientID)
    }

    /// The provider's endpoints, fetched if they are not known.
    func endpoints() async throws(SignInError) -> SignInEndpoints {
        do {
            return try await source.endpoints()
        } catch {
            throw .metadata(error)
        }
    }

    /// Checks that there are keys to verify the ID token with, unless the provider has a secret.
    func requireKeys() async throws(SignInError) {
        do {
            _ = try await verifier.remoteKeys?.keys()
        } catch {
            throw .identity(IdentityError(error))
        }
    }

    /// The address that sends the browser to the provider.
    func makeRequest(
        _ pending: PendingSignIn, endpoints: SignInEndpoints,
        additional: [(name: String, value: String)]
    ) throws(SignInError) -> AuthorizationRequest {
        do {
            try AuthorizationRequest.checkMethods(
                endpoints.codeChallengeMethods, pkce: pending.pkceUse)
            return try AuthorizationRequest(
                endpoint: endpoints.authorization, clientID: clientID, redirectURI: redirectURI,
                scopes: flow.scopes, state: pending.state,
                nonce: pending.nonce.map { .used($0) } ?? .notUsed, pkce: pending.pkceUse,
                responseMode: flow.responseMode, schemes: schemes, additional: additional)
        } catch {
            throw .configuration(error)
        }
    }

    /// Checks the provider's response. Its `iss` may be the issuer of tokens or of the metadata.
    func readCallback(
        _ query: String, for pending: PendingSignIn, endpoints: SignInEndpoints
    ) throws(AuthorizationError) -> AuthorizationCallback {
        try AuthorizationCallback(
            query: query, state: pending.state, requiresIssuer: endpoints.sendsIssuer
        ) { issuer in
            verifier.provider.mayIssue(issuer) || endpoints.issuer.map(issuer.isEqual) == true
        }
    }

    /// Exchanges the code for tokens, once: a code that is sent again looks stolen.
    func exchangeCode(
        _ code: AuthorizationCode, for pending: PendingSignIn, endpoints: SignInEndpoints
    ) async throws(SignInError) -> TokenEndpointResponse {
        let endpoint: TokenEndpoint
        do {
            // Any authentication method, whatever the metadata list: many providers omit methods
            // that they accept.
            endpoint = try TokenEndpoint(
                url: endpoints.token, clientID: clientID, authentication: authentication,
                transport: transport, timeout: timeout)
        } catch {
            throw .configuration(error)
        }
        return try await refreshingEndpointsOnFailure { () async throws(AuthorizationError) in
            try await endpoint.exchange(code, redirectURI: redirectURI, pkce: pending.pkceUse)
        }
    }

    /// Calls `ask`, which sends one request to an endpoint of the provider. If the endpoint seems
    /// to be gone, the metadata are read again for the next sign-in.
    func refreshingEndpointsOnFailure<Value>(
        _ ask: () async throws(AuthorizationError) -> Value
    ) async throws(SignInError) -> Value {
        do {
            return try await ask()
        } catch {
            await source.refreshIfMoved(after: error)
            throw .authorization(error)
        }
    }

    /// Verifies the ID token, which must be for this client.
    func verifyIdentity(
        _ tokens: TokenEndpointResponse, for pending: PendingSignIn
    ) async throws(SignInError) -> VerifiedIdentity {
        guard let idToken = tokens.idToken else {
            throw .authorization(
                AuthorizationError(
                    .invalidResponse, "The token endpoint's answer has no \"id_token\"."))
        }
        do throws(IdentityError) {
            let identity = try await verifier.verify(
                idToken, nonce: pending.nonce.map { .raw($0) } ?? .none)
            // The verifier accepts tokens of all clients (OpenID Connect Core 3.1.3.7, step 3).
            guard identity.audience.contains(where: { $0.utf8.elementsEqual(clientID.utf8) }) else {
                throw IdentityError(
                    .audienceMissing, claim: "aud",
                    "The ID token was made for another client than the one that asked for it.")
            }
            return identity
        } catch {
            throw .identity(error)
        }
    }

    private static func contradiction(_ message: ErrorMessage) -> IdentityConfigurationError {
        IdentityConfigurationError(.contradiction, message)
    }
}

extension SignIn.Keeping {
    /// Checks the lengths of the keys that seal cookies.
    func check() throws(IdentityConfigurationError) {
        guard case .cookie(let key, let previous) = self else { return }
        guard ([key] + previous).allSatisfy({ $0.byteCount == ExpiringSeal.keyByteCount }) else {
            throw IdentityConfigurationError(
                .invalidSecret, "A key that seals sign-ins has 32 bytes.")
        }
    }
}
