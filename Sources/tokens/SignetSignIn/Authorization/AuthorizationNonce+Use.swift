// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthorizationNonce {
    /// Whether an authorization request has a nonce.
    public enum Use: Sendable {
        /// The request sends the nonce, and the ID token must be verified with it.
        case used(AuthorizationNonce)
        /// The request asks for no ID token. The scope `openid` is then rejected.
        case noIDToken
        /// The request sends no nonce, for a provider that puts none into its ID tokens, such as
        /// LinkedIn.
        ///
        /// The risk: an ID token of another sign-in with the same client passes. Accept ID tokens
        /// only from the token endpoint, never from a browser or an app. PKCE still binds the code.
        /// To leave out PKCE as well, see ``PKCE/Use/notUsedNorNonce``.
        case notUsed
    }
}
