// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a provider's documentation says about its tokens. A preset such as
/// ``IdentityProvider/google(clientIDs:hostedDomains:)`` states these facts, and no program changes
/// them. `IDTokenRules` checks tokens by them.
struct ProviderFacts: Sendable {
    /// The form of `sub`.
    var subject = SubjectRule.text(maximumByteCount: 255)
    /// What the claims about the e-mail address are worth.
    var email = EmailRule.standard
    /// Whether a token without `kid` is rejected even if there is only one key.
    var requiresKeyID = true
    /// Whether `auth_time` must be present, regardless of the request.
    var requiresAuthenticationTime = false
    /// Whether the issuer may be one organization's own. Only then may it control
    /// ``IdentityProvider/authoritativeDomains``.
    var isOrganization = false
    /// The claims that name the requesting client. Each that is present must name an accepted
    /// client.
    var partyClaims = ["azp"]
    /// Claims that every ID token has, each with a text of its list.
    var requiredValues: [String: [String]] = [:]
    /// Claims that occur together in the provider's access tokens and never in its ID tokens; empty
    /// if there are none.
    var accessTokenMark: [String] = []
    /// Whether nothing is known about the provider's access tokens: without a checked nonce, a
    /// client that `client_id`, `cid` or `appid` names must then be accepted, as in `azp`.
    var hasUnknownAccessTokens = false
}
