// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A domain whose addresses are allowed: this domain alone, or those below it as well.
///
/// A string literal is one domain alone: `["company.example", .includeSubdomains("partner.example")]`. Write the domain
/// in ASCII and without an '@'; it is looked at when the policy is made.
public enum EmailDomainRule: Sendable, Hashable, ExpressibleByStringLiteral {
    /// `user@company.example`, not `user@mail.company.example`.
    case exact(String)
    /// Both: whoever can make a name below the domain can make an address that is allowed. Below a public suffix that
    /// stands under the domain (one for its customers, say) nothing is.
    case includeSubdomains(String)

    /// A literal is one domain alone.
    public init(stringLiteral value: String) { self = .exact(value) }
}
