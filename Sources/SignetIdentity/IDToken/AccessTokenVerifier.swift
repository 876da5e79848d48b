// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// Verifies access tokens in the form of RFC 9068: may this request do what it asks for?
///
/// Checked (RFC 9068, section 4): `typ` is `at+jwt`, so that an ID token does not open an API; the signature, with one of the named
/// algorithms; `iss`; this resource in `aud` (others may stand beside it); `exp`, `nbf`, `iat`; that `sub`, `client_id` and `jti` are there.
/// **Not** checked: whether the scopes allow the request, whether the token was revoked, and by whom it is presented (RFC 9449).
public final class AccessTokenVerifier: Sendable {
    private let engine: TokenEngine
    private let policy: TokenPolicy

    /// The issuer's keys, where they are fetched.
    public var remoteKeys: RemoteKeySet? { engine.remoteKeys }

    /// Verifies with keys that are fetched from where the issuer has them.
    ///
    /// - Parameters:
    ///   - issuer: as its tokens have it, to the last slash. https, or http on this machine.
    ///   - resources: how the issuer names this server in `aud`.
    /// - Throws: `invalidURL`, `invalidIdentifier`, `outOfRange`; `contradiction` without an algorithm.
    public convenience init(
        issuer: String, resources: [String], algorithms: [SignatureAlgorithm] = [.rs256],
        keys: RemoteKeySet.Location = .discovery, transport: some IdentityTransport,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        var keyOptions = options.keySet
        keyOptions.algorithms = algorithms
        try self.init(
            resources: resources, algorithms: algorithms,
            keys: RemoteKeySet(issuer: issuer, location: keys, transport: transport, options: keyOptions),
            options: options)
    }

    /// Verifies with remote keys that others use as well. The issuer is theirs.
    ///
    /// - Throws: as the other form.
    public init(
        resources: [String], algorithms: [SignatureAlgorithm] = [.rs256], keys: RemoteKeySet,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        policy = try Self.policy(keys.issuer, resources, algorithms, options)
        engine = TokenEngine(keys: keys, algorithms: algorithms, requiresKeyID: false, policy: policy)
    }

    /// Verifies with public keys in hand: offline, in tests. They do not change by themselves.
    ///
    /// - Throws: as the other form.
    public init(
        issuer: String, resources: [String], algorithms: [SignatureAlgorithm] = [.rs256], keys: KeySet,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        policy = try Self.policy(issuer, resources, algorithms, options)
        engine = TokenEngine(keys: keys, algorithms: algorithms, requiresKeyID: false, policy: policy)
    }

    /// Verifies an access token. Waits only when keys have to be fetched.
    ///
    /// - Throws: ``IdentityError``. `keySourceUnavailable` is the only one that is worth trying again; a caller that is cancelled while keys
    ///   are being fetched gets it as well.
    public func verify(
        _ accessToken: some StringProtocol
    ) async throws(IdentityError) -> VerifiedAccessToken {
        try Self.checked(try await engine.verify(accessToken))
    }

    /// As ``verify(_:)``, without ever waiting.
    ///
    /// - Returns: nil when keys have to be fetched first: nothing is known about the token then. Ask the other form.
    public func verifyWithKeysInHand(
        _ accessToken: some StringProtocol
    ) throws(IdentityError) -> VerifiedAccessToken? {
        guard let verified = try engine.verifyWithKeysInHand(accessToken) else { return nil }
        return try Self.checked(verified)
    }

    private static func policy(
        _ issuer: String, _ resources: [String], _ algorithms: [SignatureAlgorithm],
        _ options: TokenVerificationOptions
    ) throws(IdentityConfigurationError) -> TokenPolicy {
        _ = try EndpointURL(issuer)
        guard !algorithms.isEmpty else {
            throw IdentityConfigurationError(.contradiction, "There is no algorithm: no token could verify.")
        }
        return try options.policy(
            issuer: .exactly(issuer), audiences: Identifier.checked(resources, "resource"),
            type: .exactly("at+jwt"), requiredClaims: ["sub", "iat", "jti", "client_id"])
    }

    private static func checked(_ verified: TokenEngine.Verified) throws(IdentityError) -> VerifiedAccessToken
    {
        let registered = verified.token.registered
        let claims = ClaimReader(root: registered.root)
        guard let subject = registered.subjectText, SubjectRule.text(maximumByteCount: 255).accepts(subject)
        else {
            throw IdentityError(.subject, claim: "sub", "The claim \"sub\" is empty or too long.")
        }
        guard let clientID = try claims.text("client_id"), !clientID.isEmpty else {
            throw ClaimReader.invalid("client_id", "is empty")
        }
        guard let tokenID = registered.tokenIDText, !tokenID.isEmpty else {
            throw ClaimReader.invalid("jti", "is empty")
        }
        // The policy has asked for both.
        guard let issuedAt = registered.issuedAt, let expiration = registered.expiration else {
            throw IdentityError(.claimMissing, "The token does not say when it begins or ends.")
        }
        // RFC 6749, section 3.3: words with one blank between them.
        let scopes = try claims.text("scope")?.utf8.split(separator: UInt8(ascii: " ")) ?? []
        return VerifiedAccessToken(
            issuer: registered.issuer ?? "", subject: subject.swiftString(),
            clientID: clientID.swiftString(), audience: registered.audience, tokenID: tokenID.swiftString(),
            scopes: scopes.map { ReceivedText(utf8: $0).swiftString() }, issuedAt: issuedAt,
            expiration: expiration, authenticationTime: try claims.date("auth_time"),
            authenticationContext: try claims.text("acr")?.swiftString(), keyID: verified.token.keyID,
            registered: registered)
    }
}
