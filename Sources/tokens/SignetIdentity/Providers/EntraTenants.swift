// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Which tenants of Microsoft Entra may sign in.
public struct EntraTenants: Sendable, Hashable {
    enum Rule: Sendable, Hashable {
        case anyOf([String])
        case anyOrganization
        case anyone
    }

    /// The tenant of personal Microsoft accounts.
    public static let personalAccountsTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    let rule: Rule

    /// These tenants, by their identifiers (GUIDs).
    ///
    /// - Throws: `invalidIdentifier` if the list is empty or an entry is not a GUID. Domain names
    ///   are rejected because they can move to another tenant.
    public static func only(_ tenantIDs: String...) throws(IdentityConfigurationError)
        -> EntraTenants
    {
        try only(tenantIDs)
    }

    /// These tenants, by their identifiers (GUIDs).
    ///
    /// - Throws: `invalidIdentifier` if the list is empty or an entry is not a GUID.
    public static func only(_ tenantIDs: [String]) throws(IdentityConfigurationError)
        -> EntraTenants
    {
        guard !tenantIDs.isEmpty else { throw Identifier.invalid("The list of tenants is empty.") }
        var checked = [String]()
        for tenantID in tenantIDs {
            checked.append(try Identifier.guid(tenantID, as: "tenant identifier"))
        }
        return EntraTenants(rule: .anyOf(checked))
    }

    /// Any organization in the world, but no personal account. Anyone can create a tenant, so your
    /// program must decide who may sign in.
    public static let anyOrganization = EntraTenants(rule: .anyOrganization)

    /// Anyone with a Microsoft account, of an organization or personal.
    public static let anyone = EntraTenants(rule: .anyone)

    /// Personal accounts only.
    public static let personalAccounts = EntraTenants(rule: .anyOf([personalAccountsTenantID]))

    /// The tenant, if the rule lists only one.
    var single: String? {
        guard case .anyOf(let tenants) = rule, tenants.count == 1 else { return nil }
        return tenants.first
    }

    /// Whether the two rules accept any tenant in common.
    func overlaps(_ other: EntraTenants) -> Bool {
        switch (rule, other.rule) {
        case (.anyOf(let tenants), _): tenants.contains(where: other.accepts)
        case (_, .anyOf(let tenants)): tenants.contains(where: accepts)
        default: true
        }
    }

    /// Whether a tenant (a GUID in lower case) may sign in.
    func accepts(_ tenantID: String) -> Bool {
        switch rule {
        case .anyOf(let tenants): tenants.contains(tenantID)
        case .anyOrganization: tenantID != Self.personalAccountsTenantID
        case .anyone: true
        }
    }
}
