// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetVault

extension SessionsPlace {
    /// Renames the vault, with its log, in the same folder, so that a new vault can be made, and
    /// says so. A key file that holds no key is renamed the same way.
    ///
    /// - Returns: the vault's new path.
    func setAside() throws -> String {
        do {
            let path = try FileVault.setAside(at: path)
            Output.errorLine(
                "signet: set aside as \(SystemFailure.quoted(path)). Its sessions still live at "
                    + "their servers.")
            guard isThereKeyWithoutUse() else { return path }
            // ".unreadable-DATE"
            let name = PrivateFile.split(self.path).name.utf8
            let suffix = PrivateFile.split(path).name.utf8.dropFirst(name.count)
            try? PrivatePlace.rename(keyFile, to: keyFile + String(decoding: suffix, as: UTF8.self))
            return path
        } catch {
            throw ClosedSessions(self, error: error, isKeyring: false).failure()
        }
    }

    private func isThereKeyWithoutUse() -> Bool {
        do {
            _ = try KeyFileUnlock(path: keyFile).newSlot(id: [], vaultID: [])
            return false
        } catch {
            // Or a link that leads nowhere, in whose place no key can be made.
            return error.code == .invalidValue
                || (error.code == .missingKeyFile && PrivatePlace.mayBeFile(at: keyFile))
        }
    }
}

extension SessionsVault {
    /// Sets aside the vault, which has damage that no write repairs, and moves what can be read to
    /// a new vault in its place.
    func salvaged() throws -> SessionsVault {
        do {
            store.close()
            let old = try place.setAside()
            do {
                _ = try VaultSalvage(of: old, with: method, to: place.path, with: method).run()
            } catch {
                // Nothing of the vault can be read: then it stays out of the way.
                guard error.code != .corrupt else { throw error }
                // A full disk, for example. The other accounts' sessions must not vanish.
                try FileVault.putBack(old, at: place.path)
                Output.errorLine("signet: put back as \(SystemFailure.quoted(place.path))")
                throw error
            }
            Output.errorLine(
                "signet: what can be read of it is in \(SystemFailure.quoted(place.path)) again")
            return try place.open(asksKeyring: true)
        } catch let error as StoreError {
            throw ClosedSessions(place, error: error, isKeyring: false).failure()
        } catch let closed as ClosedSessions {
            throw closed.failure()
        }
    }
}
