// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The issuers of Microsoft Entra, which contain the tenant. `iss`, `tid` and the key's own
/// `issuer` must name the same tenant.
struct EntraIssuer: Sendable {
    /// Stands for the tenant in the `issuer` of a key that all tenants share.
    private static let placeholder = "{tenantid}"

    let tenants: EntraTenants
    /// Whether tokens of the older endpoint (`https://sts.windows.net/…/`) are accepted too.
    let acceptsVersion1: Bool
    /// Nil for Entra External ID, whose host is the tenant's own.
    let cloud: EntraCloud?

    /// - Throws: `contradiction` for version 1 of a national cloud.
    init(
        tenants: EntraTenants, acceptsVersion1: Bool = false, cloud: EntraCloud?
    ) throws(IdentityConfigurationError) {
        guard !acceptsVersion1 || cloud == .global else {
            throw IdentityConfigurationError(
                .contradiction, "Tokens of version 1 are accepted only from the global cloud.")
        }
        self.tenants = tenants
        self.acceptsVersion1 = acceptsVersion1
        self.cloud = cloud
    }

    var label: String { version2(tenants.single ?? (cloud == nil ? "" : "common")) }

    /// The address of the keys.
    var keysAddress: String {
        let tenant = tenants.single ?? (cloud == nil ? "" : "common")
        return "https://\(host(tenant))/\(tenant)/discovery/v2.0/keys"
    }

    /// The tenants' code flow. For several tenants, the issuer in the metadata is a template.
    func codeFlow() throws(IdentityConfigurationError) -> CodeFlow {
        let tenant = tenants.single
        let shared =
            tenants.accepts(EntraTenants.personalAccountsTenantID) ? "common" : "organizations"
        let address = version2(tenant ?? shared) + "/.well-known/openid-configuration"
        return CodeFlow(
            endpoints: .discovered(
                at: try EndpointURL(address), issuers: [version2(tenant ?? Self.placeholder)]))
    }

    private func host(_ tenant: String) -> String { cloud?.host ?? "\(tenant).ciamlogin.com" }

    /// The issuer of version 2 tokens, under which users are stored.
    func version2(_ tenant: String) -> String {
        "https://\(host(tenant))/\(tenant)/v2.0"
    }

    /// Every `iss` that is accepted, if the tenants are listed.
    var listed: [String]? {
        guard case .anyOf(let tenants) = tenants.rule else { return nil }
        return tenants.flatMap { acceptsVersion1 ? [version2($0), version1($0)] : [version2($0)] }
    }

    func version1(_ tenant: String) -> String { "https://sts.windows.net/\(tenant)/" }

    /// Checks `iss`, `tid` and the key's issuer against each other and against the accepted
    /// tenants; returns the tenant.
    func tenant(
        issuer: ReceivedText, tenantID: ReceivedText?, keyIssuer: ReceivedText?
    ) throws(IdentityError) -> String {
        // A GUID has 36 characters, so the tenant's place in a valid issuer is known.
        guard let own = tenant(of: issuer) else {
            throw IdentityError(.issuer, claim: "iss", "The token is from another issuer.")
        }
        guard let tenantID else { throw Self.refused("The claim \"tid\" is missing.") }
        guard tenantID.isEqual(to: own) else {
            throw Self.refused("The claims \"tid\" and \"iss\" name different tenants.")
        }
        guard tenants.accepts(own) else {
            throw Self.refused("The tenant is not accepted.")
        }
        if let keyIssuer {
            let meant = Self.filled(keyIssuer, tenant: own)
            guard meant.isEqual(to: version2(own)) || meant.isEqual(to: version1(own)) else {
                throw Self.refused("The key and the token belong to different tenants.")
            }
        }
        return own
    }

    /// The tenant that an issuer of this form names.
    func tenant(of issuer: ReceivedText) -> String? {
        let candidates = acceptsVersion1 ? [version2, version1] : [version2]
        let octets = Array(issuer.utf8)
        for make in candidates {
            let start = Array(make("").utf8).firstDifference(from: octets)
            guard octets.count >= start + 36 else { continue }
            let tenant = octets[start..<(start + 36)]
            guard Identifier.isGUID(tenant) else { continue }
            let own = ReceivedText(utf8: tenant).swiftString()
            if issuer.isEqual(to: make(own)) { return own }
        }
        return nil
    }

    /// The template with the tenant filled in at every placeholder: External ID has two.
    private static func filled(_ template: ReceivedText, tenant: String) -> ReceivedText {
        let wanted = Array(placeholder.utf8)
        var rest = Array(template.utf8)[...]
        var filled = [UInt8]()
        while let first = rest.first {
            if rest.starts(with: wanted) {
                filled += Array(tenant.utf8)
                rest = rest.dropFirst(wanted.count)
            } else {
                filled.append(first)
                rest = rest.dropFirst()
            }
        }
        return ReceivedText(utf8: filled[...])
    }

    private static func refused(_ message: ErrorMessage) -> IdentityError {
        IdentityError(.tenant, claim: "tid", message)
    }
}

extension [UInt8] {
    fileprivate func firstDifference(from other: [UInt8]) -> Int {
        var place = 0
        while place < Swift.min(count, other.count), self[place] == other[place] { place += 1 }
        return place
    }
}
