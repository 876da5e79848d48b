// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A domain whose addresses are allowed, with or without the domains below it.
///
/// A string literal means ``exact(_:)``: `["company.example",
/// .includeSubdomains("partner.example")]`. Write the domain in ASCII and without an '@'; the
/// policy checks it.
public enum EmailDomainRule: Sendable, Hashable, ExpressibleByStringLiteral {
    /// `user@company.example`, not `user@mail.company.example`.
    case exact(String)
    /// `user@company.example` and `user@mail.company.example`. Anyone who can create a name below
    /// the domain can create an allowed address. Nothing is allowed below a public suffix under the
    /// domain (for example, a suffix for the company's customers).
    case includeSubdomains(String)
    /// `user@mail.company.example`, not `user@company.example`: `*.company.example` in a list.
    /// Below the domain, the limit and the warning of ``includeSubdomains(_:)`` hold.
    case onlySubdomains(String)

    /// A literal means ``exact(_:)``.
    public init(stringLiteral value: String) { self = .exact(value) }
}
