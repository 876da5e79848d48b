// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import SignetLogin
import TestSupport
import Testing

@Suite("An account whose session is of another server")
struct OtherServerTests {
    @Test("A session of another server is none of this account's, and its tokens go nowhere")
    func otherServer() async throws {
        let fixture = try AccountFixture()
        let first = fixture.issuer
        let second = try StubIssuer(clock: fixture.clock.source, issuer: "https://other.example")
        let transport = second.beside(first)
        let account = try fixture.program(over: transport).account(at: AccountFixture.server)
        try await account.signIn()
        let api = try EndpointURL("https://idp.example/me")
        let client = try await account.client(for: [api])

        // Another program has another server, and signs in there.
        let next = try fixture.program(over: transport).account(
            at: .openID(issuer: "https://other.example", clientID: "notes", algorithms: [.es256]))
        #expect(await next.failure() == .otherServer)
        #expect(await failure { try await next.token() } == .otherServer)
        #expect(await failure { try await next.client(for: [api]) } == .otherServer)
        #expect(first.sessionCount == 1, "nothing has ended")
        fixture.clock.advance(by: .seconds(1))
        try await next.signIn()
        #expect(first.sessionCount == 0 && second.sessionCount == 1)
        #expect(await account.failure() == .otherServer)

        // The first program's client has the old session in hand, whose token has expired.
        fixture.clock.advance(by: StubIssuer.lifetime)
        let asked = first.requests("/token")
        let error = await #expect(throws: APIError.self) {
            try await client.send(TransportRequest(url: api))
        }
        #expect(error?.code == .notSignedIn)
        #expect(first.requests("/token") == asked && first.requests("/me") == 0)
        #expect(try await next.token().exposedText == "at-2")

        // And back.
        fixture.clock.advance(by: .seconds(1))
        try await account.signIn()
        #expect(first.sessionCount == 1 && second.sessionCount == 0)
        try await client.send(TransportRequest(url: api))
        #expect(await next.failure() == .otherServer)
        try await next.signOut()
        #expect(first.sessionCount == 0, "a sign-out ends it, at its own server")
    }

    @Test("A session of another client of the server is none of this account's")
    func otherClient() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        let account = try fixture.program().account(
            at: .openID(issuer: StubIssuer.issuer, clientID: "other", algorithms: [.es256]))
        #expect(await account.failure() == .otherServer)
    }

    @Test("A sign-in that fails leaves the other server's session; one that succeeds ends it")
    func failedSignIn() async throws {
        let fixture = try AccountFixture()
        let first = fixture.issuer
        let second = try StubIssuer(clock: fixture.clock.source, issuer: "https://other.example")
        try await fixture.account().signIn()
        let next = try fixture.program(over: second.beside(first)).account(
            at: .openID(issuer: "https://other.example", clientID: "notes", algorithms: [.es256]))
        second.state.withLock { $0.isDown = true }
        #expect(await failure { try await next.signIn() } != nil)
        second.state.withLock {
            $0.isDown = false
            $0.declines = true
        }
        #expect(await failure { try await next.signIn() } == LoginError.Code(rawValue: "refused"))
        #expect(first.sessionCount == 1)
        #expect(try await fixture.account().failure() == nil, "the session is here, too")
        // The old server need not be there any more.
        second.state.withLock { $0.declines = false }
        first.state.withLock { $0.isDown = true }
        try await next.signIn()
        #expect(await next.failure() == nil && fixture.notices.all.count == 1)
        #expect(try await fixture.account().failure() == .otherServer)
    }

    @Test("Where the two vaults have sessions of different servers, each program has its own")
    func oneInEachVault() async throws {
        let fixture = try AccountFixture()
        let first = fixture.issuer
        let second = try StubIssuer(clock: fixture.clock.source, issuer: "https://other.example")
        let transport = second.beside(first)
        let otherServer = LoginServer.openID(
            issuer: "https://other.example", clientID: "notes", algorithms: [.es256])
        try await fixture.account().signIn()
        fixture.keyring.condition = .away
        fixture.clock.advance(by: .seconds(1))
        let next = try fixture.program(over: transport).account(at: otherServer)
        #expect(await next.failure() == .unavailable)
        try await next.signIn()
        #expect(
            try await fixture.account().failure() == .unavailable, "the closed vault may have it")
        fixture.keyring.condition = .open
        let account = try fixture.account()
        #expect(try await account.user().issuer == StubIssuer.issuer)
        #expect(await failure { try await account.signIn() } == .signedIn)
        let later = try fixture.program(over: transport).account(at: otherServer)
        #expect(try await later.user().issuer == "https://other.example")
        #expect(await failure { try await later.signIn() } == .signedIn)
        #expect(first.sessionCount == 1 && second.sessionCount == 1)
    }
}
