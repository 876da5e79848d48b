// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetSession
internal import SignetVault

/// An account in a vault: its settings and its session. A vault keeps several side by side.
struct Account: Sendable {
    /// The service of its items in the vault.
    static let service = "signet login"
    /// How long a sign-in waits for the lock on its account.
    static let lockTimeout = Duration.seconds(10)

    let name: String
    let vault: SessionsVault
    let settings: AccountSettings
    /// The endpoint that an exchange has found at a new address.
    let moved = Locked<AccountSettings.OpenID?>(nil)

    /// The account with this name; nil if there is none.
    ///
    /// - Throws: `corrupt` if it cannot be read.
    init?(_ name: String, in vault: SessionsVault) throws {
        let key = Self.key(name)
        let value: SecretValue?
        do {
            value = try waiting { () async throws(StoreError) in try await vault.store.get(key) }
        } catch {
            throw CommandFailure(error, of: name, in: vault.place)
        }
        guard let value else { return nil }
        let settings = try? value.decoded(as: AccountSettings.self)
        guard let settings, settings.version == 1 else {
            throw CommandFailure.refused(
                "corrupt",
                "The account \(shown: name) in \(path: vault.place.path) is "
                    + "damaged, or another version of signet kept it.",
                advice: Self.removalAdvice(for: name))
        }
        self.init(name, in: vault, settings: settings)
    }

    init(_ name: String, in vault: SessionsVault, settings: AccountSettings) {
        self.name = name
        self.vault = vault
        self.settings = settings
    }

    /// The manager of its session. It refreshes no token ahead of time, because a command ends
    /// soon. A signal that comes while it exchanges tokens has to wait.
    func manager() throws -> SessionManager {
        var options = SessionOptions()
        options.refreshesAhead = false
        let moved = moved
        let backend = try settings.backend { newer in moved.withLock { $0 = newer } }
        let manager = try SessionManager(
            store: vault.store, service: Self.service, account: name,
            backend: HeldBackend(backend: backend), options: options)
        RunningExchange.current.add { await manager.drain() }
        return manager
    }

    /// Forgets the settings. The manager forgets the session.
    func forget() throws { try Self.remove(name, keys: [Self.key(name)], in: vault) }

    /// Stores the new address of the server's endpoint, if an exchange has found it. Call it after
    /// the exchange: until the session is stored, nothing else may be written. A failure costs a
    /// further request next time.
    func keepMovedEndpoint() {
        guard let newer = moved.withLock({ $0 }) else { return }
        let key = Self.key(name)
        let settings = settings
        var changed = settings
        changed.openID = newer
        guard let value = try? SecretValue(encoding: changed) else { return }
        let old = settings.openID?.tokenEndpoint ?? ""
        _ = try? waiting { [vault] () async throws(StoreError) in
            let entry = try await vault.store.entry(key)
            // Another sign-in may have come in between.
            guard let entry, let there = try? entry.value.decoded(as: AccountSettings.self),
                there.signedInAt == settings.signedInAt,
                there.openID?.tokenEndpoint.utf8.elementsEqual(old.utf8) == true
            else { return }
            try await vault.store.replace(
                value, for: key, details: nil, ifRevision: entry.item.revision)
        }
    }

    /// Whether something with this name is there but cannot be read. If the vault as a whole cannot
    /// be read, that is an error.
    static func isDamaged(_ name: String, in vault: SessionsVault) throws -> Bool {
        let manager: SessionManager
        do {
            guard let account = try Account(name, in: vault) else { return false }
            manager = try account.manager()
        } catch let error as CommandFailure where error.isCorrupt {
            return true
        }
        guard case .unavailable(let error) = waiting({ await manager.start() }) else {
            return false
        }
        return error.code == .corrupt
    }

    /// Removes settings and session without reading them.
    static func remove(_ name: String, in vault: SessionsVault) throws {
        let keys = [key(name), .token(service: service, account: name)]
        try remove(name, keys: keys, in: vault)
    }

    private static func remove(
        _ name: String, keys: [ItemKey], in vault: SessionsVault
    ) throws {
        do {
            for key in keys {
                _ = try waiting { () async throws(StoreError) in try await vault.store.remove(key) }
            }
        } catch {
            throw CommandFailure(error, of: name, in: vault.place)
        }
    }

    /// The advice for an account that cannot be read.
    static func removalAdvice(for name: String) -> String {
        "Remove it: signet logout --forget\(CommandFailure.optionOf(name))"
    }

    /// Whether the account of this name in the other vault is of the same person at the same
    /// server.
    func isSamePerson(as other: Account) -> Bool {
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

    /// Refuses to continue if, while the user answered a question, the account has changed to a
    /// different person or server: the new tokens would go to the server that the question named.
    func check(isStill user: SessionUser) throws {
        guard let now = try Account(name, in: vault),
            now.settings.issuer.utf8.elementsEqual(settings.issuer.utf8),
            case let manager = try now.manager(),
            try now.user(in: waiting { await manager.start() }).id.utf8.elementsEqual(user.id.utf8)
        else {
            throw CommandFailure.refused(
                "notConfirmed", "This account has changed meanwhile. Nothing was done.",
                advice: "Look at it, and try again: signet account list")
        }
    }

    /// The names of all accounts.
    static func names(in vault: SessionsVault) throws -> [String] {
        do {
            return try waiting { () async throws(StoreError) in
                try await vault.store.list(service: service, itemClass: .generic)
            }.map(\.key.account)
        } catch {
            throw CommandFailure(error, in: vault.place)
        }
    }

    /// The item of the settings.
    static func key(_ name: String) -> ItemKey { ItemKey(service: service, account: name) }
}
