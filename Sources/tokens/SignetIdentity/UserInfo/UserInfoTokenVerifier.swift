// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Verifies a userinfo endpoint's tokens (OpenID Connect Core 1.0, section 5.3.2), with the keys,
/// algorithms, limits and clock of a verifier of ID tokens.
///
/// Checked: that the token is encrypted, or that it is not, as the program expects; what it
/// decrypts to is a signed token, one layer deep. Then size, header, key and signature, as for an
/// ID token; `typ`, `iss`, `aud`, and `exp`, `nbf` and `iat`, which may be absent; `iss` is the ID
/// token's, `aud` names a client of the program that the ID token is also for, and `sub` is the ID
/// token's. **Not** checked: further audiences, and whether the provider signed the token for this
/// endpoint.
package struct UserInfoTokenVerifier: Sendable {
    private let provider: IdentityProvider
    private let decryption: IDTokenVerifier.Decryption
    private let engine: RemoteTokenVerifier
    private let maximumByteCount: Int

    /// - Parameters:
    ///   - verifier: has the provider, its keys, the keys to decrypt with, and the limits.
    ///   - isEncrypted: whether tokens must be encrypted. If not, they must not be.
    /// - Throws: `contradiction` for Microsoft Entra, which signs no such tokens, and without keys
    ///   to decrypt tokens that must be encrypted.
    package init(
        _ verifier: IDTokenVerifier, isEncrypted: Bool
    ) throws(IdentityConfigurationError) {
        provider = verifier.provider
        if case .entra = provider.issuer {
            throw Self.contradiction(
                "Microsoft Entra does not sign its userinfo answers: expect .json.")
        }
        if isEncrypted {
            guard let keys = verifier.decryption.keys else {
                throw Self.contradiction(
                    "Userinfo answers are expected encrypted, and there are no keys to decrypt "
                        + "them: give \"decryption\" to the sign-in, or to the verifier.")
            }
            decryption = .required(keys)
        } else {
            decryption = .notOffered
        }
        // The section requires `iss`, `aud` and `sub`; many providers write nothing else.
        let policy = try verifier.options.policy(
            issuer: provider.issuer.policy, audiences: provider.clientIDs, type: .jwt,
            expiration: .optional, requiredClaims: [])
        engine = try RemoteTokenVerifier(
            verifier.keys, of: provider.keyRules, options: verifier.options.keySet,
            requiresKeyID: provider.facts.requiresKeyID, policy: policy)
        maximumByteCount = policy.maximumTokenByteCount
    }

    /// The signed token of an answer: what an encrypted answer holds, or the answer itself.
    ///
    /// - Throws: `notEncrypted` for a token that is only signed where it must be encrypted; the
    ///   errors of decrypting. An encrypted token where none is expected is refused when it is
    ///   verified.
    package func signedToken(in answer: [UInt8]) throws(IdentityError) -> String {
        try decryption.signedToken(
            in: String(decoding: answer, as: UTF8.self), maximumByteCount: maximumByteCount)
    }

    /// Verifies a signed token.
    ///
    /// - Parameter identity: from the ID token that came with the access token.
    /// - Throws: `encrypted` for a token that is still encrypted; `subject` for another person's;
    ///   the errors of ``IDTokenVerifier`` for keys, signature and registered claims.
    package func userInfo(
        in token: String, of identity: VerifiedIdentity
    ) async throws(IdentityError) -> UserInfo {
        let registered = try await engine.verified(token).token.registered
        guard registered.issuerText?.isEqual(to: identity.issuer) == true else {
            throw IdentityError(
                .issuer, claim: "iss", "The answer names another issuer than the ID token.")
        }
        let isForClient = registered.audienceTexts.contains {
            $0.isOne(of: provider.clientIDs) && $0.isOne(of: identity.audience)
        }
        guard isForClient else {
            throw IdentityError(
                .audienceMissing, claim: "aud",
                "The answer was made for another client than the ID token.")
        }
        return try UserInfo(registered.root, of: identity, by: provider)
    }

    private static func contradiction(_ message: ErrorMessage) -> IdentityConfigurationError {
        IdentityConfigurationError(.contradiction, message)
    }
}
