// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
package import SignetSession

/// A program's sessions at one moment, in up to two vaults: the main vault, whose key may be in the
/// desktop's keyring, and a vault for sign-ins where there is no keyring. Every call looks in both.
package struct SessionVaults: Sendable {
    let places: SessionsPlaces
    let opener: VaultOpener
    let accounts: KeptAccounts
    package private(set) var open: [SessionsVault] = []
    /// The vaults that exist and do not open now. A closed vault may have any account.
    package private(set) var closed: [ClosedSessions] = []

    /// Opens every vault that opens without asking the person.
    ///
    /// - Parameter asksKeyring: whether keys in the keyring are looked for.
    init(
        _ places: SessionsPlaces, opener: VaultOpener, accounts: KeptAccounts,
        asksKeyring: Bool = true
    ) async {
        self.places = places
        self.opener = opener
        self.accounts = accounts
        for place in [places.main, places.withoutKeyring] where place.isThere {
            do {
                open.append(try await opener.open(place, asksKeyring: asksKeyring))
            } catch {
                closed.append(error)
            }
        }
    }

    // MARK: Accounts

    /// The accounts of one name, in all open vaults.
    package struct Found: Sendable {
        /// The accounts in the open vaults: first the account that a call uses.
        package var accounts: [KeptAccount] = []
        /// The state of the first account.
        package var state = SessionState.signedOut(.noSession)
        /// An account of this name that cannot be read.
        package var damage: LoginError?

        /// Whether there is a session, even if it cannot be read now.
        package var hasSession: Bool { state.hasSession }
    }

    /// The account with this name. If both vaults have it, the account with the later sign-in is
    /// used; one whose session is over, damaged or gone is used only if the other's is no better.
    package func find(_ name: String) async throws(LoginError) -> Found {
        var found = Found()
        var known: [(account: KeptAccount, state: SessionState, rank: Int)] = []
        for vault in open {
            do throws(LoginError) {
                guard let account = try await account(name, in: vault) else { continue }
                let state = await account.manager.start()
                known.append((account, state, await Self.rank(of: account, in: state)))
            } catch {
                guard error.code == .corrupt else { throw error }
                found.damage = error
            }
        }
        // First by what the session is worth, then the later sign-in.
        known.sort { a, b in
            guard a.rank == b.rank else { return a.rank < b.rank }
            return a.account.settings.signedInAt ?? 0 > b.account.settings.signedInAt ?? 0
        }
        found.accounts = known.map(\.account)
        if let first = known.first { found.state = first.state }
        return found
    }

    /// The account that a call uses, for a call that needs a session.
    ///
    /// - Throws: `signedOut` only if no vault can have a session of it.
    package func account(_ name: String) async throws(LoginError) -> KeptAccount {
        try account(in: await find(name))
    }

    /// The account that a call uses, for a program with this server. A session of this server comes
    /// before a later sign-in at a different one, which the other vault may have.
    ///
    /// - Throws: `otherServer` if all sessions are of a different server or client.
    func account(
        _ name: String, at server: LoginServer
    ) async throws(LoginError) -> KeptAccount {
        let found = try await find(name)
        let own = found.accounts.first { server.isServer(of: $0.settings) }
        if let own, own.manager.state.hasSession { return own }
        let account = try account(in: found)
        guard found.hasSession, !server.isServer(of: account.settings) else { return account }
        // A closed vault may have a session of this server.
        if let closed = closedFirst { throw LoginError(closed) }
        throw LoginError(
            .otherServer, in: .signIn,
            "The session of this account is of another server, or of another client.")
    }

    /// The account that a call uses, of the accounts that ``find(_:)`` found.
    package func account(in found: Found) throws(LoginError) -> KeptAccount {
        if found.hasSession, let account = found.accounts.first { return account }
        if let damage = found.damage { throw damage }
        if let closed = closedFirst { throw LoginError(closed) }
        guard let account = found.accounts.first else { throw .signedOut }
        return account
    }

    /// The account with this name in one vault; nil if there is none.
    package func account(
        _ name: String, in vault: SessionsVault
    ) async throws(LoginError) -> KeptAccount? {
        guard let settings = try await KeptAccount.settings(of: name, in: vault) else {
            return nil
        }
        return try await accounts.account(name, in: vault, settings: settings)
    }

    /// Whether something with this name is there but cannot be read. If the vault as a whole cannot
    /// be read, that is an error.
    package func isDamaged(
        _ name: String, in vault: SessionsVault
    ) async throws(LoginError) -> Bool {
        do throws(LoginError) {
            guard let account = try await account(name, in: vault) else { return false }
            guard case .unavailable(let error) = await account.manager.start() else {
                return false
            }
            return error.code == .corrupt
        } catch {
            guard error.code == .corrupt else { throw error }
            return true
        }
    }

    /// The names of all accounts in the vaults that are open.
    ///
    /// - Parameter warn: called for a vault whose list is damaged, so that the names of the second
    ///   vault are shown.
    package func names(
        _ warn: (LoginError) -> Void
    ) async throws(LoginError) -> [String] {
        // By their bytes: names that are equal as text may be of two accounts.
        var names: Set<[UInt8]> = []
        for vault in open {
            do throws(LoginError) {
                names.formUnion(try await KeptAccount.names(in: vault).map { Array($0.utf8) })
            } catch {
                guard error.code == .corrupt else { throw error }
                warn(error)
            }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The closed vault that decides what a call says: first a vault that only a new vault can
    /// replace.
    package var closedFirst: ClosedSessions? { closed.first(where: \.isBroken) ?? closed.first }

    // MARK: Damage

    /// Sets the vault aside, unless it is of use by now: while the person was asked, its key may
    /// have been put back, or another process may have made a new vault.
    ///
    /// - Returns: the vault's new path; nil if another process has set it aside.
    @discardableResult
    package func setAside(_ closed: ClosedSessions) async throws(LoginError) -> String? {
        let place = closed.place
        do throws(ClosedSessions) {
            _ = try await opener.open(place, asksKeyring: closed.wasKeyringAsked)
        } catch {
            // Another process has set it aside.
            guard place.isThere else { return nil }
            guard error.isBroken else { throw LoginError(error) }
            do throws(ClosedSessions) {
                return try await opener.setAside(place)
            } catch {
                throw LoginError(error)
            }
        }
        opener.close(place)
        throw LoginError(
            .changed, in: .opensByNow, "\(path: place.path) opens by now, and was not set aside.")
    }

    /// Removes an account that cannot be read. If the damage is below the account, the vault is set
    /// aside, and the other accounts move to a new vault.
    package func removeDamaged(
        _ name: String, from vault: SessionsVault
    ) async throws(LoginError) {
        do throws(LoginError) {
            try await KeptAccount.remove(name, in: vault)
            if try await !isDamaged(name, in: vault) { return }
        } catch {
            guard error.code == .corrupt else { throw error }
        }
        let rest: SessionsVault
        do throws(ClosedSessions) {
            rest = try await opener.salvage(vault)
        } catch {
            throw LoginError(error)
        }
        try await KeptAccount.remove(name, in: rest)
    }

    /// The place of an account among those of its name: a session that gives tokens, or may give
    /// them later, comes first, then one that is over, a damaged one, and last no session.
    private static func rank(of account: KeptAccount, in state: SessionState) async -> Int {
        switch state {
        case .signedIn: await account.manager.hasExpired ? 1 : 0
        case .locked, .checking: 0
        case .unavailable(let error): error.code == .corrupt ? 2 : 0
        case .signedOut: 3
        }
    }
}

extension SessionState {
    /// Whether there is a session, even if it cannot be read now.
    fileprivate var hasSession: Bool {
        if case .signedOut = self { false } else { true }
    }
}
