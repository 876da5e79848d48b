// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetLogin
import TestSupport
import Testing

@Suite("Two sign-ins to one account")
struct SecondSignInTests {
    @Test("The next sign-in brings the endpoints that its server names by then")
    func endpoints() async throws {
        let fixture = try AccountFixture()
        let account = try fixture.account()
        try await account.signIn()
        let api = try EndpointURL("https://idp.example/me")
        let client = try await account.client(for: [api])
        try await account.signOut()
        fixture.issuer.state.withLock { $0.tokenPath = "/new" }
        fixture.clock.advance(by: .seconds(1))
        try await account.signIn()
        #expect(await account.failure() == nil)
        fixture.clock.advance(by: StubIssuer.lifetime)
        try await client.send(TransportRequest(url: api))
        #expect(fixture.issuer.requests("/token") == 1, "that of the first sign-in")
        #expect(fixture.issuer.requests("/new") == 2)
    }

    @Test("A later session that is over does not hide the other vault's")
    func later() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        fixture.keyring.condition = .away
        fixture.clock.advance(by: .seconds(1))
        fixture.issuer.state.withLock { $0.leavesOut = ["refresh_token"] }
        try await fixture.account().signIn()
        fixture.issuer.state.withLock { $0.leavesOut = [] }
        fixture.keyring.condition = .open
        #expect(try await fixture.account().token().exposedText == "at-2", "the later one")
        fixture.clock.advance(by: StubIssuer.lifetime)
        let account = try fixture.account()
        #expect(try await account.token().exposedText == "at-3", "the first session's")
        #expect(await failure { try await account.signIn() } == .signedIn)
        #expect(fixture.issuer.sessionCount == 1)
    }
}
