// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Identifies a write of an item. Two revisions of an item are equal exactly if nothing was written
/// in between. Do not compare revisions of different items or stores.
public struct ItemRevision: Hashable, Sendable {
    /// The store's own octets.
    public let octets: [UInt8]

    /// For stores: a revision from octets that the store never gives the same item again.
    public init(octets: [UInt8]) { self.octets = octets }
}
