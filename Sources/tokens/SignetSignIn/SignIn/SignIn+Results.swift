// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

extension SignIn {
    /// A sign-in that has begun. Printing shows nothing of it.
    public struct Begun: Sendable, Redacted {
        /// The address for the browser, as a redirect with status 302 or 303. Do not log it.
        public let url: String
        /// The ticket that the callback needs. A native program keeps it in memory; a server may
        /// bind it to the browser in its own way.
        public let ticket: String
        /// The value of a `Set-Cookie` field that keeps the ticket in the browser for 10 minutes.
        public let setCookie: String
        /// The state that the response must have.
        let state: AuthorizationState
    }

    /// A finished sign-in. Printing shows no token.
    public struct Finished: Sendable, CustomStringConvertible, CustomReflectable {
        /// The person: store users under its `VerifiedIdentity.identityKey`.
        public let identity: VerifiedIdentity
        /// The tokens. Only the ID token is verified. It is as it came, so it may be encrypted: for
        /// a logout keep `VerifiedIdentity.idTokenHint`.
        public let tokens: TokenEndpointResponse
        /// The callback, for parameters that no token has, such as Apple's `user` on the first
        /// sign-in.
        public let callback: AuthorizationCallback
        /// The text that was passed to ``SignIn/begin(applicationState:additional:)``.
        public let applicationState: String
        /// The value of a `Set-Cookie` field that removes the ticket from the browser.
        public let clearedCookie: String

        /// The person and which tokens are present, nothing of the tokens.
        public var description: String { "SignIn.Finished(\(identity), \(tokens))" }

        /// Only the identity.
        public var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
    }
}
