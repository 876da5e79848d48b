// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetBase
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSession
internal import SignetVault

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
        let sessions = try Sessions(asksKeyring: !withoutKeyring)
        let before = try sessions.find(account.account)
        if let damage = before.damage { throw damage }
        let known = before.accounts.first
        if let known { try refuseIfSignedIn(known, in: before.state) }
        let place = LoginVault(
            sessions: sessions, account: account.account, usesKeyring: !withoutKeyring,
            beginsAnew: newSessions)
        try place.checkIsUsable(
            knowsServer: known != nil || server.namesServer || !supabase.isEmpty)
        let signIn = try preparedSignIn(known?.settings)
        let vault = try place.choose()
        // A signal that comes once the server gives tokens acts when the session is stored, and its
        // user told.
        defer { RunningExchange.current.settle() }
        let room = SessionRoom(vault: vault)
        try room.reserve(for: account.account)
        defer { room.release() }
        var (settings, grant) = try signIn()
        // A deletion address from another server's settings would receive this server's tokens.
        let sameServer = known.flatMap { known in
            known.settings.issuer.utf8.elementsEqual(settings.issuer.utf8) ? known : nil
        }
        settings.deletionURL = deleteURL ?? sameServer?.settings.deletionURL
        // Later than the other vault's, even if this machine's clock was set back.
        let last = before.accounts.compactMap(\.settings.signedInAt).max() ?? 0
        settings.signedInAt = max(Date().timeIntervalSince1970, last + 1)
        let found = Account(account.account, in: vault, settings: settings)
        try found.begin(grant)
        try tell(found, grant: grant)
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

    /// Signs in, and returns the settings to keep and the tokens.
    private typealias SignIn = () throws -> (AccountSettings, SessionGrant)

    /// The sign-in that the options ask for, or else the sign-in of a known account. Wrong options
    /// are refused here, before anything is created.
    private func preparedSignIn(_ known: AccountSettings?) throws -> SignIn {
        let isKnownProject = known?.supabase != nil && server.isEmpty
        guard supabase.isEmpty, !isKnownProject else { return try preparedSupabase(known) }
        return try preparedOpenID(known)
    }

    private func preparedSupabase(_ known: AccountSettings?) throws -> SignIn {
        try require(
            server.isEmpty && staff.allowDomain.isEmpty && !device && !noBrowser
                && timeout == nil && redirectPort == nil,
            otherwise: "--supabase has no such sign-in: leave the options of other servers out.")
        let project = try supabase.settings(of: known)
        let login = SupabaseLogin(
            auth: try project.auth(over: SignInTransport { $0.path.hasSuffix("/verify") }),
            destination: try supabase.destination(), digits: supabase.digits)
        return {
            let grant = try login.run()
            return (AccountSettings(supabase: project, user: login.user), grant)
        }
    }

    private func preparedOpenID(_ known: AccountSettings?) throws -> SignIn {
        try require(
            known != nil || server.namesServer,
            otherwise:
                "This account has no server yet: --issuer and --client-id are needed, or --supabase, "
                + "--key and one of --phone and --email.",
            advice: "Name the server: signet login\(CommandFailure.optionOf(account.account)) "
                + ClosedSessions.server)
        let wanted = try server.settings(of: known)
        try OpenIDLogin.check(wanted)
        let login = OpenIDLogin(
            way: device ? .device : noBrowser ? .browser(opens: false) : nil,
            port: redirectPort ?? 0, seconds: timeout, staff: try staff.policy())
        return {
            let done = try waiting { try await login.run(wanted) }
            return (AccountSettings(openID: done.settings, user: done.user), done.grant)
        }
    }

    /// Refuses to sign in to an account that has a session.
    private func refuseIfSignedIn(_ known: Account, in state: SessionState) throws {
        if case .signedOut = state { return }
        _ = try known.user(in: state)
        // A session that is over makes room for the next.
        let manager = try known.manager()
        let hasExpired = waiting { () async -> Bool in
            await manager.start()
            return await manager.hasExpired
        }
        if hasExpired { return }
        throw CommandFailure.refused(
            "signedIn", "This account is signed in as \(shown: known.settings.user).",
            advice: "Sign out first (signet logout\(CommandFailure.optionOf(known.name))), or "
                + "name another account: --account NAME")
    }

    private func tell(_ found: Account, grant: SessionGrant) throws {
        let user = found.settings.user
        let issuer = found.settings.issuer
        guard json else {
            return try Output.line("signed in as \(user.onOneLine) (\(issuer.onOneLine))")
        }
        try Output.shownJSON([
            "account": .string(found.name), "user": .string(user),
            "subject": .string(grant.userID), "issuer": .string(issuer),
        ])
    }
}

extension Account {
    /// Stores the settings that a new session needs, and then the session.
    ///
    /// If another process has signed in since, its session stays, and the new session is ended:
    /// with the new settings the stored session's tokens would go to the wrong server.
    func begin(_ grant: SessionGrant) throws {
        let manager = try manager()
        do {
            try waiting { try await beginAlone(grant, with: manager) }
        } catch {
            waiting { await manager.discard(grant) }
            switch error {
            case let error as SessionError: throw CommandFailure(error, of: self)
            case let error as StoreError: throw CommandFailure(error, of: name, in: vault.place)
            default: throw error
            }
        }
    }

    /// Stores settings and session while no other process signs in to the account.
    private func beginAlone(_ grant: SessionGrant, with manager: SessionManager) async throws {
        let key = Self.key(name)
        try await vault.store.withExclusiveAccess(to: key, within: Self.lockTimeout) {
            let state = await manager.start()
            var isFree = await manager.hasExpired
            if case .signedOut = state { isFree = true }
            guard isFree else {
                _ = try user(in: state)
                throw CommandFailure.refused(
                    "signedIn", "This account was signed in by another process meanwhile.",
                    advice: "Name another account: --account NAME")
            }
            let value = try SecretValue(encoding: settings)
            try await Self.writeUntilFree { try await vault.store.set(value, for: key) }
            try await Self.writeUntilFree { try await manager.adopt(grant) }
        }
    }

    /// A minute, in waits of 1.5 s.
    private static let busyRetryCount = 40

    /// Writes again while another process writes to the vault, for about a minute: what the server
    /// has given must not be lost.
    private static func writeUntilFree(_ write: () async throws -> Void) async throws {
        for _ in 0..<busyRetryCount {
            do {
                return try await write()
            } catch {
                // The store has waited 1.5 s by then.
                let failure = (error as? SessionError)?.storeError ?? error as? StoreError
                guard failure?.code == .busy else { throw error }
            }
        }
        try await write()
    }
}
