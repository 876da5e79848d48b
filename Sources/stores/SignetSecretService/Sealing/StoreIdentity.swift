// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetVault

/// Identifies a store by the program's name and the alias of the collection.
struct StoreIdentity: Sendable, Hashable {
    let application: String
    let alias: String

    /// Marks this library's items among the items of all programs.
    static let marker = "signet:v"
    static let kindName = "signet:kind"
    /// A key's own name, or for an item the name of the key that sealed it.
    static let keyName = "signet:key"
    static let itemName = "signet:id"
    static let groupName = "signet:group"

    enum Kind: String {
        /// A key that seals items.
        case key
        case item
    }

    /// The attributes that all of this store's items of a kind have.
    func attributes(_ kind: Kind) -> [String: String] {
        [
            Self.marker: "1", "signet:application": application, "signet:collection": alias,
            Self.kindName: kind.rawValue,
        ]
    }

    /// 16 octets in place of a vault's id: what is sealed for a store opens in no other store.
    func octets() throws(StoreError) -> [UInt8] {
        var text = Array("signet secret-service store".utf8)
        text.append(UInt8(truncatingIfNeeded: application.utf8.count))
        text.append(contentsOf: application.utf8)
        text.append(contentsOf: alias.utf8)
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            Array(try MessageDigest.digest(text, using: .sha256).prefix(16))
        }
    }

    /// Identifies the store among lock files.
    var lockParts: [[UInt8]] { [Array(alias.utf8), Array(application.utf8)] }
}
