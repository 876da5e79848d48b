// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetPlatform
internal import SignetSignIn
internal import SignetVault

/// The vault that holds the sessions of `signet login`. A key opens it, kept in the desktop's
/// keyring or in a file. It asks for no passphrase, because scripts take tokens from it.
struct SessionsVault {
    /// `sessions.signet` beside the vault of `signet vault`.
    let path: String
    /// `sessions.key` in the state folder. It is not beside the vault, so that a copy of either
    /// folder alone opens nothing.
    let keyFile: String
    private static let collection = "default"

    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        do {
            let standard = try FileVault.standardPath(
                application: "signet", environment: environment)
            path = Self.sibling(of: standard, "sessions.signet")
            keyFile = Self.sibling(
                of: try LockFolder(environment: environment).path(), "sessions.key")
        } catch {
            throw CommandFailure.usage(
                "There is no HOME to keep sessions in.",
                advice: "Set HOME, or XDG_DATA_HOME and XDG_STATE_HOME.")
        }
    }

    /// The vault, unlocked without asking the user; nil if there is none.
    func open() throws -> FileVault? {
        guard VaultPlace.identity(ofFileAt: path) != nil else { return nil }
        do {
            return try opened()
        } catch let error as StoreError {
            throw CommandFailure(ofSessions: error)
        }
    }

    private func opened() throws -> FileVault {
        let vault = OpenedVaults.add(try FileVault.open(at: path))
        let kinds = Set(try vault.slots().map(\.kind))
        guard kinds.contains(.secretService) else {
            try vault.unlock(with: KeyFileUnlock(path: keyFile))
            return vault
        }
        do {
            try vault.unlock(with: try keyring(mayPrompt: false))
        } catch let error as StoreError where error.code == .unavailable {
            guard kinds.contains(.rawKey) else { throw error }
            try vault.unlock(with: KeyFileUnlock(path: keyFile))
        }
        return vault
    }

    /// A new vault, unlocked, or the one that another login has made in the meantime.
    ///
    /// - Parameter usesKeyring: whether to keep its key in the keyring, if there is one.
    func create(usesKeyring: Bool) throws -> FileVault {
        try FileVault.makeFolder(ofStandardPath: path)
        let method =
            try usesKeyring && Keyring.isThere()
            ? keyring(mayPrompt: SystemBrowser.isAvailable) : newKeyFile()
        return OpenedVaults.add(try FileVault.openOrCreate(at: path, with: method))
    }

    private func keyring(mayPrompt: Bool) throws -> any UnlockMethod {
        try Keyring.unlockMethod(
            collection: Self.collection, deadlineSeconds: 10, mayPrompt: mayPrompt)
    }

    private func newKeyFile() throws -> any UnlockMethod {
        try FileVault.makeFolder(ofStandardPath: keyFile)
        do throws(StoreError) {
            return try KeyFileUnlock.create(at: keyFile)
        } catch {
            // Another login was faster, or the vault was removed and its key is used again.
            guard error.code == .alreadyExists else { throw error }
            return KeyFileUnlock(path: keyFile)
        }
    }

    private static func sibling(of path: String, _ name: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
