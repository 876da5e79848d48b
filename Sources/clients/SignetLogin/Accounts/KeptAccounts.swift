// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession

/// The accounts that a program has used. All sign-ins of a person at a server share a manager, so
/// that a client goes on after the next sign-in.
final class KeptAccounts: Sendable {
    private struct State {
        /// Also accounts that a later sign-in has replaced: clients may have their managers, and a
        /// drain waits for them too.
        var known: [KeptAccount] = []
        var isDrained = false
        /// How many sign-ins may have been given tokens that are not stored.
        var signInCount = 0
        /// The drains that wait for the last sign-in.
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// The known account with these settings, which are its settings from now on.
        mutating func take(
            _ name: String, in vault: SessionsVault, settings: AccountSettings
        ) -> KeptAccount? {
            let index = known.firstIndex {
                $0.vault.store === vault.store && $0.name.utf8.elementsEqual(name.utf8)
                    && $0.settings.hasSameOwner(as: settings)
            }
            guard let index else { return nil }
            // It may know more of the same sign-in: where the server's endpoint has moved.
            if known[index].settings.signedInAt != settings.signedInAt {
                known[index].take(settings)
            }
            return known[index]
        }
    }

    private let connection: ServerConnection
    private let state = Locked(State())

    init(over connection: ServerConnection) { self.connection = connection }

    /// The account with these settings, which are in the vault.
    func account(
        _ name: String, in vault: SessionsVault, settings: AccountSettings
    ) async throws(LoginError) -> KeptAccount {
        let account = try state.withLock { state throws(LoginError) -> KeptAccount in
            if let known = state.take(name, in: vault, settings: settings) { return known }
            let account = try KeptAccount(name, in: vault, settings: settings, over: connection)
            state.known.append(account)
            return account
        }
        return await drainedIfNeeded(account)
    }

    /// The account of a sign-in that has succeeded, with the manager that clients may have.
    func register(_ made: KeptAccount) async -> KeptAccount {
        let account = state.withLock { state -> KeptAccount in
            if let known = state.take(made.name, in: made.vault, settings: made.settings) {
                return known
            }
            state.known.append(made)
            return made
        }
        return await drainedIfNeeded(account)
    }

    private func drainedIfNeeded(_ account: KeptAccount) async -> KeptAccount {
        if state.withLock({ $0.isDrained }) { await account.manager.drain() }
        return account
    }

    // MARK: The program's end

    /// Waits for the running exchanges and sign-ins, and keeps new ones from beginning.
    func drain() async {
        let accounts = state.withLock { state -> [KeptAccount] in
            state.isDrained = true
            return state.known
        }
        for account in accounts { await account.manager.drain() }
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state -> Bool in
                if state.signInCount > 0 { state.waiters.append(waiter) }
                return state.signInCount == 0
            }
            if isOver { waiter.resume() }
        }
    }

    /// Call it before a request whose answer may have the tokens of a sign-in.
    func beginSignIn() throws(SessionError) {
        try state.withLock { state throws(SessionError) in
            guard !state.isDrained else {
                throw SessionError(.drained, "The program ends: no sign-in goes on.")
            }
            state.signInCount += 1
        }
    }

    /// Call it when what the request gave is stored, or ended at its server, or is nothing.
    func endSignIn() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.signInCount -= 1
            guard state.signInCount == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
