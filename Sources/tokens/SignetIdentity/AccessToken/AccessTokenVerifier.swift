// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// Verifies one issuer's access tokens, or other tokens that requests present, and answers whether
/// a request is allowed.
///
/// ```swift
/// let profile = try AccessTokenProfile.okta(domain: "tenant.okta.com", audiences: ["api://default"])
/// let requests = try AccessTokenVerifier(profile, keys: .fetched(over: .curl))
/// // For each request.
/// let token = try await requests.verify(accessToken, scopes: ["read"])
/// print(token.principal, token.clientID ?? "", token.roles)
/// ```
///
/// Checked, in this order: size; the header (strict JSON, no `crit`, one of the profile's
/// algorithms); the key; the signature; `typ`, `iss`, `aud`, `exp`, `nbf`, `iat`, required claims;
/// that the token is not bound to a sender (`SenderRule`); Entra's tenant, `sub`, the client,
/// accepted and refused values, the form of `act`, `may_act` and `authorization_details`, a scope
/// or role if the profile requires one, the profile's own check, the requested scopes.
///
/// **Not** checked: whether the token was revoked, and which client presents it. What the actor and
/// the authorization details of a token allow is the program's business.
public final class AccessTokenVerifier: Sendable {
    /// The rules.
    public let profile: AccessTokenProfile
    private let engine: RemoteTokenVerifier
    private let rules: AccessTokenRules

    /// The issuer's keys, if they are fetched.
    public var remoteKeys: RemoteKeySet? { engine.remoteKeys }

    /// - Parameters:
    ///   - profile: the issuer and its rules.
    ///   - keys: fetched, shared with further verifiers, in hand, or the profile's secret.
    ///   - options: leeway, limits and the clock.
    /// - Throws: `contradiction` for another issuer's keys, for a profile with a secret but without
    ///   ``VerificationKeys/ownSecret``, and for a profile without a secret but with it; errors of
    ///   the profile or the options.
    public init(
        _ profile: AccessTokenProfile, keys: VerificationKeys,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        self.profile = profile
        rules = try AccessTokenRules(profile, options: options)
        engine = try RemoteTokenVerifier(
            keys, of: profile.keyRules, options: options.keySet, requiresKeyID: false,
            policy: rules.policy)
    }

    /// Verifies an access token. Waits only when keys have to be fetched.
    ///
    /// - Parameters:
    ///   - accessToken: the compact token, without `Bearer`.
    ///   - scopes: the token must have all of them.
    /// - Throws: ``IdentityError``. `senderBound` if the token is bound to its sender (401).
    ///   `insufficientScope` if a valid token lacks a scope: answer 403 with the scopes in the
    ///   challenge (`HTTPRefusal`). `keySourceUnavailable` can be retried; a caller that is
    ///   cancelled while keys are fetched gets it too.
    public func verify(
        _ accessToken: some StringProtocol, scopes: [String] = []
    ) async throws(IdentityError) -> VerifiedAccessToken {
        try rules.token(try await engine.verified(accessToken), scopes: scopes)
    }

    /// Verifies an access token without waiting.
    ///
    /// - Returns: nil if keys must be fetched first. Nothing is known about the token then: call
    ///   ``verify(_:scopes:)``.
    /// - Throws: the errors of ``verify(_:scopes:)``.
    public func verifyWithKeysInHand(
        _ accessToken: some StringProtocol, scopes: [String] = []
    ) throws(IdentityError) -> VerifiedAccessToken? {
        guard let verified = try engine.verifiedWithKeysInHand(accessToken) else { return nil }
        return try rules.token(verified, scopes: scopes)
    }
}
