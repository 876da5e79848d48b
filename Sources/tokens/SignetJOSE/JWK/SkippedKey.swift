// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A member of a JWK set that could not be used, and why. The set's usable keys still work.
public struct SkippedKey: Sendable, CustomStringConvertible {
    /// The member's position in the `keys` array, from 0.
    public let index: Int
    /// The member's `kid`, if it has at most 1,024 bytes.
    public let keyID: String?
    /// Why the member was skipped.
    public let reason: KeyError

    init(index: Int, keyID: String?, reason: KeyError) {
        self.index = index
        self.keyID = keyID
        self.reason = reason
    }

    /// A rejected key. It throws if libcrypto could not tell whether the key is valid: otherwise
    /// the set might lack a good key for as long as it is cached.
    ///
    /// - Throws: `reason`, if it is `libraryFailure`.
    init(refused index: Int, keyID: String?, reason: KeyError) throws(KeyError) {
        guard reason.code != .libraryFailure else { throw reason }
        self.init(index: index, keyID: keyID, reason: reason)
    }

    /// Position, identifier and reason.
    public var description: String {
        "key \(index)\(keyID.map { " (kid: \($0.printableName))" } ?? ""): \(reason)"
    }
}
