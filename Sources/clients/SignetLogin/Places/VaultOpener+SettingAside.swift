// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetVault

extension VaultOpener {
    /// Renames the vault, with its log, in the same folder, so that a new vault can be made, and
    /// says so. A key file that holds no key is renamed the same way.
    ///
    /// - Returns: the vault's new path.
    @discardableResult
    func setAside(_ place: SessionsPlace) async throws(ClosedSessions) -> String {
        close(place)
        do throws(StoreError) {
            return try await queue.run(evenIfCancelled: true) { () throws(StoreError) in
                try self.setAsideBlocking(place)
            }
        } catch {
            throw await ClosedSessions(place, error: error, key: .inFile, opener: self)
        }
    }

    private func setAsideBlocking(_ place: SessionsPlace) throws(StoreError) -> String {
        let path = try FileVault.setAside(at: place.path)
        notice(.setAside(path))
        guard Self.hasKeyWithoutUse(place) else { return path }
        // ".unreadable-DATE"
        let name = PrivateFile.split(place.path).name.utf8
        let suffix = PrivateFile.split(path).name.utf8.dropFirst(name.count)
        try? PrivatePlace.rename(
            place.keyFile, to: place.keyFile + String(decoding: suffix, as: UTF8.self))
        return path
    }

    private static func hasKeyWithoutUse(_ place: SessionsPlace) -> Bool {
        do {
            _ = try KeyFileUnlock(path: place.keyFile).newSlot(id: [], vaultID: [])
            return false
        } catch {
            // Or a link that leads nowhere, in whose place no key can be made.
            return error.code == .invalidValue
                || (error.code == .missingKeyFile && PrivatePlace.mayBeFile(at: place.keyFile))
        }
    }

    /// Sets aside a vault that has damage which no write repairs, and moves what can be read to a
    /// new vault in its place.
    func salvage(_ vault: SessionsVault) async throws(ClosedSessions) -> SessionsVault {
        let place = vault.place
        let method = vault.method
        let old = try await setAside(place)
        do throws(StoreError) {
            try await queue.run(evenIfCancelled: true) { () throws(StoreError) in
                do throws(StoreError) {
                    _ = try VaultSalvage(
                        of: old, with: method, to: place.path, with: method
                    ).run()
                } catch {
                    // Nothing of the vault can be read: then it stays out of the way.
                    guard error.code != .corrupt else { throw error }
                    // A full disk, for example. The other accounts' sessions must not vanish.
                    try FileVault.putBack(old, at: place.path)
                    self.notice(.putBack(place.path))
                    throw error
                }
            }
        } catch {
            throw await ClosedSessions(place, error: error, key: .inFile, opener: self)
        }
        notice(.salvaged(place.path))
        return try await open(place)
    }
}
