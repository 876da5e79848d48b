// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetJOSE

/// Checks an ID token's claims (OpenID Connect Core 3.1.3.7, and the provider's own rules), and
/// makes a ``VerifiedIdentity``: who has signed in.
///
/// The claims `{"iss": "https://idp.example", "sub": "user-7", "azp": "web", "nonce": "n-0S6…"}`
/// become the person "user-7" of that issuer, if "web" is a client of ours and we sent that nonce.
/// The claims in short: `azp` is the client (application) that requested the token, `nonce` repeats
/// a random text of its request, `auth_time` and `acr` say when and how the person signed in, and
/// `hd` is a Google account's organization.
///
/// ``IDTokenVerifier`` has checked the signature, `iss`, `aud` and times before. A `ReceivedText`
/// is a text from outside, which is compared by its bytes; `swiftString()` makes a `String` of it.
struct IDTokenRules: Sendable {
    let provider: IdentityProvider
    /// The part of the rules that is about `iss`, `aud`, times and required claims.
    let policy: TokenPolicy

    /// What the token must match.
    struct Request {
        let nonce: NonceExpectation
        /// Came with the token; its hash is then in `at_hash`.
        let accessToken: String?
        /// Came with the token; its hash is then in `c_hash`.
        let code: String?
        /// How long ago the person may have signed in; nil for any time.
        let maximumAuthenticationAge: Duration?
        /// The accepted values of `acr`; empty for any.
        let authenticationContexts: [String]
    }

    init(
        _ provider: IdentityProvider, options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        try provider.validate()
        self.provider = provider
        policy = try options.policy(
            issuer: provider.issuer.policy, audiences: provider.clientIDs, type: .jwt,
            requiredClaims: ["iat"] + provider.requiredClaims)
    }

    /// Checks a token whose signature has been verified. Reports the first failure, in a fixed
    /// order.
    func identity(
        _ verified: RemoteTokenVerifier.Verified, for request: Request
    ) throws(IdentityError) -> VerifiedIdentity {
        let registered = verified.token.registered
        let claims = ClaimReader(root: registered.root)
        try requireIDToken(claims)
        try refuseOtherClients(claims, nonce: request.nonce)
        let tenantID = isEntra ? try claims.text("tid") : nil
        let key = try checkedIdentityKey(
            registered, claims: claims, tenantID: tenantID, keyIssuer: verified.keyIssuer)
        let authorizedParty = try checkedParty(registered, claims: claims)
        let (issuedAt, expiration) = try checkedTimes(registered)
        try request.nonce.check(
            claims.text("nonce"), allowsUnsolicited: provider.allowsUnsolicitedNonce)
        try checkHashes(claims, for: request, algorithm: verified.token.header.algorithm)
        let authenticationTime = try checkedAuthenticationTime(
            claims, maximumAge: request.maximumAuthenticationAge)
        let context = try checkedContext(claims, accepted: request.authenticationContexts)
        let hostedDomain = try checkedHostedDomain(claims)
        try claims.requireValues(provider.facts.requiredValues)
        try claims.requireValues(provider.acceptedValues)
        let email = try checkedEmail(claims, hostedDomain: hostedDomain, tenantID: tenantID)
        // Neither `iss` nor `sub` is nil: both have been checked.
        let identity = VerifiedIdentity(
            identityKey: key, issuer: registered.issuer ?? "", subject: registered.subject ?? "",
            audience: registered.audience, authorizedParty: authorizedParty, issuedAt: issuedAt,
            expiration: expiration, authenticationTime: authenticationTime,
            authenticationContext: context,
            sessionID: claims.shownText("sid")?.swiftString(), keyID: verified.token.keyID,
            name: claims.shownText("name")?.swiftString(),
            picture: claims.shownText("picture")?.swiftString(),
            hostedDomain: hostedDomain?.swiftString(),
            tenantID: tenantID?.swiftString(), email: email, idTokenHint: verified.compact,
            registered: registered)
        // The program's own check.
        try provider.check?(identity)
        return identity
    }

    /// Whether the provider is Microsoft Entra, whose tenants (organizations) share keys.
    var isEntra: Bool { if case .entra = provider.issuer { true } else { false } }

    /// The key that people are stored under: issuer and `sub`, at Entra tenant and `oid`. Checks
    /// `sub` in either case.
    private func checkedIdentityKey(
        _ registered: RegisteredClaims, claims: ClaimReader, tenantID: ReceivedText?,
        keyIssuer: ReceivedText?
    ) throws(IdentityError) -> IdentityKey {
        var entraKey: IdentityKey?
        if case .entra(let rule) = provider.issuer {
            guard let issuer = registered.issuerText else {
                throw IdentityError(.issuer, claim: "iss", "The claim \"iss\" is missing.")
            }
            let tenant = try rule.checkedTenant(
                issuer: issuer, tenantID: tenantID, keyIssuer: keyIssuer)
            let object = try Self.objectID(claims)
            entraKey = IdentityKey(issuer: rule.version2(tenant), subject: object)
        }
        guard let subject = registered.subjectText, provider.facts.subject.accepts(subject) else {
            throw IdentityError(
                .subject, claim: "sub",
                "The claim \"sub\" is missing or not what this provider writes.")
        }
        return entraKey
            ?? IdentityKey(issuer: provider.issuer.canonical, subject: subject.swiftString())
    }

    /// Entra's identifier of a person within the tenant.
    private static func objectID(_ claims: ClaimReader) throws(IdentityError) -> String {
        guard let object = try claims.text("oid") else {
            throw IdentityError(
                .claimMissing, claim: "oid",
                "The claim \"oid\" is missing: ask for the scope \"profile\".")
        }
        guard Identifier.isGUID(object.utf8) else {
            throw ClaimReader.invalid("oid", message: "is not a GUID")
        }
        return object.swiftString()
    }

    /// Steps 3 to 5 of OpenID Connect Core 3.1.3.7: `aud` holds only trusted audiences; `azp` is
    /// present if the rule requires it, and names an accepted client.
    ///
    /// - Returns: the client that requested the token; nil if the token does not say.
    private func checkedParty(
        _ registered: RegisteredClaims, claims: ClaimReader
    ) throws(IdentityError) -> String? {
        let audience = registered.audienceTexts
        try provider.checkTrust(in: audience)
        var requestingClient: ReceivedText?
        for name in provider.facts.partyClaims {
            guard let party = try claims.text(name) else { continue }
            guard provider.accepts(party: party) else {
                throw IdentityError(
                    .azp, claim: name, "The client that requested the token is not accepted.")
            }
            requestingClient = requestingClient ?? party
        }
        if requestingClient == nil, provider.authorizedPartyRule.asksForParty(of: audience) {
            throw IdentityError(
                .azp, claim: "azp", "The token does not say which client requested it (\"azp\").")
        }
        return requestingClient?.swiftString()
    }

    /// `iat` and `exp`, which must not be further apart than the provider's rule says.
    private func checkedTimes(
        _ registered: RegisteredClaims
    ) throws(IdentityError) -> (issuedAt: NumericDate, expiration: NumericDate) {
        // Cannot fail: the policy requires `iat` and `exp`.
        guard let issuedAt = registered.issuedAt, let expiration = registered.expiration else {
            throw IdentityError(.claimMissing, "The token does not say when it begins or ends.")
        }
        let lifetime = expiration.secondsSince1970 - issuedAt.secondsSince1970
        if let maximum = provider.maximumLifetime?.wholeSeconds, lifetime > Double(maximum) {
            throw IdentityError(
                .lifetimeTooLong, claim: "exp",
                "The token is valid for \(Duration.seconds(lifetime)), and this provider's tokens for at most \(maximum) s."
            )
        }
        return (issuedAt, expiration)
    }

    /// Checks that an access token or code from the caller matches its hash claim. A missing claim
    /// fails.
    private func checkHashes(
        _ claims: ClaimReader, for request: Request, algorithm: String
    ) throws(IdentityError) {
        if let accessToken = request.accessToken {
            let hash = try claims.text("at_hash")
            guard let hash, TokenHash.matches(hash, of: accessToken, algorithm: algorithm) else {
                throw IdentityError(
                    .atHash, claim: "at_hash",
                    "The token does not belong to this access token, or does not say so.")
            }
        }
        if let code = request.code {
            let hash = try claims.text("c_hash")
            guard let hash, TokenHash.matches(hash, of: code, algorithm: algorithm) else {
                throw IdentityError(
                    .cHash, claim: "c_hash",
                    "The token does not belong to this code, or does not say so.")
            }
        }
    }

    /// When the person signed in; nil if the token does not say. The time is never in the future.
    /// If the request or the provider asks for it, it is required. It is no longer ago than the
    /// request allows.
    private func checkedAuthenticationTime(
        _ claims: ClaimReader, maximumAge: Duration?
    ) throws(IdentityError) -> NumericDate? {
        let isNeeded = maximumAge != nil || provider.facts.requiresAuthenticationTime
        // A needed claim of a wrong type is an error. Otherwise the claim is only shown.
        let authenticatedAt =
            isNeeded ? try claims.date("auth_time") : claims.shownDate("auth_time")
        guard let time = authenticatedAt else {
            guard !isNeeded else {
                throw Self.authTooOld("The token does not say when the person signed in.")
            }
            return nil
        }
        let age = policy.clock.now().secondsSince1970 - time.secondsSince1970
        guard age >= -policy.leewaySeconds else {
            throw Self.authTooOld("The sign-in lies in the future.")
        }
        if let maximumAge {
            guard maximumAge >= .zero else {
                throw Self.authTooOld("The maximum age of a sign-in is negative: no sign-in fits.")
            }
            let limit = maximumAge.wholeSeconds
            guard age <= Double(limit) + policy.leewaySeconds else {
                throw Self.authTooOld(
                    "The person signed in \(Duration.seconds(age)) ago, and at most \(limit) s are accepted: ask for a new sign-in."
                )
            }
        }
        return time
    }

    private static func authTooOld(_ message: ErrorMessage) -> IdentityError {
        IdentityError(.authTooOld, claim: "auth_time", message)
    }

    /// `acr`, which must be an accepted one if the request names any.
    private func checkedContext(_ claims: ClaimReader, accepted: [String]) throws(IdentityError)
        -> String?
    {
        let context = accepted.isEmpty ? claims.shownText("acr") : try claims.text("acr")
        guard accepted.isEmpty || context?.isOne(of: accepted) == true else {
            throw IdentityError(
                .acr, claim: "acr", "The person did not sign in by an accepted method.")
        }
        return context?.swiftString()
    }

    /// `hd` of a Google account, which must be an accepted domain if the provider's rules name any;
    /// nil from every other provider.
    private func checkedHostedDomain(_ claims: ClaimReader) throws(IdentityError) -> ReceivedText? {
        // Google does not vouch for a claim of this name from another issuer.
        guard case .google = provider.facts.email else { return nil }
        let domain = claims.shownText("hd").flatMap { $0.isEmpty ? nil : $0 }
        guard
            provider.hostedDomains.isEmpty
                || domain?.lowercasedASCII.isOne(of: provider.hostedDomains) == true
        else {
            throw IdentityError(
                .hostedDomain, claim: "hd",
                "The account belongs to none of the accepted Workspace domains.")
        }
        return domain
    }

    /// The e-mail address and what it is worth: at least something, if the program requires that
    /// the provider vouches for it.
    private func checkedEmail(
        _ claims: ClaimReader, hostedDomain: ReceivedText?, tenantID: ReceivedText?
    ) throws(IdentityError) -> EmailClaims {
        let email = provider.facts.email.readEmail(
            claims, hostedDomain: hostedDomain,
            authoritative: provider.authoritativeDomains(ofTenant: tenantID?.swiftString()))
        if provider.requiresVerifiedEmail, email.evidence == .none {
            throw IdentityError(
                .emailUnverified, claim: "email",
                "The provider does not vouch for an e-mail address.")
        }
        return email
    }
}

extension TokenVerificationOptions {
    /// The policy for the registered claims: these options' limits, with an issuer's rules.
    ///
    /// - Parameter audiences: nil if the token is bound to this application by other means.
    func policy(
        issuer: TokenPolicy.IssuerRule, audiences: [String]?, type: TokenPolicy.TypeRule,
        expiration: TokenPolicy.ExpirationRule = .required, requiredClaims: [String]
    ) throws(IdentityConfigurationError) -> TokenPolicy {
        do {
            var policy = try TokenPolicy(
                issuer: issuer, audience: audiences.map { .anyOf($0) } ?? .notChecked, type: type,
                expiration: expiration, leeway: leeway,
                maximumAge: maximumAge,
                requiredClaims: requiredClaims, maximumTokenByteCount: maximumTokenByteCount,
                clock: clock)
            // Some providers write `null` into claims that they do not use.
            policy.nullIsAbsent = true
            return policy
        } catch {
            throw IdentityConfigurationError(.outOfRange, underlying: error, "\(messageOf: error)")
        }
    }
}
