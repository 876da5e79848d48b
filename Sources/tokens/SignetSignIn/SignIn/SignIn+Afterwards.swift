// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// Requests to the same provider after a sign-in.
extension SignIn {
    /// The provider's claims about the signed-in person, beyond the ID token: see
    /// ``UserInfoEndpoint``.
    ///
    /// - Parameters:
    ///   - finished: the sign-in, whose access token the endpoint receives.
    ///   - form: the form that the client is registered for. `.encrypted` needs keys: the
    ///     `decryption` that the sign-in was made with.
    /// - Throws: ``SignInError``: `subjectMismatch` for another person's claims, `formMismatch` for
    ///   an answer in another form than expected, `refused` for an expired access token,
    ///   `contradiction` if the provider names no userinfo endpoint or gave no access token, or for
    ///   `.encrypted` without keys.
    public func userInfo(
        of finished: Finished, expecting form: UserInfoEndpoint.Form = .json
    ) async throws(SignInError) -> UserInfo {
        guard let url = try await endpoints().userInfo,
            let accessToken = finished.tokens.accessToken
        else {
            throw Self.absent("userinfo endpoint, or gave no access token")
        }
        let endpoint: UserInfoEndpoint
        do {
            endpoint = try UserInfoEndpoint(
                url: url, verifier: verifier, expecting: form, transport: transport,
                timeout: timeout)
        } catch {
            throw .configuration(error)
        }
        return try await refreshingEndpointsOnFailure { () async throws(AuthorizationError) in
            try await endpoint.userInfo(of: finished.identity, accessToken: accessToken)
        }
    }

    /// The address that also signs the person out at the provider: see ``LogoutRequest``.
    ///
    /// - Parameters:
    ///   - idToken: `VerifiedIdentity.idTokenHint` of the sign-in that ends, if the session has kept
    ///     it.
    ///   - returnURI: where the browser returns to, as registered at the provider; check
    ///     ``LogoutRequest/state`` there.
    ///   - additional: further parameters, in order.
    /// - Throws: ``SignInError``: `contradiction` if the provider names no end-session endpoint, and
    ///   for an ID token that is still encrypted.
    public func logoutRequest(
        idToken: String?, returningTo returnURI: String?,
        additional: [(name: String, value: String)] = []
    ) async throws(SignInError) -> LogoutRequest {
        guard let endpoint = try await endpoints().endSession else {
            throw Self.absent("end-session endpoint")
        }
        let state = try await SignInError.translatingErrors { () async throws(AuthorizationError) in
            try AuthorizationState()
        }
        do {
            return try LogoutRequest(
                endpoint: endpoint, clientID: clientID, idToken: idToken, returningTo: returnURI,
                state: state, schemes: schemes, additional: additional)
        } catch {
            throw .configuration(error)
        }
    }

    private static func absent(_ what: ErrorMessage) -> SignInError {
        .configuration(
            IdentityConfigurationError(.contradiction, "The provider names no \(what)."))
    }
}
