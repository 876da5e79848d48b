// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetSignIn
internal import SignetVault

/// The place of a vault with the sessions of `signet login`: there are two. The vault asks for no
/// passphrase, because scripts take tokens from it.
struct SessionsPlace: Sendable {
    /// Beside the vault of `signet vault`.
    let path: String
    /// In the state folder. It is not beside the vault, so that a copy of either folder alone opens
    /// nothing.
    let keyFile: String

    /// `sessions.signet`, whose key is in the desktop's keyring, or in a file where there was no
    /// keyring when it was made.
    static func main() throws -> SessionsPlace {
        try SessionsPlace("sessions")
    }

    /// `sessions-file.signet`, whose key is always in a file: for logins without a keyring while
    /// the key of the main vault is in a keyring.
    static func withoutKeyring() throws -> SessionsPlace {
        try SessionsPlace("sessions-file")
    }

    private init(_ name: String) throws {
        do {
            let folders = try StandardFolders(application: "signet")
            path = "\(folders.data)/\(name).signet"
            keyFile = "\(folders.state)/\(name).key"
        } catch {
            throw CommandFailure.usage(
                "This user has no home to keep sessions in.",
                advice: "Set HOME, or XDG_DATA_HOME and XDG_STATE_HOME.")
        }
    }

    /// Whether there is a vault, whatever its state, or may be a vault in a folder that is out of
    /// reach.
    var isThere: Bool { PrivatePlace.mayBeFile(at: path) }

    /// The vault, unlocked without asking the user.
    ///
    /// - Parameter asksKeyring: whether a key in the keyring is looked for.
    func open(asksKeyring: Bool) throws(ClosedSessions) -> SessionsVault {
        var opened: FileVault?
        var isKeyring = false
        do {
            let vault = OpenedVaults.add(try FileVault.open(at: path))
            opened = vault
            let kinds = Set(try vault.slots().map(\.kind))
            isKeyring = kinds.contains(.secretService)
            let method = try unlock(vault, slotKinds: kinds, asksKeyring: asksKeyring)
            return SessionsVault(place: self, store: vault, method: method)
        } catch {
            // The vault may be set aside next, for which no process may have it open.
            opened?.close()
            throw ClosedSessions(self, error: error, isKeyring: isKeyring, isAsked: asksKeyring)
        }
    }

    /// - Returns: the method that has opened the vault.
    private func unlock(
        _ vault: FileVault, slotKinds kinds: Set<KeySlot.Kind>, asksKeyring: Bool
    ) throws -> any UnlockMethod {
        let file = KeyFileUnlock(path: keyFile)
        guard kinds.contains(.secretService) else {
            try vault.unlock(with: file)
            return file
        }
        do {
            guard asksKeyring else { throw StoreError(.unavailable, "It was not asked.") }
            let method = try Self.keyring(mayPrompt: false)
            try vault.unlock(with: method)
            return method
        } catch {
            guard kinds.contains(.rawKey), (try? vault.unlock(with: file)) != nil else {
                throw error
            }
            return file
        }
    }

    /// A new vault, unlocked, or the vault that another login has made in the meantime.
    ///
    /// - Parameters:
    ///   - account: whose session it will be, for the command that a failure names.
    ///   - usesKeyring: whether its key is in the keyring.
    func create(for account: String, usesKeyring: Bool) throws -> SessionsVault {
        do {
            try StandardFolders.makeFolder(of: path)
            let method =
                usesKeyring
                ? try Self.keyring(mayPrompt: SystemBrowser.isAvailable) : try newKeyFile()
            let vault = try FileVault.openOrCreate(at: path, with: method)
            return SessionsVault(place: self, store: OpenedVaults.add(vault), method: method)
        } catch {
            throw ClosedSessions(self, error: error, isKeyring: usesKeyring).failure(of: account)
        }
    }

    private static func keyring(mayPrompt: Bool) throws -> any UnlockMethod {
        try SystemKeyring.unlockMethod(
            collection: "default", deadlineSeconds: 10, mayPrompt: mayPrompt)
    }

    private func newKeyFile() throws -> any UnlockMethod {
        try StandardFolders.makeFolder(of: keyFile)
        do {
            return try KeyFileUnlock.create(at: keyFile)
        } catch {
            // Another login was faster, or the vault was removed and its key is used again.
            guard error.code == .alreadyExists else { throw error }
            return KeyFileUnlock(path: keyFile)
        }
    }
}

/// An open vault with sessions.
struct SessionsVault: Sendable {
    let place: SessionsPlace
    let store: FileVault
    /// The method that has opened the vault.
    let method: any UnlockMethod
}
