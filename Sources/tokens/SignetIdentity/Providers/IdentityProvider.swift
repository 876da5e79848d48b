// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The rules for a provider's ID tokens and the location of its keys, as data. Rules and keys come
/// together, so no issuer's key verifies tokens of a different issuer.
///
/// ```swift
/// var provider = try IdentityProvider.openID(
///     issuer: "https://id.example", clientIDs: clientIDs, algorithms: [.es256])
/// provider.maximumLifetime = .seconds(3_600)
/// provider.requiredClaims = ["plan"]
/// provider.acceptedValues = ["plan": ["business"]]
/// ```
///
/// A *client* is an application as the provider knows it. A token names clients by their
/// identifiers: in `aud` those that it is for, in `azp` the one that requested it. `hd` is the
/// organization of a Google account.
///
/// Provider-specific rules are fixed when the provider is made; the variables are the program's
/// choice. ``IDTokenVerifier`` reads them once, in its initialiser.
public struct IdentityProvider: Sendable, CustomStringConvertible, CustomReflectable {
    /// A short name for logs: `google`, `apple`, `entra`, `supabase`, `firebase`, `auth0`,
    /// `openid`.
    public let name: String
    /// The clients that tokens may be for: `aud` must hold at least one client of this list.
    public let clientIDs: [String]
    /// The algorithms that the provider signs with. No other algorithm verifies, even if the
    /// provider publishes keys for it. Empty for a shared secret.
    public let algorithms: [SignatureAlgorithm]
    /// The accepted Google Workspace domains of `hd`, in lower case; empty for any account.
    public let hostedDomains: [String]

    /// Clients that `azp` may name besides ``clientIDs``: they may request tokens for this server.
    public var authorizedParties: [String] = []
    /// When a token must name the requesting client.
    public var authorizedPartyRule = AuthorizedPartyRule.requiredWithSeveralAudiences
    /// Audiences that a token may have besides ``clientIDs``. Any further audience makes the token
    /// untrusted (OpenID Connect Core 3.1.3.7, step 3).
    public var trustedAudiences: [String] = []
    /// The longest time between `iat` and `exp`; nil for no limit.
    public var maximumLifetime: Duration?
    /// Accepts a nonce that the server did not send. True for Google, whose SDKs for iOS and
    /// Android make nonces by themselves.
    public var allowsUnsolicitedNonce = false
    /// Rejects a token whose provider does not vouch for the e-mail address.
    public var requiresVerifiedEmail = false
    /// Domains whose addresses this issuer controls. The issuer must be an organization's own,
    /// which vouches for its people's addresses without saying so in each token. An address in
    /// these domains counts as verified (`EmailClaims.Evidence.verifiedAddress`) unless the token
    /// says otherwise. Issuers at which anyone can open an account are rejected (`contradiction`).
    /// Entra needs exactly one named tenant, and its guests' addresses do not count.
    public var authoritativeDomains: [String] = []
    /// ``authoritativeDomains`` for several named tenants of Entra, by the tenant's identifier.
    public var authoritativeDomainsOfTenants: [String: [String]] = [:]
    /// Required claims, besides the preset's. `null` counts as absent.
    public var requiredClaims: [String] = []
    /// Claims that are required and must equal a text of their list, byte for byte, besides the
    /// preset's: `["department": ["1234"]]`.
    public var acceptedValues: [String: [String]] = [:]
    /// The program's own check, which runs last.
    public var check: (@Sendable (VerifiedIdentity) throws(IdentityError) -> Void)?

    /// How people sign in with an authorization code; nil if the provider does not support that.
    public var codeFlow: CodeFlow?

    /// The accepted `iss`.
    let issuer: IssuerRule
    /// Where the keys that verify a token come from.
    package let keySource: IssuerKeySource
    /// What the preset says about the provider's tokens.
    let facts: ProviderFacts

    init(
        name: String, clientIDs: [String], hostedDomains: [String] = [],
        algorithms: [SignatureAlgorithm], issuer: IssuerRule, keySource: IssuerKeySource,
        facts: ProviderFacts = ProviderFacts()
    ) throws(IdentityConfigurationError) {
        self.name = name
        self.clientIDs = try Identifier.checked(clientIDs, as: "client identifier")
        self.hostedDomains = try hostedDomains.isEmpty ? [] : Identifier.domains(hostedDomains)
        self.algorithms = algorithms
        self.issuer = issuer
        self.keySource = keySource
        self.facts = facts
        if case .anyOf(let issuers) = issuer, let first = issuers.first {
            // The provider's metadata name the first issuer.
            codeFlow = CodeFlow(issuer: first)
        }
    }

    /// Where the keys are, whose they are, and the algorithms that they are for.
    var keyRules: VerificationKeys.Rules {
        VerificationKeys.Rules(source: keySource, issuer: issuer.canonical, algorithms: algorithms)
    }

    /// The issuer that names the provider, where it has several.
    package var issuerName: String { issuer.canonical }

    /// Whether tokens and answers with this `iss` may be the provider's.
    package func mayIssue(_ issuer: ReceivedText) -> Bool { self.issuer.accepts(issuer) }

    /// Whether tokens and answers with this `iss` may be the provider's. Use it to find the
    /// provider of a token that was verified before: it verifies nothing.
    public func mayIssue(_ issuer: String) -> Bool { mayIssue(ReceivedText(issuer)) }

    /// Whether this client may have requested a token.
    func accepts(party: ReceivedText) -> Bool {
        party.isOne(of: clientIDs) || party.isOne(of: authorizedParties)
    }

    /// Step 3 of OpenID Connect Core 3.1.3.7: `aud` holds only trusted audiences.
    func checkTrust(in audience: [ReceivedText]) throws(IdentityError) {
        for name in audience where !name.isOne(of: clientIDs) && !name.isOne(of: trustedAudiences) {
            throw IdentityError(
                .audienceUntrusted, claim: "aud", "The token is also for another audience.")
        }
    }

    /// Checks the properties that a program may have changed.
    func validate() throws(IdentityConfigurationError) {
        if !authorizedParties.isEmpty {
            _ = try Identifier.checked(authorizedParties, as: "authorized party")
        }
        if !trustedAudiences.isEmpty {
            _ = try Identifier.checked(trustedAudiences, as: "trusted audience")
        }
        guard !requiredClaims.contains("") else {
            throw IdentityConfigurationError(
                .invalidIdentifier, "The name of a required claim is empty.")
        }
        try Self.checkValueLists(acceptedValues)
        try checkAuthority()
        if let maximumLifetime, maximumLifetime < .seconds(1) {
            throw IdentityConfigurationError(
                .outOfRange, "maximumLifetime is 1 s or more, not \(maximumLifetime).")
        }
    }

    /// Checks that each claim has a name, and a list that is not empty.
    static func checkValueLists(_ lists: [String: [String]]) throws(IdentityConfigurationError) {
        for (name, values) in lists where name.isEmpty || values.isEmpty {
            throw IdentityConfigurationError(
                .invalidIdentifier,
                "A claim with accepted values has no name, or no value is accepted.")
        }
    }

    /// The name and the issuer.
    public var description: String { "IdentityProvider(\(name), \(issuer.canonical))" }

    /// The name, the issuer and the clients, never a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "issuer": issuer.canonical, "clientIDs": clientIDs])
    }
}
