// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a verified ID token says about a person's e-mail address, and what that is worth.
///
/// Only a verifier makes one (`VerifiedIdentity.email` in SignetIdentity), or the server that has
/// asked for a confirmation (`SupabaseAuth.emailClaims(of:)` in SignetSupabase): a string from a
/// form cannot take its place.
public struct EmailClaims: Sendable, Hashable {
    /// What the provider vouches for, by the rules of that provider.
    public enum Evidence: Sendable, Hashable {
        /// Nothing: the address is unverified input.
        case none
        /// The person controls the address.
        case verifiedAddress
        /// The account belongs to the organisation with this domain, which says more than the
        /// address (Google's `hd`).
        case organization(domain: String)
    }

    /// The address, as the token has it; not parsed yet.
    public let address: String?
    /// What the provider vouches for.
    public let evidence: Evidence
    /// The provider says that the address forwards to one that it keeps to itself (Apple's "Hide My
    /// Email").
    public let isPrivateRelay: Bool

    package init(address: String?, evidence: Evidence, isPrivateRelay: Bool) {
        self.address = address
        self.evidence = evidence
        self.isPrivateRelay = isPrivateRelay
    }
}
