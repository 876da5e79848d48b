// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// An unfinished vault file, beside its future name.
struct VaultDraft: Sendable {
    let path: String
    private let lock = Locked<TemporaryLock?>(nil)
    private let location: PrivatePlace.Location

    init(for path: String) throws(StoreError) {
        location = try StoreError.translatingErrors { () throws(PrivatePlaceFailure) in
            try PrivatePlace.inspect(path: path)
        }
        guard location.identity == nil else {
            throw StoreError(
                .alreadyExists,
                "There is a file at \(path: path) already: choose another name for the new one."
            )
        }
        // 64 random bits; creating the vault fails if the name is taken.
        let name = ".signet-\(String(UInt64.random(in: .min ... .max), radix: 16)).export"
        self.path = location.folder == "/" ? "/\(name)" : "\(location.folder)/\(name)"
    }

    /// Makes the vault, which no process takes for a leftover until it is published or removed.
    func create(with method: any UnlockMethod) throws(StoreError) -> FileVault {
        let vault = try FileVault.create(at: path, with: method)
        lock.withLock { $0 = TemporaryLock(ofFileAt: path) }
        return vault
    }

    /// Gives the vault its name. It must be closed.
    func publish() throws(StoreError) {
        lock.withLock { $0 = nil }
        try StoreError.translatingErrors { () throws(PrivatePlaceFailure) in
            try PrivatePlace.publish(temporary: path, as: location)
        }
    }

    /// Removes the vault, which must be closed.
    func remove() {
        PrivatePlace.removeTemporary(path)
        lock.withLock { $0 = nil }
    }
}
