// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// Verifies ID tokens of one provider (OpenID Connect Core 3.1.3.7): who has signed in?
///
/// Checked, in this order: size; three parts (an encrypted token is refused); the header (strict
/// JSON, no `crit`, one of the provider's algorithms, a `kid`); the key; the signature; `typ`,
/// `iss`, `aud`, `exp`, `nbf`, `iat`; then the kind of token, the tenant, `sub`, no untrusted party
/// in `aud`, `azp`, the lifetime, `nonce`, `at_hash`, `c_hash`, `auth_time`, `acr`, `hd`, accepted
/// values and the e-mail address. A claim by which something is decided is an error in a wrong
/// type; one that is only shown, or evidence, counts as absent. `null` is absent, but in `exp`.
///
/// **Not** checked: whether the token has been used before (a `nonce` that is taken once does
/// that), whether the person may use this application, and what ``VerifiedIdentity/claims(as:)``
/// gives.
///
/// One verifier serves a whole server, from any number of threads.
public final class IDTokenVerifier: Sendable {
    /// The rules.
    public let provider: IdentityProvider
    private let engine: RemoteTokenVerifier
    private let rules: IDTokenRules

    /// Longer tokens are refused unread.
    var maximumTokenByteCount: Int { rules.policy.maximumTokenByteCount }

    /// The provider's keys, where they are fetched: `try await verifier.remoteKeys?.refresh()` at
    /// start finds out whether they can be.
    public var remoteKeys: RemoteKeySet? { engine.remoteKeys }

    /// Verifies with keys that are fetched from where the provider has them, when they are needed.
    ///
    /// - Throws: `contradiction` for a provider with a secret; what is wrong with the provider or
    ///   the options.
    public convenience init(
        _ provider: IdentityProvider, transport: some IdentityTransport,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        try self.init(provider, .fetched(provider.place, transport, options.keySet), options)
    }

    /// Verifies with remote keys that others use as well.
    ///
    /// - Throws: `contradiction` when they are another issuer's, or the provider has a secret; what
    ///   is wrong with the provider or the options.
    public convenience init(
        _ provider: IdentityProvider, keys: RemoteKeySet,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        try self.init(provider, .shared(provider.place, keys), options)
    }

    /// Verifies with public keys in hand: offline, in tests. They do not change by themselves, and
    /// the keys' own `issuer`, which Microsoft Entra publishes and a ``KeySet`` does not hold, is
    /// **not** checked.
    ///
    /// - Throws: `contradiction` for a provider with a secret; what is wrong with the provider or
    ///   the options.
    public convenience init(
        _ provider: IdentityProvider, keys: KeySet,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        try self.init(provider, .given(provider.place, keys), options)
    }

    /// The same with the `issuer` member of each key that has one, by `kid`.
    package convenience init(
        _ provider: IdentityProvider, keys: KeySet, issuers: ReceivedTextTable<ReceivedText>,
        options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        try self.init(provider, .given(provider.place, keys, issuers: issuers), options)
    }

    /// Verifies with the secret that the provider was made with
    /// (``IdentityProvider/supabaseLegacy(url:secret:)``).
    ///
    /// - Throws: `contradiction` for a provider with public keys; what is wrong with the provider
    ///   or the options.
    public convenience init(
        _ provider: IdentityProvider, options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        try self.init(provider, .ownSecret(provider.place), options)
    }

    private init(
        _ provider: IdentityProvider, _ keys: VerificationKeys, _ options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        self.provider = provider
        rules = try IDTokenRules(provider, options)
        engine = try RemoteTokenVerifier(
            keys, algorithms: provider.algorithms, requiresKeyID: provider.requiresKeyID,
            policy: rules.policy)
    }

    /// Verifies an ID token. Waits only when keys have to be fetched.
    ///
    /// - Parameters:
    ///   - nonce: what was sent as `nonce` in the request that led to this token.
    ///   - accessToken: the access token that came with it, where it shall be bound to it: `at_hash` must be there and match.
    ///   - code: the authorization code that came with it: `c_hash` must be there and match.
    ///   - maximumAuthenticationAge: `max_age` of the request: `auth_time` must be there and not be longer ago. Whole seconds.
    ///   - authenticationContexts: `acr` must be there and one of these; empty for any.
    /// - Throws: ``IdentityError``. `keySourceUnavailable` and, where it has `retryAfterSeconds`,
    ///   `keyHeldBack` are worth trying again; a caller that is cancelled while keys are being
    ///   fetched gets the first as well.
    public func verify(
        _ idToken: some StringProtocol, nonce: NonceExpectation = .none, accessToken: String? = nil,
        code: String? = nil,
        maximumAuthenticationAge: Duration? = nil, authenticationContexts: [String] = []
    ) async throws(IdentityError) -> VerifiedIdentity {
        let request = IDTokenRules.Request(
            nonce: nonce, accessToken: accessToken, code: code,
            maximumAuthenticationAge: maximumAuthenticationAge,
            authenticationContexts: authenticationContexts
        )
        return try rules.identity(try await engine.verified(idToken), request)
    }

    /// As ``verify(_:nonce:accessToken:code:maximumAuthenticationAge:authenticationContexts:)``, without ever waiting.
    ///
    /// - Returns: nil when keys have to be fetched first, because there are none in hand or none has the token's `kid`: nothing is known about
    ///   the token then. Ask the other form.
    /// - Throws: as there, but never `keySourceUnavailable`.
    public func verifyWithKeysInHand(
        _ idToken: some StringProtocol, nonce: NonceExpectation = .none, accessToken: String? = nil,
        code: String? = nil,
        maximumAuthenticationAge: Duration? = nil, authenticationContexts: [String] = []
    ) throws(IdentityError) -> VerifiedIdentity? {
        guard let verified = try engine.verifiedWithKeysInHand(idToken) else { return nil }
        return try rules.identity(
            verified,
            IDTokenRules.Request(
                nonce: nonce, accessToken: accessToken, code: code,
                maximumAuthenticationAge: maximumAuthenticationAge,
                authenticationContexts: authenticationContexts))
    }
}
