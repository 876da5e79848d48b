// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The keys of an issuer as they were fetched at one moment. Immutable.
public struct KeySnapshot: Sendable {
    /// The usable keys, and those that were skipped, with the reason.
    public let keys: KeySet
    /// Counts the successful refreshes of its ``RemoteKeySet``, from 1.
    public let generation: UInt64
    /// The `issuer` member of each key that has one, by `kid` (Microsoft Entra publishes it).
    package let issuers: [String: String]

    package init(keys: KeySet, generation: UInt64, issuers: [String: String]) {
        self.keys = keys
        self.generation = generation
        self.issuers = issuers
    }
}
