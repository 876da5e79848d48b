// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
package import SignetSession

/// An account in a vault: its settings and its session. A vault keeps several side by side.
package struct KeptAccount: Sendable {
    /// The service of its items in the vault.
    static let service = "signet login"
    /// How long a sign-in waits for the lock on its account.
    static let lockTimeout = Duration.seconds(10)

    package let name: String
    package let vault: SessionsVault
    package private(set) var settings: AccountSettings
    /// The manager of its session. It refreshes no token ahead of time, because a program that ends
    /// in the middle of a refresh may lose the session.
    package let manager: SessionManager
    /// The backend, which may find that the server's endpoint has moved.
    private let backend: OpenIDBackend?

    /// - Throws: `corrupt` if the settings name no server that can be asked.
    init(
        _ name: String, in vault: SessionsVault, settings: AccountSettings,
        over connection: ServerConnection
    ) throws(LoginError) {
        self.name = name
        self.vault = vault
        self.settings = settings
        var options = SessionOptions()
        options.refreshesAhead = false
        do {
            let server: any SessionBackend
            if let openID = settings.openID {
                let backend = try OpenIDBackend(openID, over: connection)
                self.backend = backend
                server = backend
            } else if let supabase = settings.supabase {
                backend = nil
                server = try supabase.auth(over: connection.transport)
            } else {
                throw LoginError(.corrupt, in: .settings, "The account has no server.")
            }
            let store = OwnSessionStore(
                vault: vault.store, settings: settings, settingsKey: Self.key(name))
            manager = try SessionManager(
                store: store, service: Self.service, account: name,
                backend: connection.held(server), options: options, clock: connection.clock)
        } catch {
            // A sign-in checks its settings, so that these have been damaged since.
            throw LoginError(
                .corrupt, details: .init(problem: .settings), underlying: error,
                "The account \(shown: name) in \(path: vault.place.path) is damaged: its server "
                    + "cannot be asked.")
        }
        connection.hold?.add { [manager] in await manager.drain() }
    }

    /// Takes over the settings of a later sign-in of the same person at the same server.
    mutating func take(_ newer: AccountSettings) {
        settings = newer
        if let openID = newer.openID { backend?.take(openID) }
    }

    /// The settings of the account with this name; nil if there is none.
    ///
    /// - Throws: `corrupt` if they cannot be read.
    static func settings(
        of name: String, in vault: SessionsVault
    ) async throws(LoginError) -> AccountSettings? {
        let value: SecretValue?
        do {
            value = try await vault.store.get(key(name))
        } catch {
            throw LoginError(error, of: name, in: vault.place)
        }
        guard let value else { return nil }
        let settings = try? value.decoded(as: AccountSettings.self)
        guard let settings, settings.version == 1 else {
            throw LoginError(
                .corrupt, in: .settings,
                "The account \(shown: name) in \(path: vault.place.path) is "
                    + "damaged, or another version of \(shown: vault.place.application) kept it.")
        }
        return settings
    }

    /// The person who is signed in, of the manager's state. Any other state is refused.
    package func user(in state: SessionState) throws(LoginError) -> SessionUser {
        switch state {
        case .signedIn(let user): return user
        case .locked:
            throw LoginError(
                SessionError(.locked, "The vault is locked."), of: name, in: vault.place)
        case .unavailable(let error): throw LoginError(error, of: name, in: vault.place)
        default: throw .signedOut
        }
    }

    /// An access token that is valid by this machine's clock. If the exchange has found the
    /// server's endpoint at a new address, that is kept.
    package func accessToken() async throws(LoginError) -> AccessToken {
        let token: AccessToken
        do throws(SessionError) {
            token = try await manager.accessToken()
        } catch {
            await keepMovedEndpoint()
            throw LoginError(error, of: name, in: vault.place)
        }
        await keepMovedEndpoint()
        return token
    }

    /// Forgets the settings. The manager forgets the session. What another process has signed in
    /// since stays: without its settings, no call could use its session or end it.
    package func forget() async throws(LoginError) {
        let store = vault.store
        do {
            try await store.withExclusiveAccess(to: Self.key(name), within: Self.lockTimeout) {
                guard let there = try await Self.settings(of: name, in: vault),
                    there.signedInAt == settings.signedInAt,
                    try await store.item(Self.tokenKey(name)) == nil
                else { return }
                _ = try await store.remove(Self.key(name))
            }
        } catch let error as StoreError {
            throw LoginError(error, of: name, in: vault.place)
        } catch {
            throw LoginError(thrown: error)
        }
    }

    /// Stores the settings of a sign-in, whose session comes next. In the same transaction the
    /// remains of an earlier session go: if the process ended in between, the earlier person's
    /// tokens would otherwise go to the server of these settings, under this person's name.
    package func storeSettings() async throws {
        let value = try SecretValue(encoding: settings)
        try await vault.store.write { [name] writer in
            _ = try writer.remove(Self.tokenKey(name))
            _ = try writer.set(value, for: Self.key(name))
        }
    }

    /// Stores the new address of the server's endpoint, if an exchange has found it. Call it after
    /// the exchange: until the session is stored, nothing else may be written. A failure costs a
    /// further request next time.
    func keepMovedEndpoint() async {
        let old = settings.openID?.tokenEndpoint ?? ""
        guard let newer = backend?.current,
            !newer.tokenEndpoint.utf8.elementsEqual(old.utf8)
        else { return }
        let key = Self.key(name)
        var changed = settings
        changed.openID = newer
        guard let value = try? SecretValue(encoding: changed),
            // Another sign-in may have come in between, or this is already done.
            let entry = try? await vault.store.entry(key),
            let there = try? entry.value.decoded(as: AccountSettings.self),
            there.signedInAt == settings.signedInAt,
            there.openID?.tokenEndpoint.utf8.elementsEqual(old.utf8) == true
        else { return }
        _ = try? await vault.store.replace(
            value, for: key, details: nil, ifRevision: entry.item.revision)
    }

    /// Removes session and settings without reading them.
    package static func remove(
        _ name: String, in vault: SessionsVault
    ) async throws(LoginError) {
        do throws(StoreError) {
            // The settings last: tokens without settings could not be told from the next person's.
            for key in [tokenKey(name), key(name)] { _ = try await vault.store.remove(key) }
        } catch {
            throw LoginError(error, of: name, in: vault.place)
        }
    }

    /// Whether the account of this name in the other vault is of the same person at the same
    /// server.
    package func isSamePerson(as other: KeptAccount) -> Bool {
        guard settings.issuer.utf8.elementsEqual(other.settings.issuer.utf8),
            settings.user.utf8.elementsEqual(other.settings.user.utf8)
        else { return false }
        switch (settings.openID, other.settings.openID) {
        case (let mine?, let others?):
            return mine.subject.utf8.elementsEqual(others.subject.utf8)
        case (nil, nil): return true
        default: return false
        }
    }

    /// The names of all accounts.
    static func names(in vault: SessionsVault) async throws(LoginError) -> [String] {
        do {
            return try await vault.store.list(service: service, itemClass: .generic)
                .map(\.key.account)
        } catch {
            throw LoginError(error, in: vault.place)
        }
    }

    /// The item of the settings.
    static func key(_ name: String) -> ItemKey { ItemKey(service: service, account: name) }

    /// The item of the session.
    private static func tokenKey(_ name: String) -> ItemKey {
        .token(service: service, account: name)
    }
}
