// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The items that a salvage saved, and the losses.
public struct SalvageReport: Sendable, Hashable {
    /// Items in the new vault. Each is authentic, but not proved to be the newest.
    public internal(set) var savedCount = 0
    /// The items that were not saved, and the other unreadable parts of the damaged vault.
    public internal(set) var losses: [VaultReport.Finding] = []
    /// The generation of the damaged vault; nil if its state is unreadable.
    public internal(set) var generation: UInt64?
    /// The generation that the anchor has noted; nil without an anchor.
    public internal(set) var anchoredGeneration: UInt64?

    /// Whether the damaged vault is an older copy by its anchor; nil if unknown.
    public var isOlderThanAnchor: Bool? {
        guard let generation, let anchoredGeneration else { return nil }
        return generation < anchoredGeneration
    }

    mutating func lose(
        _ place: String, problem: ErrorMessage, id: [UInt8] = [], item: ItemKey? = nil
    ) {
        losses.add(place, id: id, item: item, problem: problem)
    }
}
