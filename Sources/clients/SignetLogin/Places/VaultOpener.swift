// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetSignIn
internal import SignetVault

/// Opens and makes the vaults of a program's sessions, off Swift's threads, and keeps them open.
package final class VaultOpener: Sendable {
    private let keyring: (any VaultKeyring)?
    let notice: @Sendable (LoginNotice) -> Void
    let queue = StoreQueue(label: "signet.login")
    private let opened = Locked<[SessionsVault]>([])
    private let hasPrompted = Locked(false)

    init(keyring: (any VaultKeyring)?, notice: @escaping @Sendable (LoginNotice) -> Void) {
        self.keyring = keyring
        self.notice = notice
    }

    /// Whether there is a keyring, locked or not.
    func hasKeyring() async throws(StoreError) -> Bool { try await keyring?.isThere() ?? false }

    /// Whether the keyring has asked the person.
    var hasShownPrompt: Bool { hasPrompted.withLock { $0 } }

    /// Closes what is open.
    func close() {
        let vaults = opened.withLock { vaults in
            defer { vaults = [] }
            return vaults
        }
        for vault in vaults { vault.store.close() }
    }

    /// Closes the vault of a place. It may be set aside next, for which no process may have it
    /// open.
    func close(_ place: SessionsPlace) {
        let vaults = opened.withLock { vaults in
            let those = vaults.filter { $0.place.isSame(as: place) }
            vaults.removeAll { $0.place.isSame(as: place) }
            return those
        }
        for vault in vaults { vault.store.close() }
    }

    /// The vault, unlocked without asking the person.
    ///
    /// - Parameter asksKeyring: whether a key in the keyring is looked for.
    func open(
        _ place: SessionsPlace, asksKeyring: Bool = true
    ) async throws(ClosedSessions) -> SessionsVault {
        let keyIsInKeyring = Locked(false)
        do throws(StoreError) {
            return try await queue.run(evenIfCancelled: true) { () throws(StoreError) in
                try self.openBlocking(place, asksKeyring: asksKeyring, noting: keyIsInKeyring)
            }
        } catch {
            let key: ClosedSessions.Key =
                !keyIsInKeyring.withLock { $0 }
                ? .inFile : asksKeyring ? .inKeyring : .inKeyringNotAsked
            throw await ClosedSessions(place, error: error, key: key, opener: self)
        }
    }

    private func openBlocking(
        _ place: SessionsPlace, asksKeyring: Bool, noting keyIsInKeyring: Locked<Bool>
    ) throws(StoreError) -> SessionsVault {
        if let vault = current(at: place) { return vault }
        let store = try FileVault.open(at: place.path)
        do throws(StoreError) {
            let kinds = Set(try store.slots().map(\.kind))
            keyIsInKeyring.withLock { $0 = kinds.contains(.secretService) }
            let method = try unlock(
                store, at: place, slotKinds: kinds, asksKeyring: asksKeyring)
            return keep(SessionsVault(place, store: store, method: method))
        } catch {
            store.close()
            throw error
        }
    }

    /// - Returns: the method that has opened the vault.
    private func unlock(
        _ vault: FileVault, at place: SessionsPlace, slotKinds kinds: Set<KeySlot.Kind>,
        asksKeyring: Bool
    ) throws(StoreError) -> any UnlockMethod {
        let file = KeyFileUnlock(path: place.keyFile)
        guard kinds.contains(.secretService) else {
            try vault.unlock(with: file)
            return file
        }
        do throws(StoreError) {
            guard asksKeyring else { throw StoreError(.unavailable, "It was not asked.") }
            let method = try keyringMethod(mayPrompt: false)
            try vault.unlock(with: method)
            return method
        } catch {
            guard kinds.contains(.rawKey), (try? vault.unlock(with: file)) != nil else {
                throw error
            }
            return file
        }
    }

    /// A new vault, unlocked, or the vault that another sign-in has made in the meantime.
    ///
    /// - Parameter usesKeyring: whether its key is in the keyring. That never changes afterwards.
    func create(
        _ place: SessionsPlace, usesKeyring: Bool
    ) async throws(ClosedSessions) -> SessionsVault {
        do throws(StoreError) {
            return try await queue.run(evenIfCancelled: true) { () throws(StoreError) in
                if let vault = self.current(at: place) { return vault }
                try StandardFolders.makeFolder(of: place.path)
                let method =
                    usesKeyring
                    ? try self.keyringMethod(mayPrompt: SystemBrowser.isAvailable)
                    : try Self.newKeyFile(of: place)
                let store = try FileVault.openOrCreate(at: place.path, with: method)
                return self.keep(SessionsVault(place, store: store, method: method))
            }
        } catch {
            let key: ClosedSessions.Key = usesKeyring ? .inKeyring : .inFile
            throw await ClosedSessions(place, error: error, key: key, opener: self)
        }
    }

    private static func newKeyFile(
        of place: SessionsPlace
    ) throws(StoreError) -> any UnlockMethod {
        try StandardFolders.makeFolder(of: place.keyFile)
        do {
            return try KeyFileUnlock.create(at: place.keyFile)
        } catch {
            // Another sign-in was faster, or the vault was removed and its key is used again.
            guard error.code == .alreadyExists else { throw error }
            return KeyFileUnlock(path: place.keyFile)
        }
    }

    private func keyringMethod(mayPrompt: Bool) throws(StoreError) -> any UnlockMethod {
        guard let keyring else {
            throw StoreError(.unavailable, "This program uses no keyring.")
        }
        return try keyring.unlockMethod(mayPrompt: mayPrompt) { [hasPrompted] in
            hasPrompted.withLock { $0 = true }
        }
    }

    /// The vault that is open and still what the place has: a running sign-in may use it. Closes
    /// those that are not.
    private func current(at place: SessionsPlace) -> SessionsVault? {
        let vaults = opened.withLock { $0 }.filter { $0.place.isSame(as: place) }
        let stale = vaults.filter { !$0.isCurrent }
        opened.withLock { all in
            all.removeAll { vault in stale.contains { $0.store === vault.store } }
        }
        for vault in stale { vault.store.close() }
        return vaults.first { vault in !stale.contains { $0.store === vault.store } }
    }

    private func keep(_ vault: SessionsVault) -> SessionsVault {
        opened.withLock { $0.append(vault) }
        return vault
    }
}
