// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What the issuer is told when it starts. Where it listens is no part of it, the port apart: it is this machine, always.
package struct DevIssuerConfiguration: Sendable {
    /// 0 takes a free one.
    package var port: Int
    /// The clients that may ask; the first is the audience of tokens that name none.
    package var clientIDs: [String]
    /// Where `/authorize` may send a browser, compared exactly.
    package var redirectURIs: [String]
    /// Whom `/authorize` signs in, without asking anybody.
    package var person: Person

    package init(port: Int = 0, clientIDs: [String], redirectURIs: [String] = [], person: Person) {
        self.port = port
        self.clientIDs = clientIDs
        self.redirectURIs = redirectURIs
        self.person = person
    }
}
