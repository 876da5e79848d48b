// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A domain whose addresses are allowed, with or without the domains below it.
///
/// A string literal is one domain alone: `["company.example",
/// .includeSubdomains("partner.example")]`. Write the domain in ASCII and without an '@'; the
/// policy checks it.
public enum EmailDomainRule: Sendable, Hashable, ExpressibleByStringLiteral {
    /// `user@company.example`, not `user@mail.company.example`.
    case exact(String)
    /// Both. Anyone who can create a name below the domain can create an allowed address. Nothing
    /// is allowed below a public suffix under the domain (for example, one for its customers).
    case includeSubdomains(String)
    /// `user@mail.company.example`, not `user@company.example`: `*.company.example` in a list. What
    /// ``includeSubdomains(_:)`` says of names below the domain holds here too.
    case onlySubdomains(String)

    /// A literal is one domain alone.
    public init(stringLiteral value: String) { self = .exact(value) }
}
