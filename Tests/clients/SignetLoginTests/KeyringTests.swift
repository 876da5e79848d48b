// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetLogin
import TestSupport
import Testing

@Suite("Where sessions are kept")
struct KeyringTests {
    @Test("With a keyring, the key is there alone; locked or away, it is no empty place")
    func keyring() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        #expect(try fixture.files() == [AccountFixture.main])
        for (condition, code) in [
            (StubKeyring.Condition.locked, LoginError.Code.locked), (.away, .unavailable),
        ] {
            fixture.keyring.condition = condition
            let program = try fixture.program()
            for name in ["default", "another"] {
                let account = program.account(name, at: AccountFixture.server)
                #expect(await account.failure() == code)
                #expect(await failure { try await account.token() } == code)
                #expect(await failure { try await account.signOut() } == code)
            }
            #expect(await failure { try await program.names() } == code)
        }
        #expect(try await fixture.account(hasKeyring: false).failure() == .unavailable)
        // A locked keyring is not worked around.
        fixture.keyring.condition = .locked
        #expect(await failure { try await fixture.account("b").signIn() } == .locked)
        #expect(try fixture.files() == [AccountFixture.main])
        fixture.keyring.condition = .open
        #expect(try await fixture.account().failure() == nil)
    }

    @Test("A sign-in without the keyring uses a second vault; both answer, and both end")
    func secondVault() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        fixture.keyring.condition = .away
        fixture.clock.advance(by: .seconds(1))
        try await fixture.account().signIn()
        #expect(
            try fixture.files() == [
                AccountFixture.second, AccountFixture.main, AccountFixture.secondKey,
            ])
        #expect(try await fixture.account().token().exposedText == "at-2")
        fixture.keyring.condition = .open
        let account = try fixture.account()
        #expect(try await account.token().exposedText == "at-2", "the later sign-in answers")
        #expect(try await account.signOut() == nil)
        #expect(fixture.issuer.sessionCount == 0 && fixture.issuer.requests("/revoke") == 2)
        #expect(await account.failure() == .signedOut)
        // Only where both vaults open is it certain that no one is signed in.
        fixture.keyring.condition = .away
        #expect(try await fixture.account().failure() == .unavailable)
    }

    @Test("A sign-out beside a closed vault ends what it can, and says so")
    func remaining() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        fixture.keyring.condition = .away
        let account = try fixture.account()
        try await account.signIn()
        do {
            try await account.signOut()
            Issue.record("a closed vault may have a session")
        } catch {
            #expect(error.code == .unavailable)
            #expect(error.message.hasPrefix("Signed out, except perhaps in another vault."))
        }
        #expect(fixture.issuer.sessionCount == 1)
    }

    @Test("How the key is kept is decided by the first sign-in, and stays")
    func staysInFile() async throws {
        let fixture = try AccountFixture()
        fixture.keyring.condition = .away
        try await fixture.account().signIn()
        #expect(try fixture.files() == [AccountFixture.main, AccountFixture.mainKey])
        fixture.keyring.condition = .open
        let account = try fixture.account()
        #expect(try await account.token().exposedText == "at-1")
        try await account.signOut()
        try await account.signIn()
        #expect(try await fixture.account(hasKeyring: false).failure() == nil)
        #expect(try fixture.files() == [AccountFixture.main, AccountFixture.mainKey])
    }

    @Test("A lost key is an error, and a sign-in replaces nothing by itself", arguments: [0, 1])
    func lostKey(_ place: Int) async throws {
        let fixture = try AccountFixture()
        fixture.keyring.condition = place == 0 ? .open : .away
        try await fixture.account().signIn()
        let cause: StoreError.Code
        if place == 0 {
            fixture.keyring.loseKeys()
            cause = .authenticationFailure
        } else {
            try FileManager.default.removeItem(atPath: fixture.path(AccountFixture.mainKey))
            cause = .missingKeyFile
        }
        let error = await #expect(throws: LoginError.self) {
            try await fixture.account().user()
        }
        #expect(error?.code == .unavailable && error?.isBroken == true)
        #expect((error?.underlying as? StoreError)?.code == cause)
        #expect(await failure { try await fixture.account().signIn() } == .unavailable)
        #expect(fixture.notices.all.isEmpty)

        // With the person's word, it is set aside.
        let program = try fixture.program()
        let signIn = try await program.beginSignIn(to: "default")
        let vault = try await signIn.chooseVault(settingAside: .all)
        _ = try await signIn.run(.device { _ in }, at: AccountFixture.server, in: vault)
        #expect(fixture.notices.all.count == 1)
        #expect(try await fixture.account().failure() == nil)
    }

    @Test("With the person's word, every broken vault is set aside, and only those")
    func setAsideBroken() async throws {
        let fixture = try AccountFixture()
        let program = try fixture.program()
        #expect(try await program.setAsideBroken() == [])
        try await fixture.account().signIn()
        #expect(try await program.setAsideBroken() == [], "it opens")
        fixture.keyring.condition = .away
        #expect(try await fixture.program().setAsideBroken() == [], "its key may come back")
        fixture.keyring.condition = .open
        program.close()
        let vault = fixture.path(AccountFixture.main)
        try Data(repeating: 7, count: 9_000).write(to: URL(fileURLWithPath: vault))
        let next = try fixture.program()
        let account = next.account(at: AccountFixture.server)
        #expect(await account.failure() == .corrupt)
        let paths = try await next.setAsideBroken()
        #expect(paths.count == 1 && paths.first?.hasPrefix(vault + ".unreadable-") == true)
        #expect(await account.failure() == .signedOut)
        try await account.signIn()
        #expect(await account.failure() == nil)
    }

    @Test("A vault that may have the session is unavailable, whatever closes it")
    func closedVault() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666], ofItemAtPath: fixture.path(AccountFixture.main))
        let error = await #expect(throws: LoginError.self) {
            try await fixture.account().user()
        }
        #expect(error?.code == .unavailable && error?.isBroken == false)
        #expect((error?.underlying as? StoreError)?.code == .insecureFile)
    }

    @Test("A vault that was replaced does not close the vault of a running sign-in")
    func replaced() async throws {
        let fixture = try AccountFixture()
        let program = try fixture.program()
        let account = program.account(at: AccountFixture.server)
        try await account.signIn()
        for suffix in ["", "-wal", "-shm"] {
            let path = fixture.path(AccountFixture.main) + suffix
            if FileManager.default.fileExists(atPath: path) {
                try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            }
        }
        let signIn = try await program.beginSignIn(to: "default")
        let vault = try await signIn.chooseVault(settingAside: .these([]))
        #expect(await account.failure() == .signedOut)
        _ = try await signIn.run(.device { _ in }, at: AccountFixture.server, in: vault)
        #expect(await account.failure() == nil)
    }

    @Test("A key file without a key and without a vault is in the way until a person removes it")
    func remains() async throws {
        let fixture = try AccountFixture()
        fixture.keyring.condition = .away
        try await fixture.account("other").signIn()
        let key = fixture.path(AccountFixture.mainKey)
        try FileManager.default.removeItem(atPath: fixture.path("data"))
        try Data([1, 2]).write(to: URL(fileURLWithPath: key))
        let program = try fixture.program()
        let account = program.account(at: AccountFixture.server)
        #expect(await account.failure() == .signedOut)
        let error = await #expect(throws: LoginError.self) { try await account.signIn() }
        #expect(error?.code == .unavailable && error?.message.contains(key) == true)
        #expect(error?.isBroken == false, "there is no vault to set aside")
        #expect(try await program.setAsideBroken() == [])
        try FileManager.default.removeItem(atPath: key)
        try await account.signIn()
        #expect(await account.failure() == nil)
    }

    @Test("A vault that opens by now is not set aside")
    func opensByNow() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path(AccountFixture.main)))
        let vault = fixture.path(AccountFixture.main)
        try Data(repeating: 7, count: 9_000).write(to: URL(fileURLWithPath: vault))
        let vaults = try await fixture.program().look()
        let closed = try #require(vaults.closedFirst)
        #expect(closed.isBroken)
        try bytes.write(to: URL(fileURLWithPath: vault))
        #expect(await failure { try await vaults.setAside(closed) } == .changed)
        #expect(try await fixture.account().failure() == nil)
    }
}
