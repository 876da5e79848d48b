// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import Testing

/// Tokens that a provider signs with the same keys, for the same client, and that sign nobody in.
@Suite("Tokens that are no ID tokens")
struct OtherTokensTests {
    static let logout = #"{"http://schemas.openid.net/event/backchannel-logout":{}}"#

    @Test("A logout token and a security event token", arguments: [logout, "null", "{}", #""{}""#])
    func events(_ events: String) async throws {
        let fixture = try ProviderFixture.openID()
        let verifier = try fixture.verifier()
        for header in [fixture.key.header, #"{"alg":"RS256","kid":"\#(fixture.key.keyID)"}"#] {
            let token = try fixture.token(["events": events, "nonce": nil], header: header)
            let error = await reason { () async throws(IdentityError) in try await verifier.verify(token) }
            #expect(error == IdentityError(.typeMismatch, claim: "events", ""))
        }
    }
}
