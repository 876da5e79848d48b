// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetEmail
internal import SignetIdentity
internal import SignetSession
internal import SignetSupabase

/// One sign-in to an account, from the vaults as they are to a session in one of them.
///
/// Its steps, in order: ``checkIsUsable(knowsServer:replacesBroken:)``, ``check(_:at:allowing:)``,
/// ``chooseVault(settingAside:)`` and ``run(_:at:in:allowing:deletionURL:)``.
package struct AccountSignIn: Sendable {
    /// Which broken vaults are set aside for a new vault.
    package enum SettingAside: Sendable {
        case all
        /// The vaults at these paths.
        case these(Set<String>)

        fileprivate func includes(_ closed: ClosedSessions) -> Bool {
            switch self {
            case .all: true
            case .these(let paths): paths.contains(closed.place.path)
            }
        }
    }

    let name: String
    let vaults: SessionVaults
    let connection: ServerConnection
    /// Whether the key of a new vault may be in the keyring.
    private let usesKeyring: Bool
    /// The only server of the program, if it has one: a session of a different server ends.
    private let onlyServer: LoginServer?
    private let before: SessionVaults.Found

    /// What is known of the account before the sign-in; nil for nothing.
    package var known: KeptAccount? { before.accounts.first }

    /// Reads what there is of the account.
    ///
    /// - Parameter onlyServer: the only server of the program; nil if it keeps sessions of any.
    /// - Throws: `signedIn` if it has a session, and the error of an account that cannot be read.
    init(
        _ name: String, in vaults: SessionVaults, over connection: ServerConnection,
        usesKeyring: Bool, onlyServer: LoginServer?
    ) async throws(LoginError) {
        self.name = name
        self.vaults = vaults
        self.connection = connection
        self.usesKeyring = usesKeyring
        self.onlyServer = onlyServer
        before = try await vaults.find(name)
        if let damage = before.damage { throw damage }
        if let own = before.accounts.first(where: { !isOfOtherServer($0) }) {
            try await Self.refuseIfSignedIn(own, in: own.manager.state)
        }
        for other in before.accounts where isOfOtherServer(other) {
            if case .signedOut = other.manager.state { continue }
            // What cannot be read could not be ended before the new session is stored.
            _ = try other.user(in: other.manager.state)
        }
    }

    /// Whether a session of the account ends with this sign-in.
    private func isOfOtherServer(_ account: KeptAccount) -> Bool {
        onlyServer.map { !$0.isServer(of: account.settings) } ?? false
    }

    private static func refuseIfSignedIn(
        _ known: KeptAccount, in state: SessionState
    ) async throws(LoginError) {
        if case .signedOut = state { return }
        _ = try known.user(in: state)
        // A session that is over makes room for the next.
        if await known.manager.hasExpired { return }
        throw LoginError(
            .signedIn, in: .signedIn,
            "This account is signed in as \(shown: known.settings.user).")
    }

    /// Refuses a sign-in that cannot end well, before anything is made.
    package func check(
        _ way: SignInWay, at server: LoginServer, allowing staff: BusinessEmailPolicy?
    ) throws(LoginError) {
        try server.check(way, allowing: staff, over: connection)
    }

    // MARK: The vault

    /// Refuses to continue with a vault that does not open and will not be set aside.
    ///
    /// - Parameters:
    ///   - knowsServer: whether the server is known without this vault. If not, the failure says
    ///     why the vault does not tell it.
    ///   - replacesBroken: whether a vault that is damaged or has lost its key may be set aside.
    package func checkIsUsable(
        knowsServer: Bool, replacesBroken: Bool
    ) throws(LoginError) {
        guard let closed = closed(at: vaults.places.main) else { return }
        let makesAnother =
            switch closed.reason {
            case .noKeyring, .notAsked: true
            default: closed.isBroken && replacesBroken
            }
        guard knowsServer, makesAnother else { throw LoginError(closed) }
    }

    /// The vault for a new session, made if there is none.
    ///
    /// - Throws: the error of a vault that does not open and is not set aside. Once the person has
    ///   agreed, call it again.
    package func chooseVault(
        settingAside: SettingAside
    ) async throws(LoginError) -> SessionsVault {
        if let vault = open(at: vaults.places.main) {
            // The other one's messages name this way to be rid of it.
            if case .all = settingAside {
                for other in vaults.closed where other.isBroken {
                    try await vaults.setAside(other)
                }
            }
            return vault
        }
        guard let closed = closed(at: vaults.places.main) else {
            return try await new(settingAside)
        }
        switch closed.reason {
        case .noKeyring, .notAsked: return try await withoutKeyring(settingAside)
        default:
            try await setAside(closed, if: settingAside)
            return try await new(settingAside)
        }
    }

    /// Makes a vault where there is no main vault. If there is no keyring either, but a vault for
    /// sign-ins without a keyring, no new vault is made.
    private func new(_ settingAside: SettingAside) async throws(LoginError) -> SessionsVault {
        let main = vaults.places.main
        let hasKeyring: Bool
        do throws(StoreError) {
            hasKeyring = usesKeyring ? try await vaults.opener.hasKeyring() : false
        } catch {
            throw LoginError(
                await ClosedSessions(main, error: error, key: .inKeyring, opener: vaults.opener))
        }
        if !hasKeyring, vaults.places.withoutKeyring.isThere {
            return try await withoutKeyring(settingAside)
        }
        return try await create(main, usesKeyring: hasKeyring)
    }

    private func withoutKeyring(
        _ settingAside: SettingAside
    ) async throws(LoginError) -> SessionsVault {
        let place = vaults.places.withoutKeyring
        if let vault = open(at: place) { return vault }
        if let closed = closed(at: place) { try await setAside(closed, if: settingAside) }
        return try await create(place, usesKeyring: false)
    }

    private func create(
        _ place: SessionsPlace, usesKeyring: Bool
    ) async throws(LoginError) -> SessionsVault {
        do {
            return try await vaults.opener.create(place, usesKeyring: usesKeyring)
        } catch {
            throw LoginError(error)
        }
    }

    /// Sets aside a vault that is damaged or has lost its key, if the person agrees.
    ///
    /// - Throws: the vault's error otherwise.
    private func setAside(
        _ closed: ClosedSessions, if settingAside: SettingAside
    ) async throws(LoginError) {
        guard closed.isBroken, settingAside.includes(closed) else { throw LoginError(closed) }
        try await vaults.setAside(closed)
    }

    private func open(at place: SessionsPlace) -> SessionsVault? {
        vaults.open.first { $0.place.isSame(as: place) }
    }

    private func closed(at place: SessionsPlace) -> ClosedSessions? {
        vaults.closed.first { $0.place.isSame(as: place) }
    }

    // MARK: The session

    /// Signs in, and stores settings and session. What a server has given and is not stored is
    /// ended there.
    ///
    /// - Parameters:
    ///   - staff: whose addresses may sign in; nil if everyone's may.
    ///   - deletionURL: where the server deletes the account; nil for what is known.
    package func run(
        _ way: SignInWay, at server: LoginServer, in vault: SessionsVault,
        allowing staff: BusinessEmailPolicy? = nil, deletionURL: String? = nil
    ) async throws(LoginError) -> KeptAccount {
        try check(way, at: server, allowing: staff)
        let room = SessionRoom(vault: vault)
        try await room.reserve(for: name)
        do throws(LoginError) {
            let account = try await signIn(
                way, at: server, in: vault, allowing: staff, deletionURL: deletionURL)
            await room.release()
            return account
        } catch {
            await room.release()
            throw error
        }
    }

    /// Ends the sessions of servers that the program no longer has, once there is a new session to
    /// store: a sign-in that fails before costs nothing.
    ///
    /// - Parameter grant: the new session, which ends if an old one stays.
    private func endOthers(
        before grant: SessionGrant, of made: KeptAccount
    ) async throws(LoginError) {
        do throws(LoginError) {
            for account in before.accounts where isOfOtherServer(account) {
                if let error = try await account.signOut(.this, forgets: false) {
                    vaults.opener.notice(.serverNotTold(error))
                }
            }
        } catch {
            await made.manager.discard(grant)
            throw error
        }
    }

    private func signIn(
        _ way: SignInWay, at server: LoginServer, in vault: SessionsVault,
        allowing staff: BusinessEmailPolicy?, deletionURL: String?
    ) async throws(LoginError) -> KeptAccount {
        let hold = SignInHold(connection.hold, accounts: vaults.accounts)
        defer { hold.end() }
        let held = connection.holding(hold)
        var settings: AccountSettings
        let grant: SessionGrant
        do {
            switch server.settings {
            case .openID(let openID):
                let done = try await OpenIDSignIn(
                    way: way, staff: staff, connection: held, notice: vaults.opener.notice
                ).run(openID)
                settings = AccountSettings(openID: done.settings, user: done.user)
                grant = done.grant
            case .supabase(let project):
                guard case .code(let destination, let digitCount, let read) = way else {
                    throw LoginError(
                        .unsupported, in: .signIn, "A Supabase project signs in by a code.")
                }
                let transport = held.signIn { $0.path.hasSuffix("/verify") }
                let done = CodeSignIn(
                    auth: try project.auth(over: transport), destination: destination,
                    digitCount: digitCount, read: read)
                grant = try await done.run()
                settings = AccountSettings(supabase: project, user: done.user)
            }
        } catch {
            throw LoginError(thrown: error)
        }
        // A deletion address from another server's settings would receive this server's tokens.
        let isSameServer =
            known?.settings.issuer.utf8.elementsEqual(settings.issuer.utf8) == true
        settings.deletionURL = deletionURL ?? (isSameServer ? known?.settings.deletionURL : nil)
        // Later than the other vault's, even if this machine's clock was set back.
        let last = before.accounts.compactMap(\.settings.signedInAt).max() ?? 0
        settings.signedInAt = max(
            Double(connection.clock.millisecondsSince1970()) / 1_000, last + 1)
        // Not among the accounts that are used until it has succeeded.
        let made = try KeptAccount(name, in: vault, settings: settings, over: connection)
        try await endOthers(before: grant, of: made)
        try await begin(grant, of: made)
        let account = await vaults.accounts.register(made)
        await account.manager.start()
        return account
    }
}
