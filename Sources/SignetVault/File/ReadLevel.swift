// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How much a read proves. Documentation/VAULT-FORMAT.md says what each level catches.
public enum ReadLevel: Hashable, Sendable {
    /// The answer is proved against the authenticated state: that the item is the newest one,
    /// "absent", and that a list is complete. The default.
    case strict
    /// Unproven, for taking out what is left of a damaged vault: the row is authentic and is the
    /// one asked for. Not noticed: that it is an older one, or that a row was deleted.
    case lazy
}
