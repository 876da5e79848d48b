// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A change to a store.
public enum StoreChange: Sendable, Hashable {
    /// An item was added or replaced.
    case set(ItemKey)
    /// An item was removed.
    case removed(ItemKey)
    /// The items of a service were removed, and how many.
    case cleared(service: String, count: Int)
    /// Another process has written to the store, once or several times. The changed items are not
    /// known: list again, or compare revisions.
    case changedElsewhere
    /// The store was unlocked.
    case unlocked
    /// The store was locked, by a call or after an idle time.
    case locked
}
