// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Which writing of an item this is. Two revisions of one item are equal exactly when nothing was
/// written between. It means nothing across items or stores.
public struct ItemRevision: Hashable, Sendable {
    /// What the store made it of.
    public let octets: [UInt8]

    /// A revision from octets that the store never gives the same item again: for stores.
    public init(octets: [UInt8]) { self.octets = octets }
}
