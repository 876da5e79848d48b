// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

/// The rules for an introspection endpoint's answer about an active token (RFC 7662, section 2.2):
/// the rules of the access token's profile, except for the header's `typ`.
///
/// An answer without `iss` belongs to the profile's issuer, whose endpoint was asked. An answer
/// with another issuer is rejected. Dates may be text: the answer is no token. `exp`, `iat` and
/// `jti` may be absent, unless the program requires them; if present, they are checked.
package struct IntrospectionRules: Sendable {
    private let rules: AccessTokenRules
    private let policy: TokenPolicy
    private let policyWithoutIssuer: TokenPolicy

    /// - Throws: `contradiction` for Microsoft Entra, which has no such endpoint; errors of the
    ///   profile or the options.
    package init(
        _ profile: AccessTokenProfile, options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        if case .entra = profile.issuer {
            throw IdentityConfigurationError(
                .contradiction, "Microsoft Entra has no introspection endpoint.")
        }
        rules = try AccessTokenRules(profile, options: options)
        policy = try Self.makePolicy(profile.issuer.policy, profile: profile, options: options)
        policyWithoutIssuer = try Self.makePolicy(.notChecked, profile: profile, options: options)
    }

    /// The profile's policy for an answer. `jti` may be absent, even where a preset requires it.
    private static func makePolicy(
        _ issuer: TokenPolicy.IssuerRule, profile: AccessTokenProfile,
        options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) -> TokenPolicy {
        var audiences: [String]?
        if case .anyOf(let named) = profile.audience { audiences = named }
        return try options.policy(
            issuer: issuer, audiences: audiences, type: .notChecked, expiration: .optional,
            requiredClaims: profile.preset.requiredClaims.filter { $0 != "jti" }
                + profile.requiredClaims)
    }

    /// - Throws: the errors of ``AccessTokenVerifier/verify(_:scopes:)``.
    package func token(
        _ root: JSONNode, scopes: [String]
    ) throws(IdentityError) -> VerifiedAccessToken {
        let claims = ClaimReader(root: root)
        try Self.requireAccessToken(claims)
        let policyOfAnswer = claims.member("iss") == nil ? policyWithoutIssuer : policy
        let registered: RegisteredClaims
        do {
            registered = try RegisteredClaims(root, nullIsAbsent: true, datesMayBeText: true)
            try policyOfAnswer.check(registered)
        } catch {
            throw IdentityError(error)
        }
        return try rules.token(registered, keyID: nil, keyIssuer: nil, scopes: scopes)
    }

    /// Some servers also call refresh and ID tokens active, and only some state the kind:
    /// `token_type` (section 2.2), Keycloak's `typ`, Ory's `token_use`.
    private static func requireAccessToken(_ claims: ClaimReader) throws(IdentityError) {
        // Glewlwyd writes "access_token". The sender's rule decides about "DPoP".
        if let type = try claims.text("token_type"), !type.isEmpty,
            !type.lowercasedASCII.isOne(of: ["bearer", "access_token", "dpop"])
        {
            throw otherKind("token_type")
        }
        let kinds = [
            ("typ", ["Refresh", "Offline", "ID", "Logout"]),
            ("token_use", ["refresh_token", "refresh", "id_token", "id"]),
        ]
        for (name, others) in kinds where claims.shownText(name)?.isOne(of: others) == true {
            throw otherKind(name)
        }
    }

    private static func otherKind(_ claim: String) -> IdentityError {
        IdentityError(
            .typeMismatch, claim: claim, "This is another kind of token, not a Bearer token.")
    }
}
