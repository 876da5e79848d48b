// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Checks the claims of a logout token, by which a provider tells that a person, or one session of
/// that person, has signed out (OpenID Connect Back-Channel Logout 1.0, section 2.6).
///
/// `{"sub": "user-7", "sid": "s-1", "jti": "t-9", "events": …}` becomes a ``VerifiedLogout`` of that
/// person and session. `jti` names the token, so that it counts once.
///
/// Signature, `iss`, `aud` and times have been checked before.
struct LogoutTokenRules: Sendable {
    /// The longest time between `iat` and `exp`: one day. The specification recommends two minutes.
    /// A replay store remembers each token this long.
    private static let maximumLifetime = Duration.seconds(86_400)

    /// A logout, and the data by which a replay store remembers its token.
    struct Received {
        let logout: VerifiedLogout
        let tokenID: ReceivedText
        let expiration: NumericDate
    }

    let provider: IdentityProvider
    /// The part of the rules that is about `typ`, `iss`, `aud`, times and required claims.
    let policy: TokenPolicy

    init(
        _ provider: IdentityProvider, options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) {
        if case .entra = provider.issuer {
            throw IdentityConfigurationError(
                .contradiction, "Microsoft Entra sends no back-channel logout tokens.")
        }
        try provider.validate()
        self.provider = provider
        policy = try options.policy(
            issuer: provider.issuer.policy, audiences: provider.clientIDs,
            type: .jwtOr("logout+jwt"), requiredClaims: ["iat", "jti", "events"])
    }

    /// Checks a token whose signature has been verified. Reports the first failure, in a fixed
    /// order.
    func check(_ verified: RemoteTokenVerifier.Verified) throws(IdentityError) -> Received {
        let registered = verified.token.registered
        let claims = ClaimReader(root: registered.root)
        try Self.requireLogout(claims)
        // No audience beside this program's clients and the ones that it trusts.
        try provider.checkTrust(in: registered.audienceTexts)
        let subject = registered.subjectText
        if let subject, !provider.facts.subject.accepts(subject) {
            throw IdentityError(
                .subject, claim: "sub", "The claim \"sub\" is not what this provider writes.")
        }
        let sessionID = try Self.sessionID(claims)
        guard subject != nil || sessionID != nil else {
            throw IdentityError(
                .claimMissing, claim: "sub", "The token names neither a person nor a session.")
        }
        // Cannot fail: the policy requires `iat`, `exp` and `jti`.
        guard let issuedAt = registered.issuedAt, let expiration = registered.expiration,
            let tokenID = registered.tokenIDText
        else {
            throw IdentityError(.claimMissing, "The token does not say when it begins or ends.")
        }
        guard !tokenID.isEmpty else { throw ClaimReader.invalid("jti", message: "is empty") }
        try Self.checkLifetime(from: issuedAt, to: expiration)
        let issuer = provider.issuer.canonical
        let logout = VerifiedLogout(
            issuer: registered.issuer ?? issuer, subject: subject?.swiftString(),
            sessionID: sessionID?.swiftString(),
            identityKey: subject.map { IdentityKey(issuer: issuer, subject: $0.swiftString()) },
            issuedAt: issuedAt, keyID: verified.token.keyID)
        return Received(logout: logout, tokenID: tokenID, expiration: expiration)
    }

    private static func checkLifetime(
        from issuedAt: NumericDate, to expiration: NumericDate
    ) throws(IdentityError) {
        let lifetime = expiration.secondsSince1970 - issuedAt.secondsSince1970
        guard lifetime <= maximumLifetime.inSeconds else {
            throw IdentityError(
                .lifetimeTooLong, claim: "exp",
                "The token is valid for \(Duration.seconds(lifetime)), and logout tokens for at most \(maximumLifetime)."
            )
        }
    }

    /// Requires the event, which distinguishes a logout token from an ID token, and rejects a
    /// nonce, which belongs to ID tokens (section 2.4).
    private static func requireLogout(_ claims: ClaimReader) throws(IdentityError) {
        guard claims.isLogout else {
            throw IdentityError(
                .typeMismatch, claim: "events", "The token has no logout event.")
        }
        guard claims.member("nonce") == nil else {
            throw IdentityError(
                .typeMismatch, claim: "nonce",
                "The token has a nonce, which logout tokens must not have.")
        }
    }

    /// `sid`, which must not be empty; nil if it is absent.
    private static func sessionID(_ claims: ClaimReader) throws(IdentityError) -> ReceivedText? {
        guard let text = try claims.text("sid") else { return nil }
        guard (1...ReceivedText.maximumUnverifiedByteCount).contains(text.byteCount) else {
            throw ClaimReader.invalid(
                "sid",
                message:
                    "has \(text.byteCount) bytes instead of 1 to \(ReceivedText.maximumUnverifiedByteCount)"
            )
        }
        return text
    }
}
