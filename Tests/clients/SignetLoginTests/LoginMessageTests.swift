// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetLogin
import SignetSupabase
import TestSupport
import Testing

/// Hostile text at every place where an account takes text, and what the error then says.
@Suite("The messages of accounts about hostile input")
struct LoginMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("an application") { text in
            _ = try LocalAccounts(
                application: text.text, keyring: nil, transport: FakeTransport(.status(500)),
                clock: .still)
        },
        HostileSite("an account") { text in
            let program = try AccountFixture().program()
            _ = try await program.beginSignIn(to: "a").chooseVault(settingAside: .these([]))
            _ = try await program.account(text.text, at: AccountFixture.server).user()
        },
        HostileSite("a damaged account") { text in
            let program = try AccountFixture().program()
            let vault = try await program.beginSignIn(to: "a").chooseVault(
                settingAside: .these([]))
            let key = ItemKey(service: "signet login", account: text.text)
            try await vault.store.set(SecretValue(bytes: text.bytes), for: key)
            _ = try await program.account(key.account, at: AccountFixture.server).user()
        },
        HostileSite("an issuer") { text in
            try await signIn(at: .openID(issuer: text.text, clientID: "c"), .device { _ in })
        },
        HostileSite("a client") { text in
            try await signIn(
                at: .openID(issuer: StubIssuer.issuer, clientID: text.text), .device { _ in })
        },
        HostileSite("a project") { text in
            try await signIn(
                at: .supabase(url: text.text, publishableKey: text.text),
                .code(to: .phone(try PhoneNumber("+14155551234"))) { _ in "" })
        },
        HostileSite("a code") { text in
            try await signIn(
                at: .supabase(
                    url: "https://ref.supabase.co", publishableKey: "sb_publishable_x"),
                .code(to: .phone(try PhoneNumber("+14155551234"))) { _ in text.text })
        },
        HostileSite("what reads a code") { text in
            struct Failure: Error, CustomStringConvertible { let description: String }
            try await signIn(
                at: .supabase(
                    url: "https://ref.supabase.co", publishableKey: "sb_publishable_x"),
                .code(to: .phone(try PhoneNumber("+14155551234"))) { _ in
                    throw Failure(description: text.text)
                })
        },
    ]

    @Test("A message is short, on one line, and repeats no secret", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }

    /// Signs in at a server that says nothing useful.
    private static func signIn(at server: LoginServer, _ way: SignInWay) async throws {
        let transport = FakeTransport(.body("{}", ["Content-Type": "application/json"]))
        let program = try AccountFixture().program(over: transport)
        try await program.account(at: server).signIn(way)
    }
}
