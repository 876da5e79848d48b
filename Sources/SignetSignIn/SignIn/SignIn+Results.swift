// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

extension SignIn {
    /// A sign-in that has begun. Printing it shows nothing of it.
    public struct Begun: Sendable, Redacted {
        /// Where the browser goes, by a redirect with the status 302 or 303. Not for a log.
        public let url: String
        /// What the callback needs: for a native program, which keeps it in memory, and for a
        /// server that keeps it bound to the browser in a way of its own.
        public let ticket: String
        /// The value of a `Set-Cookie` field that keeps the ticket in the browser for 10 minutes.
        public let setCookie: String
        /// What the answer must bring.
        let state: AuthorizationState
    }

    /// Someone has signed in. Printing it shows no token.
    public struct Finished: Sendable, CustomStringConvertible, CustomReflectable {
        /// Who: store users under its `VerifiedIdentity.identityKey`.
        public let identity: VerifiedIdentity
        /// The tokens. Of them only the ID token is verified.
        public let tokens: TokenEndpointResponse
        /// The callback, for parameters that only it has: Apple's `user` on the first sign-in.
        public let callback: AuthorizationCallback
        /// The text that ``SignIn/begin(carrying:additional:)`` was given.
        public let carried: String
        /// The value of a `Set-Cookie` field that takes the ticket from the browser.
        public let clearedCookie: String

        /// Who, and nothing of the tokens.
        public var description: String { "SignIn.Finished(\(identity), \(tokens))" }

        /// Shows the identity only.
        public var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
    }
}
