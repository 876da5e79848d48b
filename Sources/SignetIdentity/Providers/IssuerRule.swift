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

    var policy: TokenPolicy.IssuerRule {
        switch self {
        case .anyOf(let issuers): .anyOf(issuers)
        // Looked at with the tenant, by EntraIssuer.
        case .entra: .notChecked
        }
    }
}
