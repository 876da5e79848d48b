// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession

extension AccountSignIn {
    /// Stores the settings that a new session needs, and then the session.
    ///
    /// If another process has signed in since, its session stays, and the new session is ended:
    /// with the new settings the stored session's tokens would go to the wrong server.
    func begin(
        _ grant: SessionGrant, of account: KeptAccount
    ) async throws(LoginError) {
        do {
            try await beginAlone(grant, of: account)
        } catch {
            await account.manager.discard(grant)
            let place = account.vault.place
            switch error {
            case let error as SessionError: throw LoginError(error, of: name, in: place)
            case let error as StoreError: throw LoginError(error, of: name, in: place)
            default: throw LoginError(thrown: error)
            }
        }
    }

    /// Stores settings and session while no other process signs in to the account.
    private func beginAlone(_ grant: SessionGrant, of account: KeptAccount) async throws {
        let key = KeptAccount.key(name)
        let store = account.vault.store
        try await store.withExclusiveAccess(to: key, within: KeptAccount.lockTimeout) {
            try await refuseIfSignedInMeanwhile(in: account.vault)
            try await Self.writeUntilFree { try await account.storeSettings() }
            try await Self.writeUntilFree { try await account.manager.adopt(grant) }
        }
    }

    /// Refuses if there is a session by now, of whatever server.
    private func refuseIfSignedInMeanwhile(in vault: SessionsVault) async throws(LoginError) {
        guard let there = try await vaults.account(name, in: vault) else { return }
        let state = await there.manager.start()
        if case .signedOut = state { return }
        if await there.manager.hasExpired { return }
        _ = try there.user(in: state)
        throw LoginError(
            .signedIn, in: .signedInMeanwhile,
            "This account was signed in by another process meanwhile.")
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
