// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The result of a migration. Every item of the source is counted once in the first five counts.
public struct MigrationReport: Sendable, Hashable {
    /// Items that the destination did not have, and that were written.
    public internal(set) var added = 0
    /// Items of the destination that were replaced by the source's.
    public internal(set) var replaced = 0
    /// Items that the destination already had with the same value and details.
    public internal(set) var alreadyThere = 0
    /// Items of the destination that differ and were kept.
    public internal(set) var kept = 0
    /// Items that another writer removed from the source while the migration ran.
    public internal(set) var vanished = 0
    /// Items that were removed from the source.
    public internal(set) var removedFromSource = 0
    /// Items left in the source because another writer changed them there during the migration: run
    /// it again.
    public internal(set) var changedInSource = 0

    /// An empty report.
    public init() {}

    /// Items of the source that were examined.
    public var total: Int { added + replaced + alreadyThere + kept + vanished }
}
