// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension PKCE {
    /// Whether a sign-in uses PKCE.
    ///
    /// PKCE stops code injection (RFC 9700, sections 2.1.1 and 4.5): an attacker who obtains
    /// another person's code puts it into the callback of the attacker's own sign-in. The `state`
    /// is correct, so without PKCE or a nonce the application signs the attacker in as that person.
    /// Leave PKCE out only if the provider rejects a `code_verifier`. Then a client secret is
    /// required: ``TokenEndpoint`` lets no client without a secret leave PKCE out.
    public enum Use: Sendable {
        /// The request sends the challenge, and the exchange sends the verifier.
        case used(PKCE)
        /// No challenge and no verifier are sent, and the nonce stops code injection instead: the
        /// request must send a nonce and request an ID token.
        ///
        /// The risk: the provider redeems an injected code, and only the nonce in the ID token
        /// reveals the injection. A response without an ID token is rejected; verify the ID token
        /// with the nonce before you use any of the tokens.
        case notUsed
        /// No challenge, no verifier and no nonce are sent: **nothing stops code injection**. RFC
        /// 9700 does not allow this; LinkedIn's web sign-in offers nothing better.
        ///
        /// What remains: `state` keeps an attacker from finishing the attacker's sign-in in a
        /// victim's browser. The client secret keeps the attacker from redeeming a code directly.
        /// The code is short-lived and works once.
        case notUsedNorNonce
    }
}
