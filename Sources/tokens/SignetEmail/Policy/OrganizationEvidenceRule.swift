// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Which domains count if the provider names the account's organisation (``EmailClaims/Evidence``).
public enum OrganizationEvidenceRule: Sendable, Hashable {
    /// The organisation's domain. The address may be at a different domain, because Google
    /// Workspace names the primary domain for all of an organisation's domains: do not treat the
    /// address's domain as allowed. The address must not be at a consumer, disposable or relay
    /// domain: an account there is a guest's.
    case organizationAlone
    /// The organisation's domain and the address's: rules must name each of the two.
    case organizationAndAddress
}
