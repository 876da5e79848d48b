// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What the issuer is told when it starts. Of its address only the port can be set: the host is
/// always this machine.
package struct DevIssuerConfiguration: Sendable {
    /// 0 takes a free one.
    package var port: Int
    /// The clients that may ask; the first is the audience of tokens that name none.
    package var clientIDs: [String]
    /// Where `/authorize` may send a browser. Addresses must match exactly, except for ports of
    /// 127.0.0.1, which native programs choose.
    package var redirectURIs: [String]
    /// The person whom `/authorize` signs in without asking.
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
