// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// Verifies one issuer's tokens with keys that are fetched when needed. It is the engine of
/// ``IDTokenVerifier`` and ``AccessTokenVerifier``; use it for other tokens, such as security
/// events (RFC 8417) or those of a webhook.
///
/// Checked: size, header, key and signature; then the policy's `typ`, `iss`, `aud`, `exp`, `nbf`,
/// `iat` and required claims. `null` counts as absent except in `exp`. **Not** checked: any other
/// claim, `cnf` included (``SenderRule`` does not apply). An ID token or access token passes if the
/// policy's `typ` and `aud` allow it: use their own verifiers for those.
public final class RemoteTokenVerifier: Sendable {
    /// A token whose signature and registered claims have been checked.
    struct Verified {
        let token: VerifiedToken<RegisteredClaims>
        /// The `issuer` member of the key that verified, if it has one.
        let keyIssuer: ReceivedText?
    }

    private enum Source: Sendable {
        case remote(RemoteKeySet)
        case fixed(TokenVerifier, issuers: [ReceivedText.Key: ReceivedText])
    }

    private let source: Source
    private let policy: TokenPolicy
    private let algorithms: [SignatureAlgorithm]
    private let requiresKeyID: Bool

    /// Verifies by a policy, with the keys of its issuer.
    ///
    /// - Parameters:
    ///   - policy: its first issuer owns the keys.
    ///   - algorithms: the algorithms that the issuer signs with. No other verifies.
    ///   - location: the location of the keys.
    ///   - transport: sends the requests.
    ///   - options: how keys are kept. Its algorithms are ignored.
    /// - Throws: `contradiction` for a policy without an issuer or without an algorithm; errors
    ///   of the issuer's address or the options.
    public convenience init(
        _ policy: TokenPolicy, algorithms: [SignatureAlgorithm],
        location: RemoteKeySet.Location = .discovery, transport: some IdentityTransport,
        options: KeySetOptions = KeySetOptions()
    ) throws(IdentityConfigurationError) {
        let issuer: String?
        switch policy.issuer {
        case .exactly(let one): issuer = one
        case .anyOf(let issuers): issuer = issuers.first
        case .notChecked: issuer = nil
        }
        guard let issuer, !algorithms.isEmpty else {
            throw IdentityConfigurationError(
                .contradiction,
                "The policy has no issuer, whose keys these are, or there is no algorithm.")
        }
        var policy = policy
        policy.nullIsAbsent = true
        let place = VerificationKeys.Place(
            source: .remote(location), issuer: issuer, algorithms: algorithms)
        try self.init(
            .fetched(over: transport), of: place, options, requiresKeyID: false, policy: policy)
    }

    init(
        _ keys: VerificationKeys, of place: VerificationKeys.Place, _ options: KeySetOptions,
        requiresKeyID: Bool, policy: TokenPolicy
    ) throws(IdentityConfigurationError) {
        switch (place.source, keys.form) {
        case (.remote(let location), .fetched(let transport)):
            var options = options
            options.algorithms = place.algorithms
            source = .remote(
                try RemoteKeySet(
                    issuer: place.issuer, location: location, transport: transport, options: options
                ))
        case (.remote, .shared(let keys)):
            guard keys.issuer.utf8.elementsEqual(place.issuer.utf8) else {
                throw Self.contradiction("The keys belong to another issuer than the tokens.")
            }
            source = .remote(keys)
        case (.remote, .inHand(let keys, let issuers)):
            let verifier = TokenVerifier(
                keys: keys, algorithms: place.algorithms, requiresKeyID: requiresKeyID,
                policy: policy)
            source = .fixed(verifier, issuers: issuers)
        case (.secret(let secret), .ownSecret):
            do throws(KeyError) {
                source = .fixed(
                    try TokenVerifier(hmacKey: secret, policy: policy), issuers: [:])
            } catch {
                throw IdentityConfigurationError(
                    .invalidSecret, "The secret may not be used for verifying.")
            }
        case (.remote, .ownSecret):
            throw Self.contradiction(
                "The issuer has public keys: give a transport that fetches them, or the keys.")
        case (.secret, _):
            throw Self.contradiction(
                "The issuer signs with a shared secret, which it was made with: give no keys.")
        }
        self.policy = policy
        algorithms = place.algorithms
        self.requiresKeyID = requiresKeyID
    }

    private static func contradiction(_ message: String) -> IdentityConfigurationError {
        IdentityConfigurationError(.contradiction, message)
    }

    /// The issuer's keys, if they are fetched.
    public var remoteKeys: RemoteKeySet? {
        guard case .remote(let keys) = source else { return nil }
        return keys
    }

    /// Verifies a token. Waits only when keys have to be fetched.
    ///
    /// - Throws: ``IdentityError``. `claimInvalid` and `unsupportedType` if the claims do not fit
    ///   the type. `keySourceUnavailable` can be retried, and so can `keyHeldBack` if it has
    ///   `retryAfterSeconds`.
    public func verify<Claims: Decodable>(
        _ compact: some StringProtocol, as type: Claims.Type
    ) async throws(IdentityError) -> VerifiedToken<Claims> {
        let token = try await verified(compact).token
        return try Self.translating { () throws(TokenError) in try token.decoded(as: type) }
    }

    /// Verifies a token without waiting.
    ///
    /// - Returns: nil if keys must be fetched first. Nothing is known about the token then.
    /// - Throws: the errors of ``verify(_:as:)``.
    public func verifyWithKeysInHand<Claims: Decodable>(
        _ compact: some StringProtocol, as type: Claims.Type
    ) throws(IdentityError) -> VerifiedToken<Claims>? {
        guard let token = try verifiedWithKeysInHand(compact)?.token else { return nil }
        return try Self.translating { () throws(TokenError) in try token.decoded(as: type) }
    }

    /// Verifies without waiting; nil if keys must be fetched first: there are none in hand, or none
    /// with this `kid`.
    func verifiedWithKeysInHand(_ compact: some StringProtocol) throws(IdentityError) -> Verified? {
        let compact = try text(compact)
        switch source {
        case .fixed(let verifier, let issuers):
            return try Self.translating { () throws(TokenError) in
                try Self.verify(compact, verifier, issuers: issuers)
            }
        case .remote(let keys):
            if let snapshot = keys.keysInHand(startsFetch: false) {
                return try verify(compact, snapshot)
            }
            try checkWithoutKey(compact)
            // This begins a fetch; garbage does not get this far.
            guard let snapshot = keys.keysInHand() else { return nil }
            return try verify(compact, snapshot)
        }
    }

    /// Verifies. Fetches keys if there are none in hand, or if none has the token's `kid` and a
    /// fetch for it is allowed.
    func verified(_ compact: some StringProtocol) async throws(IdentityError) -> Verified {
        let compact = try text(compact)
        if let verified = try verifiedWithKeysInHand(compact) { return verified }
        guard case .remote(let keys) = source else { throw Self.unknownKid }
        let snapshot = try await Self.fetching { () throws(KeySourceError) in try await keys.keys()
        }
        if let verified = try verify(compact, snapshot) { return verified }
        // During an outage or a pause it is unknown whether the issuer has such a key by now: that
        // must not log people out.
        let newer = try await Self.fetching { () throws(KeySourceError) in
            try await keys.keys(newerThan: snapshot)
        }
        if let newer, let verified = try verify(compact, newer) { return verified }
        throw Self.unknownKid
    }

    /// The token as its own string if it is part of a longer text. Checks the size before copying.
    private func text(_ compact: some StringProtocol) throws(IdentityError) -> String {
        try Self.translating { () throws(TokenError) in
            try CompactSerialization.checkSize(
                compact.utf8.count, maximumByteCount: policy.maximumTokenByteCount)
        }
        return String(compact)
    }

    /// What can be rejected before any keys are fetched.
    private func checkWithoutKey(_ compact: String) throws(IdentityError) {
        try Self.translating { () throws(TokenError) in
            try HeaderRule(algorithms: algorithms, requiresKeyID: requiresKeyID)
                .check(compact, maximumByteCount: policy.maximumTokenByteCount)
        }
    }

    /// Nil if no key of the snapshot has the token's `kid`.
    private func verify(_ compact: String, _ snapshot: KeySnapshot) throws(IdentityError)
        -> Verified?
    {
        let verifier = TokenVerifier(
            keys: snapshot.keys, algorithms: algorithms, requiresKeyID: requiresKeyID,
            policy: policy)
        do throws(TokenError) {
            return try Self.verify(compact, verifier, issuers: snapshot.issuers)
        } catch {
            guard error.code == .noMatchingKey, error.detail == nil else {
                throw IdentityError(error)
            }
            return nil
        }
    }

    private static func verify(
        _ compact: String, _ verifier: TokenVerifier, issuers: [ReceivedText.Key: ReceivedText]
    ) throws(TokenError) -> Verified {
        let token = try verifier.verify(compact)
        // Few issuers' keys name one: the identifier is not hashed for nothing.
        let keyID = issuers.isEmpty ? nil : token.keyID
        return Verified(token: token, keyIssuer: keyID.flatMap { issuers[ReceivedText($0).key] })
    }

    private static func translating<R>(_ body: () throws(TokenError) -> R) throws(IdentityError)
        -> R
    {
        do throws(TokenError) {
            return try body()
        } catch {
            throw IdentityError(error)
        }
    }

    private static func fetching<R: Sendable>(
        _ body: () async throws(KeySourceError) -> R
    ) async throws(IdentityError) -> R {
        do throws(KeySourceError) {
            return try await body()
        } catch {
            throw IdentityError(error)
        }
    }

    private static var unknownKid: IdentityError {
        IdentityError(
            .unknownKid,
            "No key of the issuer has the token's \"kid\", and there were no newer keys to be had.")
    }
}
