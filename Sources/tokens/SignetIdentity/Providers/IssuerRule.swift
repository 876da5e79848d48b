// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The `iss` that a provider writes.
enum IssuerRule: Sendable {
    /// Any issuer of this list, byte for byte. Users are stored under the first.
    case anyOf([String])
    /// Made from the tenant of the token.
    case entra(EntraIssuer)

    /// The issuer in logs, and in stored users unless it depends on the token.
    var canonical: String {
        switch self {
        case .anyOf(let issuers): issuers.first ?? ""
        case .entra(let rule): rule.canonicalIssuer
        }
    }

    /// Every `iss` that is accepted, if they can be listed; nil for a template.
    var listedIssuers: [String]? {
        switch self {
        case .anyOf(let issuers): issuers
        case .entra(let rule): rule.listedIssuers
        }
    }

    /// Whether this `iss` alone allows the token to be the provider's.
    func accepts(_ issuer: ReceivedText) -> Bool {
        switch self {
        case .anyOf(let issuers): issuer.isOne(of: issuers)
        case .entra(let rule): rule.tenantNamed(by: issuer).map(rule.tenants.accepts) ?? false
        }
    }

    /// Whether the two rules accept any issuer in common.
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
        // EntraIssuer checks the issuer together with the tenant.
        case .entra: .notChecked
        }
    }
}
