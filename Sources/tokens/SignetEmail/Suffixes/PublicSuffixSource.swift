// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Knows the domains under which anyone can register a name: `co.uk`, `github.io`. No company owns
/// a public suffix.
///
/// In this module: ``BuiltInPublicSuffixes`` (a few well-known suffixes) and ``PublicSuffixList``
/// (the published list, which you bring).
public protocol PublicSuffixSource: Sendable {
    /// Whether this very domain is a public suffix, of either section of the published list.
    func isPublicSuffix(_ domain: EmailDomain) -> Bool
}
