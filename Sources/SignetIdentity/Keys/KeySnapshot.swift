// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The keys of an issuer as they were fetched at one moment. Immutable.
public struct KeySnapshot: Sendable {
    /// One reference, which costs less to hand out than what is in it.
    private final class Contents: Sendable {
        let keys: KeySet
        let generation: UInt64
        let issuers: ReceivedTextTable<ReceivedText>

        init(keys: KeySet, generation: UInt64, issuers: ReceivedTextTable<ReceivedText>) {
            self.keys = keys
            self.generation = generation
            self.issuers = issuers
        }
    }

    private let contents: Contents

    package init(keys: KeySet, generation: UInt64, issuers: ReceivedTextTable<ReceivedText>) {
        contents = Contents(keys: keys, generation: generation, issuers: issuers)
    }

    /// The usable keys, and those that were skipped, with the reason.
    public var keys: KeySet { contents.keys }

    /// Counts the different sets of its ``RemoteKeySet``, from 1: a refresh that brings the same keys again keeps the number. What was
    /// prepared for one generation fits as long as the number is the same.
    public var generation: UInt64 { contents.generation }

    /// The `issuer` member of each key that has one, by `kid` (Microsoft Entra publishes it). Where it is no string, or two members with one
    /// `kid` name different ones, it is empty, which equals no issuer.
    package var issuers: ReceivedTextTable<ReceivedText> { contents.issuers }
}
