// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A list's rules for a name, each with its sections.
struct SuffixRule: Sendable {
    /// `name`
    var itself: PublicSuffixList.Sections = []
    /// `*.name`
    var below: PublicSuffixList.Sections = []
    /// `!name`
    var exception: PublicSuffixList.Sections = []
}
