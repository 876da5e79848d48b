// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension PKCE {
    /// Whether a sign-in uses PKCE.
    ///
    /// PKCE stops code injection (RFC 9700, sections 2.1.1 and 4.5): an attacker who got hold of
    /// another person's code puts it into the callback of a sign-in of his own. `state` is his own
    /// and right, so without PKCE or a nonce the application signs him in as that person. Leave
    /// PKCE out only where the provider refuses a `code_verifier`. That takes a client secret:
    /// ``TokenEndpoint`` refuses it to any other client.
    public enum Use: Sendable {
        /// The request sends the challenge, the exchange the verifier.
        case used(PKCE)
        /// Neither is sent, and the nonce stops code injection instead: the request must have one
        /// and ask for an ID token.
        ///
        /// What is lost: the provider redeems an injected code, and only the nonce in the ID token
        /// shows it. An answer without an ID token is refused; verify it with the nonce before you
        /// use any of the tokens.
        case notUsed
        /// Neither is sent, and no nonce either: **nothing stops code injection**. RFC 9700 does
        /// not allow it; LinkedIn's web sign-in has nothing better.
        ///
        /// What remains: `state` keeps an attacker from ending his sign-in in a victim's browser.
        /// The client secret keeps him from redeeming a code himself. The code is short-lived and
        /// works once.
        case notUsedNorNonce
    }
}
