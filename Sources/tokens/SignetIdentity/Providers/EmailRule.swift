// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetJOSE

/// How far to trust a provider's claims about an e-mail address. `IDTokenRules` and ``UserInfo``
/// read the address by it: by `.standard`, `{"email":"ann@company.example","email_verified":true}`
/// is the address with the evidence `.verifiedAddress`, and with `false` it has none. The evidence
/// `.organization` names the domain of the person's organisation.
enum EmailRule: Sendable {
    /// `email_verified` is true, or the text "true", as LinkedIn, Azure B2C and Cognito's mapped
    /// attributes have it.
    case standard
    /// Like ``standard``, but only for addresses that Google controls: at gmail.com, and in
    /// accounts of a Workspace domain.
    case google
    /// Like ``standard``, and the address may be a relay.
    case apple
    /// `xms_edov` is true: the domain's owner has proved ownership. Without it, `email` is whatever
    /// an administrator of any tenant typed.
    case entra
    /// Never: the address may be unconfirmed, and the token does not say.
    case unverified

    /// Reads the claims. They are evidence: unreadable claims count as absent and reject nothing.
    ///
    /// - Parameters:
    ///   - hostedDomain: `hd`, the domain of a Google Workspace.
    ///   - authoritative: the domains that the issuer controls. Its word is enough for addresses
    ///     there, unless the token denies it.
    func readEmail(
        _ claims: ClaimReader, hostedDomain: ReceivedText?, authoritative: [String]
    ) -> EmailClaims {
        var address = claims.shownText("email")
        if address?.isEmpty == true { address = nil }
        let domain = address.flatMap(Self.domain)
        var evidence = ownEvidence(in: claims, domain: domain, hostedDomain: hostedDomain)
        let isOfIssuer = domain?.isOne(of: authoritative) == true
        if evidence == .none, isOfIssuer, !deniesAddress(claims) { evidence = .verifiedAddress }
        return EmailClaims(
            address: address?.swiftString(), evidence: address == nil ? .none : evidence,
            isPrivateRelay: isPrivateRelay(claims, domain: domain))
    }

    /// What the provider's own claims prove about the address.
    private func ownEvidence(
        in claims: ClaimReader, domain: ReceivedText?, hostedDomain: ReceivedText?
    ) -> EmailClaims.Evidence {
        switch self {
        // `saysYes` takes `true`, and a text or a number that is listed: "true" by default.
        case .standard, .apple:
            return claims.saysYes("email_verified") ? .verifiedAddress : .none
        case .google:
            guard claims.saysYes("email_verified") else { return .none }
            if let hostedDomain {
                return .organization(domain: hostedDomain.lowercasedASCII.swiftString())
            }
            return domain?.isEqual(to: "gmail.com") == true ? .verifiedAddress : .none
        case .entra:
            return claims.saysYes("xms_edov", or: ["1", "true"]) ? .verifiedAddress : .none
        case .unverified: return .none
        }
    }

    /// Whether Apple forwards mail for the address, which hides the person's own.
    private func isPrivateRelay(_ claims: ClaimReader, domain: ReceivedText?) -> Bool {
        guard case .apple = self else { return false }
        return claims.saysYes("is_private_email")
            || domain?.isEqual(to: "privaterelay.appleid.com") == true
    }

    /// Whether the token itself says that its issuer does not vouch for the address. Entra's guests
    /// (`acct` is 1, or `idp` names their origin) have addresses of another tenant.
    private func deniesAddress(_ claims: ClaimReader) -> Bool {
        guard case .entra = self else {
            return claims.member("email_verified") != nil && !claims.saysYes("email_verified")
        }
        return claims.member("xms_edov") != nil || claims.member("idp") != nil
            || claims.saysYes("acct", or: ["1"])
    }

    /// The text after the only "@", in lower case; nil unless there is exactly one. Signet reads no
    /// more of an address here.
    private static func domain(_ address: ReceivedText) -> ReceivedText? {
        let parts = address.lowercasedASCII.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, let last = parts.last else { return nil }
        return ReceivedText(utf8: last)
    }
}
