// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a store has beyond the contract of every `SecureStore`.
public struct StoreFeatures: OptionSet, Sendable, Hashable {
    /// The set's bits.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Keeps the times that `NewItem` brings, to the millisecond.
    public static let exactTimes = StoreFeatures(rawValue: 1)
    /// Writes a batch wholly or not at all.
    public static let atomicBatches = StoreFeatures(rawValue: 2)
    /// Answers `locked` after `lock()`. The check needs to know how it is unlocked.
    public static let locking = StoreFeatures(rawValue: 4)
    /// Replaces atomically also when many write at once.
    public static let concurrentUpdates = StoreFeatures(rawValue: 8)

    /// What `FileVault` and `InMemoryStore` have.
    public static let all: StoreFeatures = [
        .exactTimes, .atomicBatches, .locking, .concurrentUpdates,
    ]
}
