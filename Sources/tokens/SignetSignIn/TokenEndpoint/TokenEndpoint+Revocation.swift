// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

extension TokenEndpoint {
    /// Revokes a refresh token and the tokens issued for it (RFC 7009).
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token. It is a secret.
    ///   - endpoint: `revocation_endpoint` of the same provider's metadata. It receives the token
    ///     and the client's secret.
    /// - Throws: the errors of ``refresh(_:scopes:)``. An unknown token is not an error (section
    ///   2.2).
    public func revoke(
        refreshToken: String, at endpoint: EndpointURL
    ) async throws(AuthorizationError) {
        try await revoke(refreshToken, kind: "refresh_token", at: endpoint)
    }

    /// Revokes an access token, if there is no refresh token.
    ///
    /// - Throws: the errors of ``revoke(refreshToken:at:)``; many servers answer `refused` with
    ///   `unsupported_token_type`.
    public func revoke(
        accessToken: String, at endpoint: EndpointURL
    ) async throws(AuthorizationError) {
        try await revoke(accessToken, kind: "access_token", at: endpoint)
    }

    private func revoke(
        _ token: String, kind: String, at endpoint: EndpointURL
    ) async throws(AuthorizationError) {
        guard Self.isPrintable(token, byteCount: 1...16_384) else {
            throw AuthorizationError(.malformed, "A token is empty or not printable ASCII.")
        }
        let parameters = [(name: "token", value: token), (name: "token_type_hint", value: kind)]
        try await client.ask(
            parameters, at: endpoint, from: "revocation endpoint", secrets: [token]
        ).checkIsDone()
    }
}
