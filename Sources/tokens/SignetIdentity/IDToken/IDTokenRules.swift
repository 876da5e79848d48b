// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetJOSE

/// The rules for an ID token beyond the registered claims (OpenID Connect Core 3.1.3.7, and the
/// provider's own). ``IDTokenVerifier`` applies them to tokens whose signature, `iss`, `aud` and
/// times have been checked.
struct IDTokenRules: Sendable {
    let provider: IdentityProvider
    let policy: TokenPolicy

    /// The request's parameters that the token must match.
    struct Request {
        let nonce: NonceExpectation
        let accessToken: String?
        let code: String?
        let maximumAuthenticationAge: Duration?
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

    /// Checks in a fixed order and reports the first failure.
    func identity(
        _ verified: RemoteTokenVerifier.Verified, for request: Request
    ) throws(IdentityError) -> VerifiedIdentity {
        let registered = verified.token.registered
        let claims = ClaimReader(root: registered.root)
        try requireIDToken(claims)
        try refuseOtherClients(claims, nonce: request.nonce)
        let tenantID = isEntra ? try claims.text("tid") : nil
        let key = try identityKey(
            registered, claims: claims, tenantID: tenantID, keyIssuer: verified.keyIssuer)
        let authorizedParty = try checkParties(registered, claims: claims)
        let (issuedAt, expiration) = try checkLifetime(registered)
        try request.nonce.check(
            claims.text("nonce"), allowsUnsolicited: provider.allowsUnsolicitedNonce)
        try checkHashes(claims, for: request, algorithm: verified.token.header.algorithm)
        let authenticationTime = try checkAuthentication(
            claims, maximumAge: request.maximumAuthenticationAge)
        let context = try checkContext(claims, accepted: request.authenticationContexts)
        let hostedDomain = try checkHostedDomain(claims)
        try claims.requireValues(provider.facts.requiredValues)
        try claims.requireValues(provider.acceptedValues)
        let email = provider.facts.email.readEmail(
            claims, hostedDomain: hostedDomain,
            authoritative: provider.authoritativeDomains(ofTenant: tenantID?.swiftString()))
        if provider.requiresVerifiedEmail, email.evidence == .none {
            throw IdentityError(
                .emailUnverified, claim: "email",
                "The provider does not vouch for an e-mail address.")
        }
        let identity = VerifiedIdentity(
            identityKey: key, issuer: registered.issuer ?? "", subject: registered.subject ?? "",
            audience: registered.audience, authorizedParty: authorizedParty, issuedAt: issuedAt,
            expiration: expiration, authenticationTime: authenticationTime,
            authenticationContext: context,
            sessionID: claims.shownText("sid")?.swiftString(), keyID: verified.token.keyID,
            name: claims.shownText("name")?.swiftString(),
            picture: claims.shownText("picture")?.swiftString(),
            hostedDomain: hostedDomain?.swiftString(),
            tenantID: tenantID?.swiftString(), email: email, registered: registered)
        try provider.check?(identity)
        return identity
    }

    var isEntra: Bool { if case .entra = provider.issuer { true } else { false } }

    /// The key that people are stored under: issuer and `sub`, at Entra tenant and `oid`. Checks
    /// `sub` in either case.
    private func identityKey(
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
    /// present if the rule requires it, and names a client.
    private func checkParties(
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
        guard let requestingClient else {
            guard !provider.authorizedPartyRule.asksForParty(of: audience) else {
                throw IdentityError(
                    .azp, claim: "azp",
                    "The token does not say which client requested it (\"azp\").")
            }
            return nil
        }
        return requestingClient.swiftString()
    }

    /// The times of the token, which must not be further apart than the provider's rule says.
    private func checkLifetime(
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
    private func checkAuthentication(
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
    private func checkContext(_ claims: ClaimReader, accepted: [String]) throws(IdentityError)
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
    private func checkHostedDomain(_ claims: ClaimReader) throws(IdentityError) -> ReceivedText? {
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
}

extension TokenVerificationOptions {
    /// The policy for the registered claims.
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
            policy.nullIsAbsent = true
            return policy
        } catch {
            throw IdentityConfigurationError(.outOfRange, underlying: error, "\(messageOf: error)")
        }
    }
}
