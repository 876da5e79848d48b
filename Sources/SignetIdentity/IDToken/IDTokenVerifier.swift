// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// Verifies ID tokens of one provider (OpenID Connect Core 3.1.3.7), and says who has signed in.
///
/// ```swift
/// let google = try IDTokenVerifier(
///     .google(clientIDs: ["1093-web.apps.googleusercontent.com"]), keys: .fetched(over: .curl))
/// ```
///
/// For each token, with the nonce of the request that led to it:
///
/// ```swift
/// let identity = try await google.verify(idToken, nonce: .raw(nonce))
/// ```
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

    /// - Parameters:
    ///   - provider: who issues the tokens, and what they must say.
    ///   - keys: what it verifies with: fetched, shared with others, in hand, or the secret that
    ///     the provider was made with.
    ///   - options: leeway, limits and the clock.
    /// - Throws: `contradiction` for keys of another issuer, for a provider with a secret and any
    ///   other keys than ``VerificationKeys/ownSecret``, and for that where there is none; what is
    ///   wrong with the provider or the options.
    public init(
        _ provider: IdentityProvider, keys: VerificationKeys,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        self.provider = provider
        rules = try IDTokenRules(provider, options)
        engine = try RemoteTokenVerifier(
            keys, of: provider.place, options.keySet, requiresKeyID: provider.requiresKeyID,
            policy: rules.policy)
    }

    /// Verifies an ID token. Waits only when keys have to be fetched.
    ///
    /// - Parameters:
    ///   - idToken: the compact token.
    ///   - nonce: what was sent as `nonce` in the request that led to this token.
    ///   - accessToken: the access token that came with it, where it shall be bound to it:
    ///     `at_hash` must be there and match.
    ///   - code: the authorization code that came with it: `c_hash` must be there and match.
    ///   - maximumAuthenticationAge: `max_age` of the request: `auth_time` must be there and not
    ///     be longer ago. Whole seconds.
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

    /// As ``verify(_:nonce:accessToken:code:maximumAuthenticationAge:authenticationContexts:)``,
    /// without ever waiting.
    ///
    /// - Returns: nil when keys have to be fetched first, because there are none in hand or none
    ///   has the token's `kid`: nothing is known about the token then. Ask the other form.
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
