// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The rules for an access token beyond the registered claims, by its profile.
/// ``AccessTokenVerifier`` applies them to tokens whose signature, `iss`, `aud` and times have been
/// checked, and ``IntrospectionRules`` to a server's answer about a token.
struct AccessTokenRules: Sendable {
    let profile: AccessTokenProfile
    let policy: TokenPolicy

    init(
        _ profile: AccessTokenProfile, options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        try Self.checkBinding(profile)
        try IdentityProvider.checkValueLists(profile.acceptedValues)
        try IdentityProvider.checkValueLists(profile.refusedValues)
        self.profile = profile
        var audiences: [String]?
        if case .anyOf(let named) = profile.audience { audiences = named }
        policy = try options.policy(
            issuer: profile.issuer.policy, audiences: audiences, type: profile.type,
            requiredClaims: (profile.preset.requiresIssuedAt ? ["iat"] : [])
                + profile.preset.requiredClaims + profile.requiredClaims)
    }

    /// Checks in a fixed order and reports the first failure.
    func token(
        _ verified: RemoteTokenVerifier.Verified, scopes required: [String]
    ) throws(IdentityError) -> VerifiedAccessToken {
        try token(
            verified.token.registered, keyID: verified.token.keyID, keyIssuer: verified.keyIssuer,
            scopes: required)
    }

    /// Checks the profile's rules on claims whose registered claims have passed the policy.
    func token(
        _ registered: RegisteredClaims, keyID: String?, keyIssuer: ReceivedText?,
        scopes required: [String]
    ) throws(IdentityError) -> VerifiedAccessToken {
        let claims = ClaimReader(root: registered.root)
        guard !claims.isLogout else {
            throw IdentityError(
                .typeMismatch, claim: "events", "This is a logout token, not an access token.")
        }
        try profile.sender.check(claims)
        if case .entra(let rule) = profile.issuer {
            guard let issuer = registered.issuerText else {
                throw IdentityError(.issuer, claim: "iss", "The claim \"iss\" is missing.")
            }
            _ = try rule.checkedTenant(
                issuer: issuer, tenantID: claims.text("tid"), keyIssuer: keyIssuer)
        }
        let subject = try checkedSubject(registered, claims: claims)
        let clients = try checkedClients(claims)
        let principal = try Self.principal(subject, clients: clients, claims: claims)
        if let tokenID = registered.tokenIDText, tokenID.isEmpty {
            throw ClaimReader.invalid("jti", message: "is empty")
        }
        try claims.requireValues(profile.preset.acceptedValues)
        try claims.requireValues(profile.acceptedValues)
        try claims.requirePrefixes(profile.preset.acceptedPrefixes)
        try claims.refuseValues(profile.preset.refusedValues)
        try claims.refuseValues(profile.refusedValues)
        let token = VerifiedAccessToken(
            issuer: registered.issuer ?? profile.issuer.canonical, principal: principal,
            clientID: clients.first?.swiftString(),
            audience: registered.audience, tokenID: registered.tokenID,
            scopes: try readScopes(claims),
            roles: profile.roleClaims.flatMap { claims.texts(at: $0) },
            issuedAt: registered.issuedAt,
            expiration: registered.expiration,
            reusableUntil: registered.expiration ?? oneMinuteAhead(),
            authenticationTime: claims.shownDate("auth_time"),
            authenticationContext: claims.shownText("acr")?.swiftString(),
            authorizationDetails: try AuthorizationDetail.reading(claims),
            actor: try TokenActor.reading("act", of: claims),
            permittedActor: try TokenActor.reading("may_act", of: claims),
            keyID: keyID,
            registered: registered)
        guard !profile.requiresScopeOrRole || token.hasGrant else {
            throw IdentityError(
                .insufficientScope, claim: profile.scopeClaims.first, scopes: required,
                "The token has neither a scope nor a role: its client was granted nothing.")
        }
        try profile.check?(token)
        for scope in required where !token.hasScope(scope) {
            throw IdentityError(
                .insufficientScope, scopes: required,
                "The token does not have the scopes that this needs.")
        }
        return token
    }

    /// Checks that a profile accepts no token of the issuer for just any API: it names an audience
    /// or the clients, and the claims that hold a client.
    private static func checkBinding(
        _ profile: AccessTokenProfile
    ) throws(IdentityConfigurationError) {
        switch profile.client {
        case .anyOf(let clients):
            _ = try Identifier.checked(clients, as: "client identifier")
        case .anyOfWhereNamed(let clients) where !clients.isEmpty:
            _ = try Identifier.checked(clients, as: "client identifier")
        case .any, .named, .anyOfWhereNamed: break
        }
        var isBound = profile.audience != .boundByClient
        if case .anyOf = profile.client { isBound = true }
        guard isBound else {
            throw IdentityConfigurationError(
                .contradiction,
                "No audience is checked and no client is named: any token would be accepted."
            )
        }
        let needsClient = profile.client != .any || profile.subject == .absentForClients
        guard !needsClient || !profile.clientClaims.isEmpty else {
            throw IdentityConfigurationError(
                .contradiction,
                "A client is required, but no claim is named that holds a token's client.")
        }
    }

    /// The clients that the token names, in the order of ``AccessTokenProfile/clientClaims``.
    private func checkedClients(_ claims: ClaimReader) throws(IdentityError) -> [ReceivedText] {
        let accepted = profile.client.acceptedClients
        var named: [ReceivedText] = []
        for name in profile.clientClaims {
            guard let client = try claims.text(name) else { continue }
            guard !client.isEmpty else { throw ClaimReader.invalid(name, message: "is empty") }
            guard accepted.map(client.isOne) ?? true else {
                throw IdentityError(
                    .azp, claim: name, "The client that requested the token is not accepted.")
            }
            named.append(client)
        }
        guard !named.isEmpty || !profile.client.requiresClient else {
            throw IdentityError(
                .azp, claim: profile.clientClaims.first,
                "The token does not say which client requested it.")
        }
        return named
    }

    /// RFC 6749, section 3.3: words separated by one space. Some issuers write lists.
    private func readScopes(_ claims: ClaimReader) throws(IdentityError) -> [String] {
        var scopes = [String]()
        for name in profile.scopeClaims {
            guard let member = claims.member(name) else { continue }
            if let text = member.text {
                scopes += text.utf8.split(separator: 0x20).map {
                    ReceivedText(utf8: $0).swiftString()
                }
            } else if member.kind == .array {
                for element in member.elements {
                    guard let text = element.text else {
                        throw ClaimReader.invalid(
                            name, message: "holds something that is not a string")
                    }
                    scopes.append(text.swiftString())
                }
            } else {
                throw ClaimReader.invalid(
                    name, message: "is neither a string nor a list of strings")
            }
        }
        return scopes
    }
}

extension AccessTokenProfile.ClientRule {
    /// The clients that a token may name; nil for any client.
    fileprivate var acceptedClients: [String]? {
        switch self {
        case .any, .named: nil
        case .anyOf(let clients), .anyOfWhereNamed(let clients): clients
        }
    }

    /// Whether a token must name its client.
    fileprivate var requiresClient: Bool {
        switch self {
        case .named, .anyOf: true
        case .any, .anyOfWhereNamed: false
        }
    }
}
