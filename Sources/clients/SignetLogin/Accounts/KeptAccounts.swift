// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession

/// The accounts that a program has used, so that each sign-in has one manager.
final class KeptAccounts: Sendable {
    private let connection: ServerConnection
    private let known = Locked<[KeptAccount]>([])

    init(over connection: ServerConnection) { self.connection = connection }

    /// The account with these settings. The manager of an earlier sign-in is given up.
    func account(
        _ name: String, in vault: SessionsVault, settings: AccountSettings
    ) throws(LoginError) -> KeptAccount {
        try known.withLock { known throws(LoginError) in
            let index = known.firstIndex {
                $0.vault.place.isSame(as: vault.place)
                    && $0.name.utf8.elementsEqual(name.utf8)
            }
            if let index {
                let account = known[index]
                let isSame =
                    account.vault.store === vault.store
                    && account.settings.signedInAt == settings.signedInAt
                if isSame { return account }
                known.remove(at: index)
                // Its backend may ask another server, which must not see the new session's token.
                Task { await account.manager.drain() }
            }
            let account = try KeptAccount(name, in: vault, settings: settings, over: connection)
            known.append(account)
            return account
        }
    }

    /// Waits for the running exchanges, and keeps new ones from beginning.
    func drain() async {
        for account in known.withLock({ $0 }) { await account.manager.drain() }
    }
}
