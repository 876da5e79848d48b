// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetJOSE
internal import SignetLogin
internal import SignetPlatform

/// `signet login`
struct LoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Sign in, and stay signed in.",
        discussion: """
            At an OpenID Connect server you sign in with this machine's browser, which answers \
            on a port of 127.0.0.1 (RFC 8252: register http://127.0.0.1/callback). The address \
            that is opened and shown works once, and only for programs of your user and of root: \
            over SSH forward the port (--redirect-port), and after sudo use --device. Without a \
            browser you enter a code on another device (RFC 8628). At a Supabase project you \
            enter a one-time code. The session is kept in sessions.signet in the folder signet \
            of $XDG_DATA_HOME or ~/.local/share. Its key is in the desktop's keyring. Without a \
            keyring the key is in sessions.key in the folder signet of $XDG_STATE_HOME or \
            ~/.local/state, and is as safe as your files. Where the key of sessions.signet is in a \
            keyring that is not here, the session is kept in sessions-file.signet, with its key \
            in sessions-file.key. All commands look in both.

            EXAMPLES
              signet login --issuer https://idp.example --client-id cli
              signet login --account work --device --client-id cli \\
                  --issuer https://work.example
              signet login --account work
              signet login --supabase https://ref.supabase.co --key sb_publishable_… \\
                  --phone +14155551234
            """)

    @OptionGroup var account: AccountOption
    @OptionGroup(title: "The server") var server: OpenIDOptions
    @OptionGroup(title: "Who may sign in") var staff: StaffOptions
    @OptionGroup(title: "Supabase") var supabase: SupabaseOptions

    @Option(
        help: ArgumentHelp(
            "Where the server deletes the user's account, for 'signet account delete'.",
            valueName: "url"))
    var deleteURL: String?

    @Flag(help: "Enter a code on another device, even if there is a browser.")
    var device = false

    @Flag(help: "Open no browser: show the address.")
    var noBrowser = false

    @Option(
        help: ArgumentHelp(
            "Port for the answer, if the server compares it. (default: any that is free)",
            valueName: "number"))
    var redirectPort: UInt16?

    @Option(
        help: ArgumentHelp(
            "How long to wait for you: 1 to 600. (default: 300 in a browser, else until the code "
                + "expires)", valueName: "seconds"))
    var timeout: Int?

    @Flag(help: "Do not use the keyring: keep the session in a vault whose key is in a file.")
    var withoutKeyring = false

    @Flag(
        help: "Set sessions aside that are damaged or whose key is lost, and begin anew.")
    var newSessions = false

    @Flag(help: "Print a JSON object: account, user, subject, issuer.")
    var json = false

    func run() throws {
        try checkOptions()
        let accounts = try Logins.accounts()
        let name = account.account
        let usesKeyring = !withoutKeyring
        let signIn = try Logins.waiting(for: name) { () async throws(LoginError) in
            try await accounts.beginSignIn(to: name, usesKeyring: usesKeyring)
        }
        let known = signIn.known?.settings
        let knowsServer = known != nil || server.namesServer || !supabase.isEmpty
        let replacesBroken = newSessions || isAtTerminal
        try Logins.waiting(for: name) { () async throws(LoginError) in
            try signIn.checkIsUsable(knowsServer: knowsServer, replacesBroken: replacesBroken)
        }
        let chosen = try chosenServer(known)
        let way = try chosenWay(at: chosen)
        let staff = try staff.policy()
        try Logins.waiting(for: name) { () async throws(LoginError) in
            try signIn.check(way, at: chosen, allowing: staff)
        }
        let vault = try chosenVault(for: signIn)
        // A signal that comes once the server gives tokens acts when the session is stored, and its
        // user told.
        defer { RunningExchange.current.settle() }
        let deletionURL = deleteURL
        let found = try Logins.waiting(for: name) { () async throws(LoginError) in
            try await signIn.run(
                way, at: chosen, in: vault, allowing: staff, deletionURL: deletionURL)
        }
        try tell(found)
    }

    private func checkOptions() throws {
        try account.check()
        if let timeout {
            try require(
                (1...600).contains(timeout),
                otherwise: "--timeout is \(timeout) seconds instead of 1 to 600.")
        }
        try require(
            !device || (!noBrowser && redirectPort == nil),
            otherwise: "--device needs no browser: leave --no-browser and --redirect-port out.")
        if let deleteURL { _ = try EndpointURL(deleteURL) }
    }

    /// The server that the options name, or else that of a known account. Wrong options are refused
    /// here, before anything is created.
    private func chosenServer(_ known: AccountSettings?) throws -> LoginServer {
        let isKnownProject = known?.supabase != nil && server.isEmpty
        guard supabase.isEmpty, !isKnownProject else {
            try require(
                server.isEmpty && staff.allowDomain.isEmpty && !device && !noBrowser
                    && timeout == nil && redirectPort == nil,
                otherwise:
                    "--supabase has no such sign-in: leave the options of other servers out.")
            return LoginServer(.supabase(try supabase.settings(of: known)))
        }
        try require(
            known != nil || server.namesServer,
            otherwise:
                "This account has no server yet: --issuer and --client-id are needed, or --supabase, "
                + "--key and one of --phone and --email.",
            advice: "Name the server: signet login\(CommandFailure.optionOf(account.account)) "
                + ClosedSessions.server)
        let openID = try server.settings(of: known)
        _ = try EndpointURL(openID.issuer)
        _ = try openID.algorithms.map(KeyFile.signature)
        return LoginServer(.openID(openID))
    }

    private func chosenWay(at server: LoginServer) throws -> SignInWay {
        if case .supabase = server.settings { return try supabase.way() }
        let limit = timeout.map { Duration.seconds($0) }
        let port = redirectPort ?? 0
        if device { return .device(timeout: limit, show: Output.show) }
        guard noBrowser else { return .suitable(port: port, timeout: limit, show: Output.show) }
        return .loopback(
            opensBrowser: false, port: port, timeout: limit ?? .seconds(300), show: Output.show)
    }

    private var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// The vault for the new session. If a vault has to be set aside for it, asks the user.
    private func chosenVault(for signIn: AccountSignIn) throws -> SessionsVault {
        var agreed: Set<String> = []
        while true {
            let settingAside: AccountSignIn.SettingAside = newSessions ? .all : .these(agreed)
            do throws(LoginError) {
                return try waiting { () async throws(LoginError) in
                    try await signIn.chooseVault(settingAside: settingAside)
                }
            } catch {
                let failure = CommandFailure(error, of: account.account)
                guard let closed = error.closed, closed.isBroken, !newSessions, isAtTerminal,
                    agreed.insert(closed.place.path).inserted
                else { throw failure }
                Output.errorLine("signet: \(failure.message)")
                do {
                    try Confirmation(question: "Set these sessions aside, and begin anew?").ask()
                } catch {
                    throw failure
                }
            }
        }
    }

    private func tell(_ found: KeptAccount) throws {
        let user = found.settings.user
        let issuer = found.settings.issuer
        guard json else {
            return try Output.line("signed in as \(user.onOneLine) (\(issuer.onOneLine))")
        }
        try Output.shownJSON([
            "account": .string(found.name), "user": .string(user),
            "subject": .string(try found.user(in: found.manager.state).id),
            "issuer": .string(issuer),
        ])
    }
}
