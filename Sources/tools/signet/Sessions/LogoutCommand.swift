// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetJOSE
internal import SignetPlatform
internal import SignetSession
internal import SignetVault

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
        var sessions = try Sessions()
        if forget, try forgetDamaged(in: sessions) {
            sessions = try Sessions()
            guard try !sessions.closed.isEmpty || !sessions.find(name).accounts.isEmpty else {
                return
            }
        }
        let found = try sessions.find(name)
        let first = try sessions.account(name, in: found)
        if found.hasSession {
            let user = try first.user(in: found.state)
            if try confirm("Sign out of \(name.onOneLine)?") { try first.check(isStill: user) }
        } else if !forget {
            throw CommandFailure.signedOut(name)
        }
        var failure: (any Error)?
        for account in others ? [first] : found.accounts {
            do { try signOut(account) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
        // A vault that does not open now may have a session of this account too.
        if !others, let closed = sessions.closedFirst { throw remaining(closed, of: name) }
    }

    /// Ends the session of one vault's account, if it has one.
    private func signOut(_ found: Account) throws {
        let manager = try found.manager()
        if case .signedOut = waiting({ await manager.start() }) {
            if forget { try found.forget() }
            return
        }
        let scope: SignOutScope = all ? .all : others ? .others : .this
        let report = waiting { await manager.signOut(scope) }
        if let error = report.storeError {
            throw CommandFailure(error, of: found.name, in: found.vault.place)
        }
        if forget { try found.forget() }
        guard let error = report.serverError else { return }
        guard scope == .this else { throw CommandFailure(error, of: found) }
        Output.errorLine("signet: signed out here. \(error.message) [\(error.code.rawValue)]")
    }

    private func remaining(_ closed: ClosedSessions, of name: String) -> CommandFailure {
        let failure = closed.failure(of: name)
        return CommandFailure(
            status: failure.status, code: failure.code,
            message: "Signed out, except perhaps in another vault. \(failure.message)",
            advice: failure.advice)
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
    private func forgetDamaged(in sessions: Sessions) throws -> Bool {
        let name = account.account
        var isMended = false
        for vault in sessions.open where try Account.isDamaged(name, in: vault) {
            _ = try confirm("The account \(name.onOneLine) cannot be read. Remove it?")
            if try !isRemoved(name, from: vault) {
                // The damage is below the account: the others move to a new vault.
                let rest = try vault.salvaged()
                try Account.remove(name, in: rest)
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
            try closed.setAside()
        }
        return isMended || !broken.isEmpty
    }

    private func isRemoved(_ name: String, from vault: SessionsVault) throws -> Bool {
        do {
            try Account.remove(name, in: vault)
            return try !Account.isDamaged(name, in: vault)
        } catch let error as CommandFailure where error.isCorrupt {
            return false
        }
    }
}
