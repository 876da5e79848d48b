// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How much a read proves. Documentation/VAULT-FORMAT.md says what each level catches.
public enum ReadLevel: Hashable, Sendable {
    /// Strict for every "absent" and, up to 1000 items, for lists; lazy otherwise. Vaults of up to 10 000 items are verified when
    /// they are unlocked.
    case automatic
    /// The row is authentic and is the one asked for. Not noticed: that it is an older one, or was deleted.
    case lazy
    /// Lazy, and the answer is proved against the authenticated state, "absent" included.
    case strict
    /// The whole vault is verified first. Takes time in proportion to its size.
    case verify
}
