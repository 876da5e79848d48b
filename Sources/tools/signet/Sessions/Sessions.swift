// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetSession
internal import SignetVault

/// The sessions of `signet login`, in up to two vaults: one whose key may be in the desktop's
/// keyring, and one for logins where there is no keyring. Every command looks in both.
struct Sessions {
    let main: SessionsPlace
    let withoutKeyring: SessionsPlace
    private(set) var open: [SessionsVault] = []
    /// Those that exist and do not open now. Such a vault may have any account.
    private(set) var closed: [ClosedSessions] = []

    /// Opens what opens without asking the user.
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

    /// What is known of an account.
    struct Found {
        /// In the vaults that are open: the one that answers first.
        var accounts: [Account] = []
        /// Of the one that answers.
        var state = SessionState.signedOut(.noSession)
        /// An account of this name that cannot be read.
        var damage: CommandFailure?

        /// Whether there is a session, even one that cannot be read now.
        var hasSession: Bool {
            if case .signedOut = state { false } else { true }
        }
    }

    /// The account with this name. If both vaults have it, the one that was signed in to last
    /// answers; one without a session answers only if the other has none either.
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
        known.sort { a, b in
            let ranks = (Self.rank(a.state), Self.rank(b.state))
            guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 }
            return a.account.settings.signedInAt ?? 0 > b.account.settings.signedInAt ?? 0
        }
        found.accounts = known.map(\.account)
        if let first = known.first { found.state = first.state }
        return found
    }

    /// The account that answers, for a command that needs a session.
    ///
    /// - Throws: `signedOut` only if no vault can have a session of it.
    func account(_ name: String) throws -> Account { try answering(name, in: find(name)) }

    /// The same, from what is known.
    func answering(_ name: String, in found: Found) throws -> Account {
        if found.hasSession, let account = found.accounts.first { return account }
        if let damage = found.damage { throw damage }
        if let closed = closedFirst { throw closed.failure(of: name) }
        guard let account = found.accounts.first else { throw CommandFailure.signedOut(name) }
        return account
    }

    /// The names of all accounts in the vaults that are open.
    ///
    /// - Parameter warn: called for a vault whose list is damaged, so that the others' are shown.
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

    /// The closed vault that decides what a command says: one that only beginning anew mends.
    var closedFirst: ClosedSessions? { closed.first(where: \.isBroken) ?? closed.first }

    /// A damaged session hides none that can be read.
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
