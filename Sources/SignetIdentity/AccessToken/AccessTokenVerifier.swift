// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// Verifies access tokens, and other tokens that requests present, of one issuer: may this request
/// do what it asks for?
///
/// ```swift
/// let profile = try AccessTokenProfile.okta(domain: "tenant.okta.com", audiences: ["api://default"])
/// let requests = try AccessTokenVerifier(profile, keys: .fetched(over: .curl))
/// ```
///
/// For each request:
///
/// ```swift
/// let token = try await requests.verify(accessToken, scopes: ["read"])
/// ```
///
/// Checked, in this order: size; the header (strict JSON, no `crit`, one of the profile's
/// algorithms); the key; the signature; `typ`, `iss`, `aud`, `exp`, `nbf`, `iat`, required claims;
/// the tenant of Entra, `sub`, the client, accepted and refused values, a scope or a role where the
/// profile asks for one, the profile's own check, the scopes that are asked for.
///
/// **Not** checked: whether the token was revoked, and which client presents it (RFC 9449).
public final class AccessTokenVerifier: Sendable {
    /// The rules.
    public let profile: AccessTokenProfile
    private let engine: RemoteTokenVerifier
    private let rules: AccessTokenRules

    /// The issuer's keys, where they are fetched.
    public var remoteKeys: RemoteKeySet? { engine.remoteKeys }

    /// - Parameters:
    ///   - profile: whose tokens they are, and what they must say.
    ///   - keys: what it verifies with: fetched, shared with others, in hand, or the secret that
    ///     the profile was made with.
    ///   - options: leeway, limits and the clock.
    /// - Throws: `contradiction` for keys of another issuer, for a profile with a secret and any
    ///   other keys than ``VerificationKeys/ownSecret``, and for that where there is none; what is
    ///   wrong with the profile or the options.
    public init(
        _ profile: AccessTokenProfile, keys: VerificationKeys,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        self.profile = profile
        rules = try AccessTokenRules(profile, options)
        engine = try RemoteTokenVerifier(
            keys, of: profile.place, options.keySet, requiresKeyID: false, policy: rules.policy)
    }

    /// Verifies an access token. Waits only when keys have to be fetched.
    ///
    /// - Parameters:
    ///   - accessToken: the compact token, without `Bearer`.
    ///   - scopes: the token must have all of them.
    /// - Throws: ``IdentityError``. `insufficientScope` where a good token lacks a scope: 403, with
    ///   the scopes in the challenge (`HTTPRefusal`). `keySourceUnavailable` is worth trying again;
    ///   a caller that is cancelled while keys are being fetched gets it as well.
    public func verify(
        _ accessToken: some StringProtocol, scopes: [String] = []
    ) async throws(IdentityError) -> VerifiedAccessToken {
        try rules.token(try await engine.verified(accessToken), scopes: scopes)
    }

    /// As ``verify(_:scopes:)``, without ever waiting.
    ///
    /// - Returns: nil when keys have to be fetched first: nothing is known about the token then.
    ///   Ask the other form.
    public func verifyWithKeysInHand(
        _ accessToken: some StringProtocol, scopes: [String] = []
    ) throws(IdentityError) -> VerifiedAccessToken? {
        guard let verified = try engine.verifiedWithKeysInHand(accessToken) else { return nil }
        return try rules.token(verified, scopes: scopes)
    }
}
