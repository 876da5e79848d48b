// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How much a read proves. Documentation/VAULT-FORMAT.md says what each level catches.
public enum ReadLevel: Hashable, Sendable {
    /// Proves the answer against the authenticated state: that the item is the newest or absent,
    /// and that a list is complete. The default.
    case strict
    /// Unproven, to save what is left of a damaged vault: the row is authentic and is the requested
    /// item's. **Not** detected: that it is outdated, or that a row was deleted.
    case lazy
}
