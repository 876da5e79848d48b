// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
package import SignetPlatform

/// The name of a lock file: a SHA-256 hash, so the folder does not reveal the names of items.
package struct LockName: Sendable {
    package let hexadecimal: String

    /// - Parameters:
    ///   - kind: the kind of store or lock.
    ///   - parts: identify the store or lock. Each part is hashed with its length, so different
    ///     lists give different names.
    package init(_ kind: String, parts: [[UInt8]]) throws(StoreError) {
        var text: [UInt8] = []
        text.appendPrefixed("signet lock file 1".utf8)
        text.appendPrefixed(kind.utf8)
        for part in parts { text.appendPrefixed(part) }
        let octets = text
        hexadecimal = try StoreError.translatingErrors { () throws(CryptographyError) in
            try MessageDigest.digest(octets, using: .sha256)
        }.hexadecimal
    }

    /// The name of the lock file of a store's item.
    package init(_ kind: String, store: [[UInt8]], item key: ItemKey) throws(StoreError) {
        let names = [key.itemClass.rawValue, key.accessGroup, key.service, key.account]
        try self.init("\(kind) item", parts: store + names.map { Array($0.utf8) })
    }

    /// Opens the files of this name without locking them: first in the state folder, where older
    /// versions look, and then in `folder`.
    package func open(in folder: LockFolder) throws(StoreError) -> LockPair {
        try StoreError.translatingLockErrors(in: folder) { () throws(PrivatePlaceFailure) in
            try LockPair(named: hexadecimal, in: folder, after: LockFolder())
        }
    }
}

extension StoreError {
    /// Runs calls of a lock file, and translates their errors.
    package static func translatingLockErrors<R>(
        in folder: LockFolder, _ body: () throws(PrivatePlaceFailure) -> R
    ) throws(StoreError) -> R {
        do throws(PrivatePlaceFailure) {
            return try body()
        } catch {
            throw StoreError(
                error.isInsecure ? .insecureFile : .unavailable, "\(error). \(folder.advice)")
        }
    }
}
