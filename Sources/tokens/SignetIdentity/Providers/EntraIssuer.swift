// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The issuers of Microsoft Entra, which contain the *tenant*: an organization in Entra, or all
/// personal accounts, named by a GUID. `iss`, `tid` and the key's own `issuer` must name the same
/// tenant.
///
/// | Tokens | `iss` |
/// |---|---|
/// | version 2 | `https://login.microsoftonline.com/TENANT/v2.0` |
/// | version 2 of a national cloud | `https://login.microsoftonline.us/TENANT/v2.0` |
/// | version 2 of Entra External ID | `https://TENANT.ciamlogin.com/TENANT/v2.0` |
/// | version 1 | `https://sts.windows.net/TENANT/` |
struct EntraIssuer: Sendable {
    /// Stands for the tenant in the `issuer` of a key that all tenants share.
    private static let placeholder = "{tenantid}"

    private static let version1Prefix = "https://sts.windows.net/"

    let tenants: EntraTenants
    /// Whether tokens of version 1 (`https://sts.windows.net/…/`) are accepted too.
    let acceptsVersion1: Bool
    /// The cloud, which decides the host. Nil for Entra External ID, whose host is the tenant's
    /// own.
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

    /// The issuer in logs, and the owner of the keys.
    var canonicalIssuer: String { version2(tenantInAddresses) }

    /// The address of the keys.
    var keysAddress: String {
        "https://\(host(tenantInAddresses))/\(tenantInAddresses)/discovery/v2.0/keys"
    }

    /// "common" has the keys of all tenants. Entra External ID, which has no "common", always has a
    /// single tenant here.
    private var tenantInAddresses: String { tenants.single ?? "common" }

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

    /// The cloud's host, or the tenant's own at Entra External ID.
    private func host(_ tenant: String) -> String { cloud?.host ?? "\(tenant).ciamlogin.com" }

    /// The issuer of version 2 tokens, under which users are stored.
    func version2(_ tenant: String) -> String {
        "https://\(host(tenant))/\(tenant)/v2.0"
    }

    /// The issuer of version 1 tokens.
    private func version1(_ tenant: String) -> String { "\(Self.version1Prefix)\(tenant)/" }

    /// Every `iss` that is accepted, if the tenants are listed.
    var listedIssuers: [String]? {
        guard case .anyOf(let named) = tenants.rule else { return nil }
        return named.flatMap { acceptsVersion1 ? [version2($0), version1($0)] : [version2($0)] }
    }

    /// Checks `iss`, `tid` and the key's issuer against each other and against the accepted
    /// tenants; returns the tenant.
    func checkedTenant(
        issuer: ReceivedText, tenantID: ReceivedText?, keyIssuer: ReceivedText?
    ) throws(IdentityError) -> String {
        guard let tenant = tenantNamed(by: issuer) else {
            throw IdentityError(.issuer, claim: "iss", "The token is from another issuer.")
        }
        guard let tenantID else { throw Self.refused("The claim \"tid\" is missing.") }
        guard tenantID.isEqual(to: tenant) else {
            throw Self.refused("The claims \"tid\" and \"iss\" name different tenants.")
        }
        guard tenants.accepts(tenant) else {
            throw Self.refused("The tenant is not accepted.")
        }
        // A key may have no `issuer`: a `KeySet` in hand holds none.
        guard let keyIssuer else { return tenant }
        let issuerOfKey = Self.fill(keyIssuer, with: tenant)
        guard issuerOfKey.isEqual(to: version2(tenant)) || issuerOfKey.isEqual(to: version1(tenant))
        else {
            throw Self.refused("The key and the token belong to different tenants.")
        }
        return tenant
    }

    /// The tenant that `iss` names; nil if it is no issuer of an accepted version.
    func tenantNamed(by issuer: ReceivedText) -> String? {
        // The host of Entra External ID begins with the tenant.
        let version2Prefix = cloud.map { "https://\($0.host)/" } ?? "https://"
        if let tenant = Self.guid(in: issuer, after: version2Prefix),
            issuer.isEqual(to: version2(tenant))
        {
            return tenant
        }
        if acceptsVersion1, let tenant = Self.guid(in: issuer, after: Self.version1Prefix),
            issuer.isEqual(to: version1(tenant))
        {
            return tenant
        }
        return nil
    }

    /// The GUID that stands right after `prefix`; nil if there is none.
    private static func guid(in issuer: ReceivedText, after prefix: String) -> String? {
        guard issuer.utf8.starts(with: prefix.utf8) else { return nil }
        let text = issuer.utf8.dropFirst(prefix.utf8.count).prefix(Identifier.guidByteCount)
        return Identifier.isGUID(text) ? ReceivedText(utf8: text).swiftString() : nil
    }

    /// The template with the tenant in place of every `{tenantid}`. External ID's template has two.
    private static func fill(_ template: ReceivedText, with tenant: String) -> ReceivedText {
        let marker = Array(placeholder.utf8)
        var rest = Array(template.utf8)[...]
        var filled = [UInt8]()
        while let first = rest.first {
            if rest.starts(with: marker) {
                filled += Array(tenant.utf8)
                rest = rest.dropFirst(marker.count)
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
