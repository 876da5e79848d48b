// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The kind of a sealed record. It is part of the associated data, so none passes for another.
package enum RecordKind: UInt8, Sendable, CaseIterable {
    /// An item's names, details and times.
    case meta = 1
    /// An item's secret.
    case value = 2
    /// A key of the ring.
    case ring = 3
    /// The sums over the whole vault.
    case state = 4
    /// The sums over one bucket of items.
    case bucket = 5
    /// The root key, for one way in.
    case slot = 6

    /// For messages.
    var place: String {
        switch self {
        case .meta: "metadata of an item"
        case .value: "value of an item"
        case .ring: "key ring"
        case .state: "state"
        case .bucket: "bucket"
        case .slot: "key slot"
        }
    }
}
