// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
public import SignetJOSE

/// Verifies a project's access tokens, on the server that receives them.
///
/// ```swift
/// let claims = try await verifier.verify(bearer)
/// return claims.isAnonymous ? nil : claims.userID
/// ```
///
/// The rules are those of `AccessTokenProfile.supabase(url:clientIDs:)`, and `role` must be the
/// expected role: the anon and service-role keys are tokens of the same issuer. A token that is
/// bound to its sender (`cnf`) is rejected, unless `sender` is `.bindingNotChecked`.
///
/// **Not** checked: whether the session has ended since. Ask GoTrue with ``SupabaseAuth/user(_:)``.
public struct SupabaseTokenVerifier: Sendable {
    /// The verifier of the tokens, before the project's own claims are read.
    public let verifier: AccessTokenVerifier
    private let role: String

    /// A verifier for a project with published keys (ES256, RS256).
    ///
    /// - Parameters:
    ///   - project: the project.
    ///   - keys: fetched, shared with further verifiers, or in hand.
    ///   - role: the required `role`.
    ///   - clientIDs: applications that may act for people through the project's own OAuth server.
    ///   - sender: whether tokens with `cnf` are accepted.
    ///   - options: leeway, limits and the clock.
    /// - Throws: the errors of the keys, the client identifiers or the options.
    public init(
        _ project: SupabaseProject, keys: VerificationKeys, role: String = "authenticated",
        clientIDs: [String] = [], sender: SenderRule = .bearerOnly,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        try self.init(
            .supabase(url: project.url, clientIDs: clientIDs), keys: keys, role: role,
            sender: sender,
            options: options)
    }

    /// A verifier for a project that still signs with its shared secret (HS256), **instead of**
    /// published keys. Anyone with the secret can make tokens for every user.
    ///
    /// - Throws: `contradiction` for a secret that is not bound to HS256; errors of the options.
    public init(
        _ project: SupabaseProject, legacySecret: HMACKey, role: String = "authenticated",
        sender: SenderRule = .bearerOnly,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        try self.init(
            .supabaseLegacy(url: project.url, secret: legacySecret), keys: .ownSecret, role: role,
            sender: sender, options: options)
    }

    private init(
        _ profile: AccessTokenProfile, keys: VerificationKeys, role: String,
        sender: SenderRule, options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        var profile = profile
        profile.acceptedValues["role"] = [role]
        profile.sender = sender
        verifier = try AccessTokenVerifier(profile, keys: keys, options: options)
        self.role = role
    }

    /// Verifies a token. Waits only when keys have to be fetched.
    ///
    /// - Throws: the errors of `AccessTokenVerifier.verify(_:scopes:)`; `valueNotAccepted` for any
    ///   other role; `claimInvalid` for a malformed phone number, session or flag.
    public func verify(
        _ accessToken: some StringProtocol
    ) async throws(IdentityError) -> SupabaseClaims {
        try SupabaseClaims(try await verifier.verify(accessToken), role: role)
    }
}
