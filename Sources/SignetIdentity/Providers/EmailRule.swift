// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetJOSE

/// What a provider's claims about an e-mail address are worth.
enum EmailRule: Sendable {
    /// `email_verified` is true.
    case standard
    /// As standard, and only where Google is in charge: its own addresses, and accounts of a Workspace domain.
    case google
    /// As standard, in either way of writing it; and the address may be one that forwards.
    case apple
    /// `xms_edov` is true: the owner of the domain has proved it. `email` alone is what an administrator of any tenant typed.
    case entra
    /// Nothing: the address may never have been confirmed, and the token does not say.
    case unverified

    func claims(_ claims: ClaimReader, hostedDomain: ReceivedText?) throws(IdentityError) -> EmailClaims {
        let written = try claims.text("email")
        let address = written.flatMap { $0.isEmpty ? nil : $0 }
        let domain = address.flatMap(Self.domain)
        var evidence = EmailClaims.Evidence.none
        var isPrivateRelay = false
        switch self {
        case .standard:
            if try claims.bool("email_verified") == true { evidence = .verifiedAddress }
        case .google:
            if try claims.bool("email_verified") == true {
                if let hostedDomain {
                    evidence = .organization(domain: hostedDomain.lowercasedASCII.swiftString())
                } else if domain?.isEqual(to: "gmail.com") == true {
                    evidence = .verifiedAddress
                }
            }
        case .apple:
            if try claims.bool("email_verified", true: ["true"], false: ["false"]) == true {
                evidence = .verifiedAddress
            }
            isPrivateRelay =
                try claims.bool("is_private_email", true: ["true"], false: ["false"]) == true
                || domain?.isEqual(to: "privaterelay.appleid.com") == true
        case .entra:
            if try claims.bool("xms_edov", true: ["1", "true"], false: ["0", "false"]) == true {
                evidence = .verifiedAddress
            }
        case .unverified:
            break
        }
        return EmailClaims(
            address: address?.swiftString(), evidence: address == nil ? .none : evidence,
            isPrivateRelay: isPrivateRelay)
    }

    /// What stands behind the only "@", in lower case; nil where there is none or more than one. No more of an address is read here.
    private static func domain(_ address: ReceivedText) -> ReceivedText? {
        let parts = address.lowercasedASCII.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, let last = parts.last else { return nil }
        return ReceivedText(utf8: last)
    }
}
