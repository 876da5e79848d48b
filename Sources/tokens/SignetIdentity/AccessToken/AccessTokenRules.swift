// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Checks an access token's claims by the rules for its issuer, and makes a
/// ``VerifiedAccessToken``.
///
/// The claims `{"sub": "user-7", "client_id": "web", "scope": "read write"}` become the principal
/// `.user("user-7")`, the client "web" and the scopes "read" and "write". The *client* is the
/// application that requested the token, the *principal* the person or the client that it stands
/// for.
///
/// Signature, `iss`, `aud` and times have been checked before (``AccessTokenVerifier``), or the
/// claims are a server's answer about a token (``IntrospectionRules``). A `ReceivedText` is a text
/// from outside, which is compared by its bytes; `swiftString()` makes a `String` of it.
struct AccessTokenRules: Sendable {
    /// The rules for the issuer's tokens, as the program or a preset states them.
    let profile: AccessTokenProfile
    /// The part of the rules that is about `typ`, `iss`, `aud`, times and required claims.
    let policy: TokenPolicy

    init(
        _ profile: AccessTokenProfile, options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        try Self.checkBinding(profile)
        try IdentityProvider.checkValueLists(profile.acceptedValues)
        try IdentityProvider.checkValueLists(profile.refusedValues)
        self.profile = profile
        // Nil where `aud` is not checked, because the client or the issuer binds the token.
        var audiences: [String]?
        if case .anyOf(let named) = profile.audience { audiences = named }
        policy = try options.policy(
            issuer: profile.issuer.policy, audiences: audiences, type: profile.type,
            requiredClaims: (profile.preset.requiresIssuedAt ? ["iat"] : [])
                + profile.preset.requiredClaims + profile.requiredClaims)
    }

    /// Checks a token whose signature has been verified. Reports the first failure, in a fixed
    /// order.
    func token(
        _ verified: RemoteTokenVerifier.Verified, scopes required: [String]
    ) throws(IdentityError) -> VerifiedAccessToken {
        try token(
            verified.token.registered, keyID: verified.token.keyID, keyIssuer: verified.keyIssuer,
            scopes: required)
    }

    /// Checks claims whose registered claims have passed the policy.
    ///
    /// - Parameters:
    ///   - keyID: the `kid` of the key that verified; nil for a server's answer.
    ///   - keyIssuer: the issuer that Microsoft Entra writes into its keys; nil for all others.
    ///   - required: the token must have all of these scopes.
    func token(
        _ registered: RegisteredClaims, keyID: String?, keyIssuer: ReceivedText?,
        scopes required: [String]
    ) throws(IdentityError) -> VerifiedAccessToken {
        let claims = ClaimReader(root: registered.root)
        // The same issuer signs logout tokens with the same keys. They grant nothing.
        guard !claims.isLogout else {
            throw IdentityError(
                .typeMismatch, claim: "events", "This is a logout token, not an access token.")
        }
        // Rejects a token that is bound to its sender (`cnf`), unless the profile accepts such
        // tokens.
        try profile.sender.check(claims)
        try checkEntraTenant(registered, claims: claims, keyIssuer: keyIssuer)
        let subject = try checkedSubject(registered, claims: claims)
        let clients = try checkedClients(claims)
        let principal = try Self.principal(subject, clients: clients, claims: claims)
        if let tokenID = registered.tokenIDText, tokenID.isEmpty {
            throw ClaimReader.invalid("jti", message: "is empty")
        }
        try checkValues(claims)
        let token = try makeToken(
            registered, claims: claims, principal: principal, client: clients.first, keyID: keyID)
        try checkGrants(of: token, scopes: required)
        return token
    }

    /// Checks that issuer, `tid` and key belong to one accepted tenant. A tenant is an organization
    /// at Microsoft Entra, which signs for all of them with the same keys.
    private func checkEntraTenant(
        _ registered: RegisteredClaims, claims: ClaimReader, keyIssuer: ReceivedText?
    ) throws(IdentityError) {
        guard case .entra(let rule) = profile.issuer else { return }
        guard let issuer = registered.issuerText else {
            throw IdentityError(.issuer, claim: "iss", "The claim \"iss\" is missing.")
        }
        _ = try rule.checkedTenant(
            issuer: issuer, tenantID: claims.text("tid"), keyIssuer: keyIssuer)
    }

    /// Checks the claims whose values the profile restricts.
    private func checkValues(_ claims: ClaimReader) throws(IdentityError) {
        try claims.requireValues(profile.preset.acceptedValues)
        try claims.requireValues(profile.acceptedValues)
        try claims.requirePrefixes(profile.preset.acceptedPrefixes)
        try claims.refuseValues(profile.preset.refusedValues)
        try claims.refuseValues(profile.refusedValues)
    }

    /// Makes the result from checked claims. Throws if the claims that say what the token allows
    /// cannot be read.
    private func makeToken(
        _ registered: RegisteredClaims, claims: ClaimReader,
        principal: VerifiedAccessToken.Principal, client: ReceivedText?, keyID: String?
    ) throws(IdentityError) -> VerifiedAccessToken {
        VerifiedAccessToken(
            issuer: registered.issuer ?? profile.issuer.canonical, principal: principal,
            clientID: client?.swiftString(),
            audience: registered.audience, tokenID: registered.tokenID,
            scopes: try readScopes(claims),
            roles: profile.roleClaims.flatMap { claims.texts(at: $0) },
            issuedAt: registered.issuedAt,
            expiration: registered.expiration,
            // Only a server's answer may lack `exp`. It is reused for a short time at most, since
            // the server can revoke the token at any moment.
            reusableUntil: registered.expiration ?? oneMinuteAhead(),
            authenticationTime: claims.shownDate("auth_time"),
            authenticationContext: claims.shownText("acr")?.swiftString(),
            authorizationDetails: try AuthorizationDetail.reading(claims),
            actor: try TokenActor.reading("act", of: claims),
            permittedActor: try TokenActor.reading("may_act", of: claims),
            keyID: keyID,
            registered: registered)
    }

    /// Checks what the token allows: a scope or role if the profile requires one, then the
    /// program's own check, then the scopes of the request.
    private func checkGrants(
        of token: VerifiedAccessToken, scopes required: [String]
    ) throws(IdentityError) {
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
    }

    /// Checks that a profile accepts no token of the issuer for just any API: it names an audience
    /// or the clients, and the claims that hold a client.
    private static func checkBinding(
        _ profile: AccessTokenProfile
    ) throws(IdentityConfigurationError) {
        switch profile.client {
        case .any, .named: break
        case .anyOf(let clients):
            _ = try Identifier.checked(clients, as: "client identifier")
        case .anyOfWhereNamed(let clients):
            // An empty list is a rule too: a token must name no client.
            if !clients.isEmpty { _ = try Identifier.checked(clients, as: "client identifier") }
        }
        if profile.audience == .boundByClient {
            guard case .anyOf = profile.client else {
                throw IdentityConfigurationError(
                    .contradiction,
                    "No audience is checked and no client is named: any token would be accepted."
                )
            }
        }
        let needsClient = profile.client != .any || profile.subject == .absentForClients
        guard !needsClient || !profile.clientClaims.isEmpty else {
            throw IdentityConfigurationError(
                .contradiction,
                "A client is required, but no claim is named that holds a token's client.")
        }
    }

    /// The clients that the token names, in the order of ``AccessTokenProfile/clientClaims``. The
    /// error is `azp` for each of these claims: the OpenID Connect claim of the requesting client.
    private func checkedClients(_ claims: ClaimReader) throws(IdentityError) -> [ReceivedText] {
        let accepted = profile.client.acceptedClients
        var named: [ReceivedText] = []
        for name in profile.clientClaims {
            guard let client = try claims.text(name) else { continue }
            guard !client.isEmpty else { throw ClaimReader.invalid(name, message: "is empty") }
            if let accepted, !client.isOne(of: accepted) {
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

    /// The scopes of the profile's claims (RFC 6749, section 3.3: words separated by one space).
    /// Some issuers write lists.
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
