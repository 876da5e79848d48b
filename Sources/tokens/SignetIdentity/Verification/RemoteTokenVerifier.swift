// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE
internal import SignetMemory

/// Verifies an issuer's tokens with keys that are fetched when needed. It is the engine of
/// ``IDTokenVerifier`` and ``AccessTokenVerifier``. Use it for tokens of other kinds, such as
/// security events (RFC 8417) or a webhook's tokens:
/// `try await verifier.verify(token, as: Event.self)`.
///
/// Checked: size, header, key and signature; then the policy's `typ`, `iss`, `aud`, `exp`, `nbf`,
/// `iat` and required claims. `null` counts as absent except in `exp`. **Not** checked: any other
/// claim, `cnf` included (`SenderRule` does not apply). An ID token or access token passes if the
/// policy's `typ` and `aud` allow it: use the verifiers made for ID and access tokens.
public final class RemoteTokenVerifier: Sendable {
    // A token meets the keys in hand first (`tryKeys`). If it fails in a way that newer keys may
    // mend, such as an unknown `kid` (the name of a key), the verifier asks `RemoteKeySet` for
    // newer keys and tries again. A header that no key could verify is refused before anything is
    // fetched.
    //
    // A snapshot is one fetched set of keys. An arrival is a number between the fetches that began
    // before a token came and those that began later: only a later one shows what the issuer has
    // now.

    /// A token whose signature and registered claims have been checked.
    struct Verified {
        /// The token's text.
        let compact: String
        let token: VerifiedToken<RegisteredClaims>
        /// The `issuer` member of the key that verified, if it has one.
        let keyIssuer: ReceivedText?
    }

    /// The result of trying a snapshot's keys on a token.
    private enum Outcome {
        case verified(Verified)
        /// Newer keys may verify the token. The refusal applies if there are no newer keys.
        case undecided(StaleKeyReason, refusal: IdentityError)

        var verified: Verified? { if case .verified(let verified) = self { verified } else { nil } }
    }

    private enum Source: Sendable {
        /// Keys that are fetched.
        case remote(RemoteKeySet)
        /// Keys that no fetch replaces, and their own issuers by `kid`.
        case fixed(TokenVerifier, issuers: [ReceivedText.Key: ReceivedText])
    }

    private let source: Source
    private let policy: TokenPolicy
    private let algorithms: [SignatureAlgorithm]
    private let requiresKeyID: Bool

    /// Verifies by a policy, with the keys of its issuer.
    ///
    /// - Parameters:
    ///   - policy: the rules for a token. Its first issuer owns the keys.
    ///   - algorithms: the algorithms that the issuer signs with. Tokens with any other are
    ///     rejected.
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
        guard let issuer else {
            throw IdentityConfigurationError(
                .contradiction, "The policy names no issuer: whose keys these are is not known.")
        }
        guard !algorithms.isEmpty else {
            throw IdentityConfigurationError(
                .contradiction, "The list of algorithms is empty: no token could verify.")
        }
        var policy = policy
        // Some issuers write `null` into claims that they do not use.
        policy.nullIsAbsent = true
        let rules = VerificationKeys.Rules(
            source: .remote(location), issuer: issuer, algorithms: algorithms)
        try self.init(
            .fetched(over: transport), of: rules, options: options, requiresKeyID: false,
            policy: policy)
    }

    init(
        _ keys: VerificationKeys, of rules: VerificationKeys.Rules, options: KeySetOptions,
        requiresKeyID: Bool, policy: TokenPolicy
    ) throws(IdentityConfigurationError) {
        source = try Self.makeSource(
            keys, of: rules, options: options, requiresKeyID: requiresKeyID, policy: policy)
        self.policy = policy
        algorithms = rules.algorithms
        self.requiresKeyID = requiresKeyID
    }

    /// Where the keys come from. What the caller gives must fit what the issuer has: public keys,
    /// or a secret that it shares with this program.
    private static func makeSource(
        _ keys: VerificationKeys, of rules: VerificationKeys.Rules, options: KeySetOptions,
        requiresKeyID: Bool, policy: TokenPolicy
    ) throws(IdentityConfigurationError) -> Source {
        switch (rules.source, keys.form) {
        case (.remote(let location), .fetched(let transport)):
            var options = options
            options.algorithms = rules.algorithms
            return .remote(
                try RemoteKeySet(
                    issuer: rules.issuer, location: location, transport: transport, options: options
                ))
        case (.remote, .shared(let shared)):
            guard shared.issuer.utf8.elementsEqual(rules.issuer.utf8) else {
                throw contradiction("The keys belong to another issuer than the tokens.")
            }
            return .remote(shared)
        case (.remote, .inHand(let keySet, let issuers)):
            let verifier = TokenVerifier(
                keys: keySet, algorithms: rules.algorithms, requiresKeyID: requiresKeyID,
                policy: policy)
            return .fixed(verifier, issuers: issuers)
        case (.secret(let secret), .ownSecret):
            do throws(KeyError) {
                return .fixed(try TokenVerifier(hmacKey: secret, policy: policy), issuers: [:])
            } catch {
                throw IdentityConfigurationError(
                    .invalidSecret, underlying: error, "The secret may not be used for verifying.")
            }
        case (.remote, .ownSecret):
            throw contradiction(
                "The issuer has public keys: give a transport that fetches them, or the keys.")
        case (.secret, _):
            throw contradiction(
                "The issuer signs with a shared secret, which it was made with: give no keys.")
        }
    }

    private static func contradiction(_ message: ErrorMessage) -> IdentityConfigurationError {
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
        return try Self.translatingErrors { () throws(TokenError) in try token.decoded(as: type) }
    }

    /// Verifies a token without waiting.
    ///
    /// - Returns: nil if keys must be fetched first. Nothing is known about the token then.
    /// - Throws: the errors of ``verify(_:as:)``.
    public func verifyWithKeysInHand<Claims: Decodable>(
        _ compact: some StringProtocol, as type: Claims.Type
    ) throws(IdentityError) -> VerifiedToken<Claims>? {
        guard let token = try verifiedWithKeysInHand(compact)?.token else { return nil }
        return try Self.translatingErrors { () throws(TokenError) in try token.decoded(as: type) }
    }

    /// Verifies without waiting. Nil if keys must be fetched first: there are no keys in hand, or
    /// newer keys may be needed (``StaleKeyReason``).
    func verifiedWithKeysInHand(_ compact: some StringProtocol) throws(IdentityError) -> Verified? {
        let compact = try checkedText(compact)
        switch source {
        case .fixed(let verifier, let issuers):
            return try verifyWithFixedKeys(compact, using: verifier, issuers: issuers)
        case .remote(let keys):
            if let snapshot = keys.keysInHand(startsFetch: false) {
                return try tryKeys(of: snapshot, on: compact, from: keys).verified
            }
            try checkWithoutKey(compact)
            // This begins a fetch; a malformed token does not get this far.
            guard let snapshot = keys.keysInHand() else { return nil }
            return try tryKeys(of: snapshot, on: compact, from: keys).verified
        }
    }

    /// Verifies. Fetches keys if there are no keys in hand, or if newer keys may be needed and a
    /// fetch for them is allowed.
    func verified(_ compact: some StringProtocol) async throws(IdentityError) -> Verified {
        let compact = try checkedText(compact)
        switch source {
        case .fixed(let verifier, let issuers):
            return try verifyWithFixedKeys(compact, using: verifier, issuers: issuers)
        case .remote(let keys):
            if let snapshot = keys.keysInHand(startsFetch: false) {
                return try await verified(compact, using: snapshot, of: keys, since: nil)
            }
            try checkWithoutKey(compact)
            let arrival = keys.numberOfArrival()
            let snapshot = try await Self.translatingKeySourceErrors(keys.keys)
            return try await verified(compact, using: snapshot, of: keys, since: arrival)
        }
    }

    /// Verifies with these keys, and with newer keys as long as a fetch brings them.
    ///
    /// - Parameter arrival: the number that the token's arrival took; nil if no fetch has been
    ///   waited for.
    private func verified(
        _ compact: String, using snapshot: KeySnapshot, of keys: RemoteKeySet,
        since arrival: UInt64?
    ) async throws(IdentityError) -> Verified {
        var snapshot = snapshot
        var arrival = arrival
        while true {
            switch try tryKeys(of: snapshot, on: compact, from: keys) {
            case .verified(let verified): return verified
            case .undecided(let reason, let refusal):
                let since = arrival ?? keys.numberOfArrival()
                arrival = since
                // During an outage or a pause it is unknown whether the issuer has the token's key
                // by now. The doubt must not log people out.
                let newer = try await Self.translatingKeySourceErrors {
                    [snapshot] () throws(KeySourceError) in
                    try await keys.keys(newerThan: snapshot, for: reason, since: since)
                }
                guard let newer else { throw refusal }
                snapshot = newer
            }
        }
    }

    /// The token as its own string if it is part of a longer text. Checks the size before copying.
    private func checkedText(_ compact: some StringProtocol) throws(IdentityError) -> String {
        try Self.translatingErrors { () throws(TokenError) in
            try CompactSerialization.checkSize(
                compact.utf8.count, maximumByteCount: policy.maximumTokenByteCount)
        }
        return String(compact)
    }

    /// Rejects what no key could verify, before any keys are fetched.
    private func checkWithoutKey(_ compact: String) throws(IdentityError) {
        try Self.translatingErrors { () throws(TokenError) in
            try HeaderRule(algorithms: algorithms, requiresKeyID: requiresKeyID)
                .check(compact, maximumByteCount: policy.maximumTokenByteCount)
        }
    }

    /// Verifies with the keys of a snapshot, or says why newer keys may be needed.
    private func tryKeys(
        of snapshot: KeySnapshot, on compact: String, from keys: RemoteKeySet
    ) throws(IdentityError) -> Outcome {
        let verifier = TokenVerifier(
            keys: snapshot.keys, algorithms: algorithms, requiresKeyID: requiresKeyID,
            policy: policy)
        do {
            return .verified(try Self.verify(compact, using: verifier, issuers: snapshot.issuers))
        } catch {
            let refusal = IdentityError(error)
            // That check throws, among others, for an algorithm that the issuer does not use.
            let issuerUsesAlgorithm = (try? checkWithoutKey(compact)) != nil
            // No reason if newer keys cannot change the outcome.
            guard let reason = StaleKeyReason(error, issuerUsesAlgorithm: issuerUsesAlgorithm)
            else { throw refusal }
            if reason == .replacedKey, !mayNeedNewerKeys(compact, than: snapshot, of: keys) {
                throw refusal
            }
            return .undecided(reason, refusal: refusal)
        }
    }

    /// Whether newer keys may verify the token. False if the keys were fetched long after the token
    /// was issued, or if its claims cannot be read.
    ///
    /// `iat` is unverified here: it is read for this decision only, and not kept. A token without
    /// `iat` counts as recent. A forged `iat` only uses up the budget.
    private func mayNeedNewerKeys(
        _ compact: String, than snapshot: KeySnapshot, of keys: RemoteKeySet
    ) -> Bool {
        let token = compact.utf8.span
        guard
            let parts = try? CompactSerialization(
                token, maximumByteCount: policy.maximumTokenByteCount),
            let payload = Base64.url.decode(token.extracting(parts.payload)),
            let claims = try? RegisteredClaims(payload: payload, nullIsAbsent: policy.nullIsAbsent)
        else { return false }
        guard let issuedAt = claims.issuedAt else { return true }
        let age = policy.clock.now().secondsSince1970 - issuedAt.secondsSince1970
        return !keys.wasFetched(snapshot, longAfter: .seconds(age - policy.leewaySeconds))
    }

    /// Verifies with keys that no fetch replaces, so that every error is final.
    private func verifyWithFixedKeys(
        _ compact: String, using verifier: TokenVerifier,
        issuers: [ReceivedText.Key: ReceivedText]
    ) throws(IdentityError) -> Verified {
        try Self.translatingErrors { () throws(TokenError) in
            try Self.verify(compact, using: verifier, issuers: issuers)
        }
    }

    /// Verifies, and finds the key's own issuer.
    private static func verify(
        _ compact: String, using verifier: TokenVerifier, issuers: [ReceivedText.Key: ReceivedText]
    ) throws(TokenError) -> Verified {
        let token = try verifier.verify(compact)
        // Few issuers put their name into their keys. For all others, the key's identifier is not
        // hashed.
        let keyID = issuers.isEmpty ? nil : token.keyID
        return Verified(
            compact: compact, token: token,
            keyIssuer: keyID.flatMap { issuers[ReceivedText($0).key] })
    }

    // The calls write out the type of the closure's error, because Swift does not infer it.
    private static func translatingErrors<R>(
        _ body: () throws(TokenError) -> R
    ) throws(IdentityError) -> R {
        do {
            return try body()
        } catch {
            throw IdentityError(error)
        }
    }

    private static func translatingKeySourceErrors<R: Sendable>(
        _ body: () async throws(KeySourceError) -> R
    ) async throws(IdentityError) -> R {
        do {
            return try await body()
        } catch {
            throw IdentityError(error)
        }
    }
}
