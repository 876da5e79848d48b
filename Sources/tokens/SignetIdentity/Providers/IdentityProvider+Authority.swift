// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension IdentityProvider {
    /// - Throws: `contradiction` if people outside one organization can have accounts.
    func checkAuthority() throws(IdentityConfigurationError) {
        guard !authoritativeDomains.isEmpty || !authoritativeDomainsOfTenants.isEmpty else {
            return
        }
        _ = try Identifier.domains(authoritativeDomains)
        for domains in authoritativeDomainsOfTenants.values { _ = try Identifier.domains(domains) }
        switch issuer {
        case .anyOf(let issuers):
            guard facts.isOrganization, issuers.count == 1 else { throw Self.noAuthority }
            // Only Entra has tenants.
            guard authoritativeDomainsOfTenants.isEmpty else { throw Self.noAuthority }
        case .entra(let rule): try checkAuthority(ofTenantsOf: rule)
        }
    }

    private func checkAuthority(ofTenantsOf rule: EntraIssuer) throws(IdentityConfigurationError) {
        guard case .anyOf(let tenants) = rule.tenants.rule else { throw Self.noAuthority }
        let personal = EntraTenants.personalAccountsTenantID
        guard !tenants.contains(personal) else { throw Self.noAuthority }
        // Without a cloud it is Entra External ID, whose people are an application's customers.
        guard rule.cloud != nil else { throw Self.noAuthority }
        let named = Set(authoritativeDomainsOfTenants.keys)
        guard named.isSubset(of: tenants) else { throw Self.noAuthority }
        guard authoritativeDomains.isEmpty || tenants.count == 1 else {
            throw IdentityConfigurationError(
                .contradiction,
                "With several tenants each has its own domains: authoritativeDomainsOfTenants.")
        }
    }

    /// The domains that the issuer or its tenant controls, in lower case.
    func authoritativeDomains(ofTenant tenant: String?) -> [String] {
        let own = tenant.flatMap { authoritativeDomainsOfTenants[$0] } ?? []
        return (authoritativeDomains + own).map(\.lowercasedASCII)
    }

    private static var noAuthority: IdentityConfigurationError {
        IdentityConfigurationError(
            .contradiction,
            "Only an organization's own issuer, or a named tenant of Entra, controls domains: "
                + "anyone can have an account here.")
    }
}
