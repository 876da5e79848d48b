// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Knows under which domains anybody can get a name: `co.uk`, `github.io`. Such a domain is
/// nobody's company.
///
/// In this module: ``BuiltInPublicSuffixes`` (a few well-known ones) and ``PublicSuffixList`` (the
/// published list, which you bring).
public protocol PublicSuffixSource: Sendable {
    /// Whether this very domain is a public suffix, of either section of the published list.
    func isPublicSuffix(_ domain: EmailDomain) -> Bool
}
