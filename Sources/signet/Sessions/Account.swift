// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession
internal import SignetVault

/// One of the accounts that are kept side by side: settings and a session in the sessions' vault.
struct Account: Sendable {
    /// The service of its items in the vault.
    static let service = "signet login"

    let name: String
    let vault: FileVault
    let settings: AccountSettings

    /// The account with this name; nil if there is none.
    init?(_ name: String, in vault: FileVault) throws {
        let key = Self.key(name)
        guard let value = try waiting({ () async throws(StoreError) in try await vault.get(key) })
        else { return nil }
        let settings = try? value.decoded(as: AccountSettings.self)
        guard let settings, settings.version == 1 else {
            throw CommandFailure.refused(
                "corrupt",
                "The account \(name.onOneLine) is damaged, or another version of signet kept it.",
                advice: Self.removing(name))
        }
        self.init(name, in: vault, settings)
    }

    init(_ name: String, in vault: FileVault, _ settings: AccountSettings) {
        self.name = name
        self.vault = vault
        self.settings = settings
    }

    /// The manager of its session. It refreshes no token ahead of time, because a command ends
    /// soon. A signal that comes while it exchanges tokens has to wait.
    func manager() throws -> SessionManager {
        var options = SessionOptions()
        options.refreshesAhead = false
        let manager = try SessionManager(
            store: vault, service: Self.service, account: name,
            backend: HeldBackend(backend: settings.backend()), options: options)
        RunningExchange.current.add { await manager.drain() }
        return manager
    }

    /// Forgets the settings. The manager forgets the session.
    func forget() throws {
        let key = Self.key(name)
        _ = try waiting { [vault] () async throws(StoreError) in
            try await vault.remove(key)
        }
    }

    /// Whether something with this name is there but cannot be read. If the vault as a whole cannot
    /// be read, that is an error.
    static func isDamaged(_ name: String, in vault: FileVault) throws -> Bool {
        let manager: SessionManager
        do {
            guard let account = try Account(name, in: vault) else { return false }
            manager = try account.manager()
        } catch let error as CommandFailure {
            guard error.code.utf8.elementsEqual("corrupt".utf8) else { throw error }
            return true
        }
        guard case .unavailable(let error) = waiting({ await manager.start() }) else {
            return false
        }
        return error.code == .corrupt
    }

    /// Removes settings and session without reading them.
    static func remove(_ name: String, in vault: FileVault) throws {
        for key in [Self.key(name), .token(service: service, account: name)] {
            _ = try waiting { () async throws(StoreError) in try await vault.remove(key) }
        }
    }

    /// The advice for an account that cannot be read.
    static func removing(_ name: String) -> String {
        "Remove it: signet logout --forget\(CommandFailure.optionOf(name))"
    }

    /// Refuses to continue if, while the user answered a question, the account has changed to
    /// another person or server: the new tokens would go to the server that the question named.
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
    static func names(in vault: FileVault) throws -> [String] {
        try waiting { () async throws(StoreError) in
            try await vault.list(service: service, itemClass: .generic)
        }.map(\.key.account)
    }

    /// The item of the settings.
    static func key(_ name: String) -> ItemKey { ItemKey(service: service, account: name) }
}
