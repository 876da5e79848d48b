// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What counts if the provider names the account's organisation (``EmailClaims/Evidence``).
public enum OrganizationEvidenceRule: Sendable, Hashable {
    /// The organisation's domain. The address may be at another domain, because Google Workspace
    /// names the primary domain for all of an organisation's domains: do not treat the address's
    /// domain as an allowed one. It must not be at a consumer, disposable or relay domain: such an
    /// account is a guest's.
    case organizationAlone
    /// The organisation's domain and the address's: rules must name both.
    case organizationAndAddress
}
