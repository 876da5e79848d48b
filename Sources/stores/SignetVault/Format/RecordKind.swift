// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The kind of a sealed record. It is part of the associated data, so no record passes for a record
/// of another kind.
package enum RecordKind: UInt8, Sendable, CaseIterable {
    /// An item's names, details and times.
    case meta = 1
    /// An item's secret.
    case value = 2
    /// A key of the ring.
    case ring = 3
    /// The sums over the whole vault.
    case state = 4
    /// The sums over a bucket of items.
    case bucket = 5
    /// The root key, sealed for an unlock method.
    case slot = 6

    /// The record's name in messages.
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
