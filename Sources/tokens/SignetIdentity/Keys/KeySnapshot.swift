// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// An issuer's keys, as one fetch brought them. Immutable.
public struct KeySnapshot: Sendable {
    /// A reference, which is cheaper to copy than the contents.
    private final class Contents: Sendable {
        let published: PublishedKeys

        init(_ published: PublishedKeys) { self.published = published }
    }

    private let contents: Contents

    /// Counts the different sets of its ``RemoteKeySet``, from 1. A refresh that brings the same
    /// keys keeps the number, so anything prepared for a generation stays valid with it.
    public let generation: UInt64

    init(_ published: PublishedKeys, generation: UInt64) {
        contents = Contents(published)
        self.generation = generation
    }

    /// The usable keys, and the skipped members with reasons.
    public var keys: KeySet { contents.published.keys }

    /// The `issuer` member of each key that has one, by `kid` (Microsoft Entra publishes it). An
    /// issuer is empty, which equals no issuer, if the member is not a string or two members with
    /// the same `kid` disagree.
    package var issuers: [ReceivedText.Key: ReceivedText] { contents.published.issuers }
}
