// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

extension TokenEndpoint {
    /// Has the server forget a refresh token and what was given for it (RFC 7009).
    ///
    /// - Parameter endpoint: `revocation_endpoint` of the same provider's metadata. It gets the
    ///   token and the client's secret.
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
        try await client.ask(
            parameters, at: endpoint, from: "revocation endpoint", secrets: [token]
        ).checkIsDone()
    }
}
