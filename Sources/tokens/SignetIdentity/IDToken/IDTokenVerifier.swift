// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// Verifies one provider's ID tokens (OpenID Connect Core 3.1.3.7) and says who signed in.
///
/// ```swift
/// let google = try IDTokenVerifier(
///     .google(clientIDs: ["1093-web.apps.googleusercontent.com"]), keys: .fetched(over: .curl))
/// // For each token, with the nonce of the request that led to it.
/// let identity = try await google.verify(idToken, nonce: .raw(nonce))
/// ```
///
/// Checked, in this order: size; three parts (an encrypted token is rejected, or with a
/// ``Decryption`` decrypted first); the header (strict JSON, no `crit`, one of the provider's
/// algorithms, a `kid`); the key; the signature; `typ`, `iss`, `aud`, `exp`, `nbf`, `iat`; then the
/// kind of token, the tenant, `sub`, no untrusted party in `aud`, `azp`, the lifetime, `nonce`,
/// `at_hash`, `c_hash`, `auth_time`, `acr`, `hd`, accepted values and the e-mail address. A claim
/// that decides something is an error if its type is wrong; a claim that is only shown, or is
/// evidence, then counts as absent. `null` counts as absent except in `exp`.
///
/// **Not** checked: whether the token was used before (a single-use `nonce` ensures that), whether
/// the person may use this application, a binding to a sender (`cnf`), and the values of
/// ``VerifiedIdentity/claims(as:)``.
///
/// One verifier serves a whole server, on any number of threads.
public final class IDTokenVerifier: Sendable {
    /// The rules.
    public let provider: IdentityProvider
    let decryption: Decryption
    /// The same keys, for a further verifier of this provider's tokens: if they are fetched, both
    /// share them.
    let keys: VerificationKeys
    let options: TokenVerificationOptions
    private let engine: RemoteTokenVerifier
    private let rules: IDTokenRules

    /// Longer tokens are rejected unread.
    var maximumTokenByteCount: Int { rules.policy.maximumTokenByteCount }

    /// The provider's keys, if they are fetched. At start, `try await
    /// verifier.remoteKeys?.refresh()` finds out whether they can be.
    public var remoteKeys: RemoteKeySet? { engine.remoteKeys }

    /// - Parameters:
    ///   - provider: the issuer of the tokens and its rules.
    ///   - keys: fetched, shared with further verifiers, in hand, or the provider's secret.
    ///   - decryption: whether tokens may or must be encrypted, and the keys that decrypt them.
    ///   - options: leeway, limits and the clock.
    /// - Throws: `contradiction` for another issuer's keys, for a provider with a secret but
    ///   without ``VerificationKeys/ownSecret``, and for a provider without a secret but with it;
    ///   errors of the provider or the options.
    public init(
        _ provider: IdentityProvider, keys: VerificationKeys, decryption: Decryption = .notOffered,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        self.provider = provider
        self.decryption = decryption
        self.options = options
        rules = try IDTokenRules(provider, options: options)
        let engine = try RemoteTokenVerifier(
            keys, of: provider.keyRules, options: options.keySet,
            requiresKeyID: provider.facts.requiresKeyID,
            policy: rules.policy)
        self.engine = engine
        self.keys = engine.remoteKeys.map { VerificationKeys.shared($0) } ?? keys
    }

    /// Verifies an ID token. Waits only when keys have to be fetched.
    ///
    /// - Parameters:
    ///   - idToken: the compact token.
    ///   - nonce: the `nonce` of the request that led to this token.
    ///   - accessToken: the access token that came with the ID token, to check that they belong
    ///     together: `at_hash` is then required and must match.
    ///   - code: the authorization code that came with the ID token: `c_hash` is then required and
    ///     must match.
    ///   - maximumAuthenticationAge: `max_age` of the request: `auth_time` is then required and
    ///     must not be longer ago. Whole seconds; a negative age rejects every token
    ///     (`authTooOld`).
    ///   - authenticationContexts: the accepted values of `acr`; empty to accept any.
    /// - Throws: ``IdentityError``. `keySourceUnavailable` can be retried, and so can `keyHeldBack`
    ///   if it has `retryAfterSeconds`; a caller that is cancelled while keys are fetched gets
    ///   `keySourceUnavailable`.
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
        return try rules.identity(try await engine.verified(signedToken(in: idToken)), for: request)
    }

    /// Verifies an ID token without waiting.
    ///
    /// - Returns: nil if keys must be fetched first, because there are no keys in hand, no key has
    ///   the token's `kid`, or the key with this `kid` may have been replaced. Nothing is known
    ///   about the token then: call
    ///   ``verify(_:nonce:accessToken:code:maximumAuthenticationAge:authenticationContexts:)``.
    /// - Throws: the errors of the asynchronous method except `keySourceUnavailable`.
    public func verifyWithKeysInHand(
        _ idToken: some StringProtocol, nonce: NonceExpectation = .none, accessToken: String? = nil,
        code: String? = nil,
        maximumAuthenticationAge: Duration? = nil, authenticationContexts: [String] = []
    ) throws(IdentityError) -> VerifiedIdentity? {
        guard let verified = try engine.verifiedWithKeysInHand(signedToken(in: idToken)) else {
            return nil
        }
        return try rules.identity(
            verified,
            for: IDTokenRules.Request(
                nonce: nonce, accessToken: accessToken, code: code,
                maximumAuthenticationAge: maximumAuthenticationAge,
                authenticationContexts: authenticationContexts))
    }

    private func signedToken(in idToken: some StringProtocol) throws(IdentityError) -> String {
        try decryption.signedToken(in: idToken, maximumByteCount: maximumTokenByteCount)
    }
}
