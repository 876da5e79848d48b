// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetJOSE
internal import SignetLogin
internal import SignetPlatform

/// `signet logout`
struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out: here first, then at the server.",
        discussion: """
            The session here ends whatever the server answers. If the server was not told, or \
            has no such call, standard error says so, and its tokens last until they expire. \
            With --all or --others that is status 3, because the server did not do it. At a \
            terminal the command asks first.

            EXAMPLES
              signet logout
              signet logout --account work --all --yes
              signet logout --others
            """)

    @OptionGroup var account: AccountOption

    @Flag(help: "End the user's sessions on all devices.")
    var all = false

    @Flag(help: "End the sessions on other devices; stay signed in here.")
    var others = false

    @Flag(help: "Forget the account's settings too; also removes a damaged account.")
    var forget = false

    @Flag(help: "Do not ask.")
    var yes = false

    func run() throws {
        try require(!all || !others, otherwise: "--all and --others contradict each other.")
        try require(
            !others || !forget, otherwise: "--others keeps the account, and --forget removes it.")
        try account.check()
        let name = account.account
        let accounts = try Logins.accounts()
        var sessions = waiting { await accounts.look() }
        if forget, try forgetDamaged(in: sessions) {
            sessions = waiting { await accounts.look() }
            guard try !sessions.closed.isEmpty || !find(name, in: sessions).accounts.isEmpty else {
                return
            }
        }
        let found = try find(name, in: sessions)
        let first = try Logins.waiting(for: name) { [sessions] () async throws(LoginError) in
            try sessions.account(in: found)
        }
        if found.hasSession {
            let user = try Logins.waiting(for: name) { () async throws(LoginError) in
                try first.user(in: found.state)
            }
            if try confirm("Sign out of \(name.onOneLine)?") {
                try first.check(isStill: user, in: sessions)
            }
        } else if !forget {
            throw CommandFailure(.signedOut, of: name)
        }
        let scope: SignOutScope = all ? .all : others ? .others : .this
        let forgets = forget
        _ = try Logins.waiting(for: name) { [sessions] () async throws(LoginError) in
            try await sessions.signOut(found, scope: scope, forgets: forgets)
        }
    }

    private func find(
        _ name: String, in sessions: SessionVaults
    ) throws -> SessionVaults.Found {
        try Logins.waiting(for: name) { () async throws(LoginError) in try await sessions.find(name)
        }
    }

    /// At a terminal and without `--yes`, asks the user. Returns whether it asked.
    private func confirm(_ question: String) throws -> Bool {
        guard !yes, isatty(STDIN_FILENO) == 1 else { return false }
        try Confirmation(question: question).ask()
        return true
    }

    /// Removes what cannot be read: the account, or a whole vault, which is set aside.
    ///
    /// - Returns: whether there was anything.
    private func forgetDamaged(in sessions: SessionVaults) throws -> Bool {
        let name = account.account
        var isMended = false
        for vault in sessions.open where try isDamaged(name, in: vault, of: sessions) {
            _ = try confirm("The account \(name.onOneLine) cannot be read. Remove it?")
            try Logins.waiting(for: name) { () async throws(LoginError) in
                try await sessions.removeDamaged(name, from: vault)
            }
            Output.errorLine("signet: removed here; its server was not told")
            isMended = true
        }
        let broken = sessions.closed.filter(\.isBroken)
        for closed in broken {
            let path = SystemFailure.quoted(closed.place.path)
            if !yes {
                try Confirmation(
                    question: "Nothing in \(path) can be read. Set all of its sessions aside?"
                ).ask()
            }
            _ = try Logins.waiting(for: nil) { () async throws(LoginError) in
                try await sessions.setAside(closed)
            }
        }
        return isMended || !broken.isEmpty
    }

    private func isDamaged(
        _ name: String, in vault: SessionsVault, of sessions: SessionVaults
    ) throws -> Bool {
        try Logins.waiting(for: name) { () async throws(LoginError) in
            try await sessions.isDamaged(name, in: vault)
        }
    }
}
