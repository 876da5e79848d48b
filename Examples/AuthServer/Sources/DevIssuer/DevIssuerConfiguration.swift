// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What the issuer is told when it starts. Where it listens is no part of it, the port apart: it is this machine, always.
package struct DevIssuerConfiguration: Sendable {
    /// 0 takes a free one.
    package var port: Int
    /// The clients that may ask; the first is the audience of tokens that name none.
    package var clientIDs: [String]
    /// Where `/authorize` may send a browser, compared exactly but for the ports of 127.0.0.1,
    /// which native programs choose.
    package var redirectURIs: [String]
    /// Whom `/authorize` signs in, without asking anybody.
    package var person: Person
    /// How long access tokens are good, in seconds.
    package var tokenLifetime: Int

    package init(
        port: Int = 0, clientIDs: [String], redirectURIs: [String] = [], person: Person,
        tokenLifetime: Int = 3_600
    ) {
        self.port = port
        self.clientIDs = clientIDs
        self.redirectURIs = redirectURIs
        self.person = person
        self.tokenLifetime = tokenLifetime
    }
}
