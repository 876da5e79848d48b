// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The keys of an issuer as they were fetched at one moment. Immutable.
public struct KeySnapshot: Sendable {
    /// One reference, which costs less to hand out than what is in it.
    private final class Contents: Sendable {
        let published: PublishedKeys

        init(_ published: PublishedKeys) { self.published = published }
    }

    private let contents: Contents

    /// Counts the different sets of its ``RemoteKeySet``, from 1: a refresh that brings the same
    /// keys again keeps the number. What was prepared for one generation fits as long as the number
    /// is the same.
    public let generation: UInt64

    init(_ published: PublishedKeys, generation: UInt64) {
        contents = Contents(published)
        self.generation = generation
    }

    /// The usable keys, and those that were skipped, with the reason.
    public var keys: KeySet { contents.published.keys }

    /// The `issuer` member of each key that has one, by `kid` (Microsoft Entra publishes it). Where
    /// it is no string, or two members with one `kid` name different ones, it is empty, which
    /// equals no issuer.
    package var issuers: [ReceivedText.Key: ReceivedText] { contents.published.issuers }
}
