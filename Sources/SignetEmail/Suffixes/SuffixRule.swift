// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The rules of a list about one name, each by the sections that it stands in.
struct SuffixRule: Sendable {
    /// `name`
    var itself: PublicSuffixList.Sections = []
    /// `*.name`
    var below: PublicSuffixList.Sections = []
    /// `!name`
    var exception: PublicSuffixList.Sections = []
}
