// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A verified ID token's claims about a person's e-mail address, and what they are worth.
///
/// Only a verifier (`VerifiedIdentity.email` in SignetIdentity), or the server that has asked for a
/// confirmation (`SupabaseAuth.emailClaims(of:)` in SignetSupabase), makes claims: a string from a
/// form cannot replace them.
public struct EmailClaims: Sendable, Hashable {
    /// How much the provider vouches for, by the rules of that provider.
    public enum Evidence: Sendable, Hashable {
        /// Nothing: the address is unverified input.
        case none
        /// The person controls the address.
        case verifiedAddress
        /// The account belongs to the organisation with this domain, which is stronger than the
        /// address (Google's `hd`).
        case organization(domain: String)
    }

    /// The address as in the token; not parsed yet.
    public let address: String?
    /// How much the provider vouches for.
    public let evidence: Evidence
    /// The provider says that the address forwards to a hidden address (Apple's "Hide My Email").
    public let isPrivateRelay: Bool

    package init(address: String?, evidence: Evidence, isPrivateRelay: Bool) {
        self.address = address
        self.evidence = evidence
        self.isPrivateRelay = isPrivateRelay
    }
}
