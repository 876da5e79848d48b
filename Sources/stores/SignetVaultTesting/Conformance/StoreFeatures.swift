// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Features that a store may have beyond the contract of every `SecureStore`.
public struct StoreFeatures: OptionSet, Sendable, Hashable {
    /// The set's bits.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Keeps the times that a `NewItem` has, to the millisecond.
    public static let exactTimes = StoreFeatures(rawValue: 1)
    /// Writes all items of a batch or none.
    public static let atomicBatches = StoreFeatures(rawValue: 2)
    /// Throws `locked` after `lock()`. A check needs to be told how to unlock the store.
    public static let locking = StoreFeatures(rawValue: 4)
    /// Replaces atomically even when many callers write at once.
    public static let concurrentUpdates = StoreFeatures(rawValue: 8)

    /// All features, which `FileVault` and `InMemoryStore` have.
    public static let all: StoreFeatures = [
        .exactTimes, .atomicBatches, .locking, .concurrentUpdates,
    ]
}
