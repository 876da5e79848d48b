// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import SignetAccounts
    public import SignetHummingbird
    public import SignetIdentity

    extension Authentication where Context.SignedIn == VerifiedSession {
        /// Authenticates with the application's own access tokens whose session has not ended.
        public init(
            _ cutOff: SessionCutOff, from source: TokenSource = .authorization,
            guestsAreAllowed: Bool = false
        ) {
            self.init(from: source, guestsAreAllowed: guestsAreAllowed) { token in
                try await cutOff.verify(token.exposedText)
            }
        }
    }
#endif
