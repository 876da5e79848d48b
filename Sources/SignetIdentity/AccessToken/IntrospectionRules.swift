// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

/// What the answer of an introspection endpoint must say of a token that is active (RFC 7662,
/// section 2.2): the same as an access token, by its profile, but for the header's `typ`.
///
/// An answer without `iss` is of the profile's issuer, whose endpoint was asked; one with another
/// issuer is refused.
package struct IntrospectionRules: Sendable {
    private let rules: AccessTokenRules
    private let policyWithoutIssuer: TokenPolicy

    /// - Throws: `contradiction` for Microsoft Entra, which has no such endpoint; what is wrong
    ///   with the profile or the options.
    package init(
        _ profile: AccessTokenProfile, _ options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        if case .entra = profile.issuer {
            throw IdentityConfigurationError(
                .contradiction, "Microsoft Entra has no introspection endpoint.")
        }
        rules = try AccessTokenRules(profile, options)
        var audiences: [String]?
        if case .anyOf(let named) = profile.audience { audiences = named }
        policyWithoutIssuer = try options.policy(
            issuer: .notChecked, audiences: audiences, type: .notChecked,
            requiredClaims: rules.policy.requiredClaims)
    }

    /// - Throws: as ``AccessTokenVerifier/verify(_:scopes:)``.
    package func token(
        _ root: JSONNode, scopes: [String]
    ) throws(IdentityError) -> VerifiedAccessToken {
        let claims = ClaimReader(root: root)
        try Self.requireAccessToken(claims)
        let policy = claims.member("iss") == nil ? policyWithoutIssuer : rules.policy
        let registered: RegisteredClaims
        do throws(TokenError) {
            registered = try RegisteredClaims(root, nullIsAbsent: true)
            try policy.check(registered)
        } catch {
            throw IdentityError(error)
        }
        return try rules.token(registered, keyID: nil, keyIssuer: nil, scopes: scopes)
    }

    /// Servers call refresh and ID tokens active as well, and only some say which they are:
    /// `token_type` (section 2.2), Keycloak's `typ`, Ory's `token_use`.
    private static func requireAccessToken(_ claims: ClaimReader) throws(IdentityError) {
        // Glewlwyd writes "access_token".
        if let type = try claims.text("token_type"), !type.isEmpty,
            !type.lowercasedASCII.isOne(of: ["bearer", "access_token"])
        {
            throw otherKind("token_type")
        }
        let kinds = [
            ("typ", ["Refresh", "Offline", "ID", "Logout", "DPoP"]),
            ("token_use", ["refresh_token", "refresh", "id_token", "id"]),
        ]
        for (name, others) in kinds where claims.shownText(name)?.isOne(of: others) == true {
            throw otherKind(name)
        }
    }

    private static func otherKind(_ claim: String) -> IdentityError {
        IdentityError(
            .typeMismatch, claim: claim, "It is a token of another kind, and no Bearer token.")
    }
}
