// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession
internal import SignetVault

/// One of the accounts that are kept side by side: settings and a session in the sessions' vault.
struct Account: Sendable {
    /// What items in the vault belong to.
    static let service = "signet login"

    let name: String
    let vault: FileVault
    let settings: AccountSettings

    /// The account of this name; nil where there is none.
    init?(_ name: String, in vault: FileVault) throws {
        let key = Self.key(name)
        guard let value = try waiting({ () async throws(StoreError) in try await vault.get(key) })
        else { return nil }
        let settings = try value.decoded(as: AccountSettings.self)
        guard settings.version == 1 else {
            throw CommandFailure.refused(
                "corrupt", "The account \(name.onOneLine) was kept by another version of signet.")
        }
        self.init(name, in: vault, settings)
    }

    init(_ name: String, in vault: FileVault, _ settings: AccountSettings) {
        self.name = name
        self.vault = vault
        self.settings = settings
    }

    /// What keeps its session. Nothing is exchanged ahead of need: a command ends soon.
    func manager() throws -> SessionManager {
        var options = SessionOptions()
        options.refreshesAhead = false
        return try SessionManager(
            store: vault, service: Self.service, account: name, backend: settings.backend(),
            options: options)
    }

    /// Forgets the settings; the session is the manager's.
    func forget() throws {
        let key = Self.key(name)
        _ = try waiting { [vault] () async throws(StoreError) in
            try await vault.remove(key)
        }
    }

    /// Refuses to go on after a question when the account has become another person's or server's
    /// meanwhile: its tokens would go to the server that was asked about.
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
