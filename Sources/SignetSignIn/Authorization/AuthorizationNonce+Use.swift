// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthorizationNonce {
    /// Whether an authorization request has a nonce.
    public enum Use: Sendable {
        /// The request sends the nonce, and the ID token must be verified with it.
        case used(AuthorizationNonce)
        /// The request asks for no ID token. Together with the scope `openid` it is refused.
        case noIDToken
        /// None is sent: the provider puts no nonce into its ID tokens. LinkedIn is one.
        ///
        /// What is lost: an ID token of another sign-in with the same client passes. Take ID tokens
        /// from the token endpoint only, never from a browser or an app. PKCE still binds the code;
        /// without it as well, see ``PKCE/Use/notUsedNorNonce``.
        case notUsed
    }
}
