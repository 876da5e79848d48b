// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetJOSE
internal import SignetPlatform
internal import SignetSession

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
        try require(!all || !others, "--all and --others contradict each other.")
        try require(!others || !forget, "--others keeps the account, and --forget removes it.")
        try account.check()
        if forget, try forgetDamaged() { return }
        let found = try account.found()
        let manager = try found.manager()
        let state = waiting { await manager.start() }
        if case .signedOut = state, forget { return try found.forget() }
        let user = try found.user(in: state)
        if try confirm("Sign out of \(found.name.onOneLine)?") { try found.check(isStill: user) }
        let scope: SignOutScope = all ? .all : others ? .others : .this
        let report = waiting { await manager.signOut(scope) }
        if let error = report.storeError { throw CommandFailure(ofSessions: error) }
        if forget { try found.forget() }
        guard let error = report.serverError else { return }
        guard scope == .this else { throw CommandFailure(error, of: found.name) }
        Output.errorLine("signet: signed out here. \(error.message) [\(error.code.rawValue)]")
    }

    /// At a terminal and without `--yes`, asks the user. Returns whether it asked.
    private func confirm(_ question: String) throws -> Bool {
        guard !yes, isatty(STDIN_FILENO) == 1 else { return false }
        try Confirmation(question: question).ask()
        return true
    }

    /// Removes an account that cannot be read, which no other command does; false if there is none.
    private func forgetDamaged() throws -> Bool {
        let name = account.account
        guard let vault = try SessionsVault().open(), try Account.isDamaged(name, in: vault) else {
            return false
        }
        _ = try confirm("The account \(name.onOneLine) cannot be read. Remove it?")
        try Account.remove(name, in: vault)
        Output.errorLine("signet: removed here; its server was not told")
        return true
    }
}
