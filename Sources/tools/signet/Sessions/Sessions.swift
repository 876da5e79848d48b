// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetSession
internal import SignetVault

/// The sessions of `signet login`, in up to two vaults: the main vault, whose key may be in the
/// desktop's keyring, and a vault for logins where there is no keyring. Every command looks in
/// both.
struct Sessions {
    let main: SessionsPlace
    let withoutKeyring: SessionsPlace
    private(set) var open: [SessionsVault] = []
    /// The vaults that exist and do not open now. A closed vault may have any account.
    private(set) var closed: [ClosedSessions] = []

    /// Opens every vault that opens without asking the user.
    ///
    /// - Parameter asksKeyring: whether keys in the keyring are looked for.
    init(asksKeyring: Bool = true) throws {
        main = try SessionsPlace.main()
        withoutKeyring = try SessionsPlace.withoutKeyring()
        for place in [main, withoutKeyring] where place.isThere {
            do {
                open.append(try place.open(asksKeyring: asksKeyring))
            } catch {
                closed.append(error)
            }
        }
    }

    // MARK: Accounts

    /// The accounts of one name, in all open vaults.
    struct Found {
        /// The accounts in the open vaults: first the account that a command uses.
        var accounts: [Account] = []
        /// The state of the first account.
        var state = SessionState.signedOut(.noSession)
        /// An account of this name that cannot be read.
        var damage: CommandFailure?

        /// Whether there is a session, even if it cannot be read now.
        var hasSession: Bool {
            if case .signedOut = state { false } else { true }
        }
    }

    /// The account with this name. If both vaults have it, the account with the later sign-in is
    /// used; an account without a session is used only if the other has no session either.
    func find(_ name: String) throws -> Found {
        var found = Found()
        var known: [(account: Account, state: SessionState)] = []
        for vault in open {
            do {
                guard let account = try Account(name, in: vault) else { continue }
                let manager = try account.manager()
                known.append((account, waiting { await manager.start() }))
            } catch let error as CommandFailure where error.isCorrupt {
                found.damage = error
            }
        }
        // First by what the session is worth, then the later sign-in.
        known.sort { a, b in
            let first = Self.rank(a.state)
            let second = Self.rank(b.state)
            guard first == second else { return first < second }
            return a.account.settings.signedInAt ?? 0 > b.account.settings.signedInAt ?? 0
        }
        found.accounts = known.map(\.account)
        if let first = known.first { found.state = first.state }
        return found
    }

    /// The account that a command uses, for a command that needs a session.
    ///
    /// - Throws: `signedOut` only if no vault can have a session of it.
    func account(_ name: String) throws -> Account { try account(name, in: find(name)) }

    /// The account that a command uses, of the accounts that ``find(_:)`` found.
    func account(_ name: String, in found: Found) throws -> Account {
        if found.hasSession, let account = found.accounts.first { return account }
        if let damage = found.damage { throw damage }
        if let closed = closedFirst { throw closed.failure(of: name) }
        guard let account = found.accounts.first else { throw CommandFailure.signedOut(name) }
        return account
    }

    /// The names of all accounts in the vaults that are open.
    ///
    /// - Parameter warn: called for a vault whose list is damaged, so that the names of the second
    ///   vault are shown.
    func names(_ warn: (CommandFailure) -> Void) throws -> [String] {
        var names: Set<String> = []
        for vault in open {
            do {
                names.formUnion(try Account.names(in: vault))
            } catch let error as CommandFailure where error.isCorrupt {
                warn(error)
            }
        }
        return names.sorted()
    }

    /// The closed vault that decides what a command says: first a vault that only a new vault can
    /// replace.
    var closedFirst: ClosedSessions? { closed.first(where: \.isBroken) ?? closed.first }

    /// The place of an account among those of its name: a session that can be read, or may be read
    /// later, comes first, then a damaged session, and last an account without a session.
    private static func rank(_ state: SessionState) -> Int {
        switch state {
        case .signedIn, .locked, .checking: 0
        case .unavailable(let error): error.code == .corrupt ? 1 : 0
        case .signedOut: 2
        }
    }
}

extension CommandFailure {
    /// Whether data are not what was written.
    var isCorrupt: Bool { code.utf8.elementsEqual(StoreError.Code.corrupt.rawValue.utf8) }
}
