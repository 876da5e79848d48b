// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What counts when the provider names the organisation that an account belongs to
/// (``EmailClaims/Evidence``).
public enum OrganizationEvidenceRule: Sendable, Hashable {
    /// The organisation's domain. The address may be at another domain, as those of an organisation
    /// with several are (Google Workspace names the primary domain for all of them): do not take
    /// the address's domain for an allowed one then. Not at a consumer, disposable or relay domain:
    /// such an account is a guest's.
    case organizationAlone
    /// The organisation's domain and the address's: rules must name both.
    case organizationAndAddress
}
