// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Which `iss` a provider writes.
enum IssuerRule: Sendable {
    /// One of these, byte for byte. The first is the one that users are stored under.
    case anyOf([String])
    /// Made from the tenant of the token.
    case entra(EntraIssuer)

    /// How logs name it, and how users are stored under it where it does not depend on the token.
    var canonical: String {
        switch self {
        case .anyOf(let issuers): issuers.first ?? ""
        case .entra(let rule): rule.label
        }
    }

    /// Whether tokens of this issuer may be the provider's, by `iss` alone.
    func accepts(_ issuer: ReceivedText) -> Bool {
        switch self {
        case .anyOf(let issuers): issuer.isOne(of: issuers)
        case .entra(let rule): rule.tenant(of: issuer).map(rule.tenants.accepts) ?? false
        }
    }

    /// Whether some issuer's tokens may be those of both.
    func overlaps(_ other: IssuerRule) -> Bool {
        switch (self, other) {
        case (.anyOf(let issuers), _): issuers.contains { other.accepts(ReceivedText($0)) }
        case (_, .anyOf(let issuers)): issuers.contains { accepts(ReceivedText($0)) }
        case (.entra(let a), .entra(let b)): a.cloud == b.cloud && a.tenants.overlaps(b.tenants)
        }
    }

    var policy: TokenPolicy.IssuerRule {
        switch self {
        case .anyOf(let issuers): .anyOf(issuers)
        // Looked at with the tenant, by EntraIssuer.
        case .entra: .notChecked
        }
    }
}
