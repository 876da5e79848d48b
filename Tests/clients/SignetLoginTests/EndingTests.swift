// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import SignetLogin
import SignetSupabase
import TestSupport
import Testing

@Suite("What a sign-out and a forget end, and what stays")
struct EndingTests {
    private static let other = LoginServer.openID(
        issuer: "https://other.example", clientID: "notes", algorithms: [.es256])

    /// The provider, which does something else before it answers a request to this path.
    private static func transport(
        _ issuer: StubIssuer, before path: String, do work: @escaping @Sendable () async -> Void
    ) -> FakeTransport {
        FakeTransport { request in
            if request.url.path.hasSuffix(path) { await work() }
            do throws(TransportFailure) {
                return .success(try await issuer.exchange(request))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Signs in with the first vault's keyring, and then without it.
    private static func signInTwice(
        _ fixture: AccountFixture, by signIn: () async throws -> Void
    ) async throws {
        try await signIn()
        fixture.keyring.condition = .away
        fixture.clock.advance(by: .seconds(1))
        try await signIn()
        fixture.keyring.condition = .open
    }

    @Test("A forget keeps what another process has signed in while the server was told")
    func forgottenMeanwhile() async throws {
        let fixture = try AccountFixture()
        let next = try fixture.account()
        let isFirst = Locked(true)
        let transport = Self.transport(fixture.issuer, before: "/revoke") {
            guard
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return }
            await #expect(throws: Never.self) { try await next.signIn() }
        }
        let program = try fixture.program(over: transport)
        let account = program.account(at: AccountFixture.server)
        try await account.signIn()
        #expect(try await account.forget() == nil)
        #expect(try await fixture.account().token().exposedText == "at-2")
        #expect(fixture.issuer.sessionCount == 1)
        #expect(try await account.forget() == nil)
        #expect(try await program.names() == [] && fixture.issuer.sessionCount == 0)
    }

    @Test("The settings of a sign-in that is cut off are never those of an earlier session")
    func cutOff() async throws {
        let fixture = try AccountFixture()
        let second = try StubIssuer(clock: fixture.clock.source, issuer: "https://other.example")
        let transport = second.beside(fixture.issuer)
        let next = try fixture.program(over: transport)
        let other = next.account(at: Self.other)
        try await other.signIn()
        let kept = try await next.look().account("default")
        try await other.signOut()
        fixture.clock.advance(by: .seconds(1))
        try await fixture.account().signIn()
        // The other sign-in ends after its first write.
        try await kept.storeSettings()
        #expect(await other.failure() == .signedOut)
        #expect(try await fixture.account().failure() == .signedOut)
        fixture.clock.advance(by: .seconds(1))
        try await fixture.account().signIn()
        #expect(try await fixture.account().user().issuer == StubIssuer.issuer)
    }

    @Test("A session without settings is gone after the next sign-in")
    func withoutSettings() async throws {
        let fixture = try AccountFixture()
        let account = try fixture.account()
        try await account.signIn()
        let vaults = try await fixture.program().look()
        let vault = try #require(vaults.open.first)
        try await vault.store.remove(ItemKey(service: "signet login", account: "default"))
        #expect(await account.failure() == .signedOut)
        try await account.signIn()
        #expect(try await fixture.account().token().exposedText == "at-2")
    }

    @Test("A sign-out ends the sessions in both vaults before a server has answered")
    func bothVaults() async throws {
        let fixture = try AccountFixture()
        let hasEnded = Locked(false)
        let transport = Self.transport(fixture.issuer, before: "/revoke") {
            for _ in 0..<2_000 where !hasEnded.withLock({ $0 }) {
                let left = try? await fixture.account().failure()
                if left == .signedOut { hasEnded.withLock { $0 = true } }
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        try await Self.signInTwice(fixture) { try await fixture.account().signIn() }
        let account = try fixture.program(over: transport).account(at: AccountFixture.server)
        #expect(try await account.signOut() == nil)
        #expect(hasEnded.withLock { $0 } && fixture.issuer.sessionCount == 0)
    }

    @Test("OpenID Connect has no call for all sessions: that is an error, and those here end")
    func allAtProvider() async throws {
        let fixture = try AccountFixture()
        try await Self.signInTwice(fixture) { try await fixture.account().signIn() }
        let account = try fixture.account()
        #expect(await failure { try await account.signOut(.others) } == .unsupported)
        #expect(await account.failure() == nil)
        #expect(await failure { try await account.signOut(.all) } == .unsupported)
        #expect(await account.failure() == .signedOut)
        #expect(fixture.issuer.sessionCount == 0)
    }

    @Test("A project is told once to end all sessions of a person who is in both vaults")
    func allAtProject() async throws {
        let fixture = try AccountFixture()
        let scopes = Recorder<String>()
        let transport = FakeTransport { request in
            let json = ["Content-Type": "application/json"]
            let path = request.url.path
            if path.hasSuffix("/otp") { return .body("{}", json) }
            if path.hasSuffix("/verify") { return .body(Self.session, json) }
            scopes.append(String(request.url.text.split(separator: "=").last ?? ""))
            return .status(204)
        }
        let program = try fixture.program(over: transport)
        let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
        let project = LoginServer.supabase(
            url: "https://ref.supabase.co", publishableKey: "sb_publishable_x")
        try await Self.signInTwice(fixture) {
            // Each by a program that starts then, and sees the keyring as it is.
            let account = try fixture.program(over: transport).account(at: project)
            try await account.signIn(.code(to: phone) { _ in "012345" })
        }
        #expect(try await program.account(at: project).signOut(.all) == nil)
        #expect(scopes.all.sorted() == ["global", "local"])
    }

    private static let session =
        #"{"access_token":"at-1","token_type":"bearer","expires_in":3600,"refresh_token":"rt-1","#
        + #""user":{"id":"d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10","phone":"14155551234"}}"#
}
