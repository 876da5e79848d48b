// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SystemBridge

/// What verifiers of one issuer's tokens share: the keys, fetched where needed, and one verifier for each state of them.
final class TokenEngine: Sendable {
    /// A token whose signature and registered claims are good.
    struct Verified {
        let token: VerifiedToken<RegisteredClaims>
        /// The `issuer` member of the key that verified, where the key has one.
        let keyIssuer: ReceivedText?
    }

    private enum Source: Sendable {
        case remote(RemoteKeySet)
        case fixed(TokenVerifier, issuers: ReceivedTextTable<ReceivedText>)
    }

    private struct Current {
        let generation: UInt64
        let verifier: TokenVerifier
    }

    private let source: Source
    private let policy: TokenPolicy
    private let algorithms: [SignatureAlgorithm]
    private let requiresKeyID: Bool
    private let current = Locked<Current?>(nil)

    init(
        keys: RemoteKeySet, algorithms: [SignatureAlgorithm], requiresKeyID: Bool, policy: TokenPolicy
    ) {
        source = .remote(keys)
        self.policy = policy
        self.algorithms = algorithms
        self.requiresKeyID = requiresKeyID
    }

    /// - Parameter issuers: the `issuer` member of each key that has one, by `kid`.
    init(
        keys: KeySet, issuers: ReceivedTextTable<ReceivedText> = ReceivedTextTable(),
        algorithms: [SignatureAlgorithm], requiresKeyID: Bool, policy: TokenPolicy
    ) {
        source = .fixed(
            TokenVerifier(keys: keys, algorithms: algorithms, requiresKeyID: requiresKeyID, policy: policy),
            issuers: issuers)
        self.policy = policy
        self.algorithms = algorithms
        self.requiresKeyID = requiresKeyID
    }

    init(secret: HMACKey, policy: TokenPolicy) throws(IdentityConfigurationError) {
        do throws(KeyError) {
            source = .fixed(try TokenVerifier(hmacKey: secret, policy: policy), issuers: ReceivedTextTable())
        } catch {
            throw IdentityConfigurationError(.invalidSecret, "The secret may not be used for verifying.")
        }
        self.policy = policy
        algorithms = []
        requiresKeyID = false
    }

    var remoteKeys: RemoteKeySet? {
        guard case .remote(let keys) = source else { return nil }
        return keys
    }

    /// Verifies without waiting; nil when keys have to be fetched first: there are none in hand, or none with this `kid`.
    func verifyWithKeysInHand(_ compact: some StringProtocol) throws(IdentityError) -> Verified? {
        let compact = try text(compact)
        switch source {
        case .fixed(let verifier, let issuers):
            return try Self.translating { () throws(TokenError) in
                try Self.verify(compact, verifier, issuers: issuers)
            }
        case .remote(let keys):
            return try Self.translating { () throws(TokenError) in
                if let snapshot = keys.keysInHand(isOnlyLooking: false) {
                    return try verify(compact, snapshot)
                }
                try checkWithoutKey(compact)
                // Begins a fetch, which rubbish does not.
                guard let snapshot = keys.keysInHand() else { return nil }
                return try verify(compact, snapshot)
            }
        }
    }

    /// Verifies, and fetches keys where none are in hand, or where none has the token's `kid` and a
    /// fetch for it is allowed.
    func verify(_ compact: some StringProtocol) async throws(IdentityError) -> Verified {
        let compact = try text(compact)
        if let verified = try verifyWithKeysInHand(compact) { return verified }
        guard case .remote(let keys) = source else { throw Self.unknownKid }
        let snapshot = try await Self.fetching { () throws(KeySourceError) in try await keys.keys() }
        if let verified = try Self.translating({ () throws(TokenError) in try verify(compact, snapshot) }) {
            return verified
        }
        // In an outage, and while it may not be asked again, it is unknown whether the issuer has
        // such a key by now: that is no reason to log people out.
        let newer = try await Self.fetching { () throws(KeySourceError) in
            try await keys.keys(newerThan: snapshot)
        }
        if let newer,
            let verified = try Self.translating({ () throws(TokenError) in try verify(compact, newer) })
        {
            return verified
        }
        throw Self.unknownKid
    }

    /// The token by itself, where it is a part of a longer text. The size comes before the copy.
    private func text(_ compact: some StringProtocol) throws(IdentityError) -> String {
        try Self.translating { () throws(TokenError) in
            try CompactSerialization.checkSize(
                compact.utf8.count, maximumByteCount: policy.maximumTokenByteCount)
        }
        return String(compact)
    }

    /// What can be refused before anybody is asked for keys.
    private func checkWithoutKey(_ compact: String) throws(TokenError) {
        try HeaderRule(algorithms: algorithms, requiresKeyID: requiresKeyID)
            .check(compact, maximumByteCount: policy.maximumTokenByteCount)
    }

    /// Nil when no key of the snapshot has the token's `kid`.
    private func verify(_ compact: String, _ snapshot: KeySnapshot) throws(TokenError) -> Verified? {
        do throws(TokenError) {
            return try Self.verify(compact, verifier(for: snapshot), issuers: snapshot.issuers)
        } catch {
            guard error.code == .noMatchingKey, error.detail == nil else { throw error }
            return nil
        }
    }

    private static func verify(
        _ compact: String, _ verifier: TokenVerifier, issuers: ReceivedTextTable<ReceivedText>
    ) throws(TokenError) -> Verified {
        let token = try verifier.verify(compact)
        return Verified(token: token, keyIssuer: token.keyID.flatMap { issuers[$0] })
    }

    /// The verifier of a snapshot's generation: it remembers headers, so that it is kept for as long as the keys are.
    private func verifier(for snapshot: KeySnapshot) -> TokenVerifier {
        let known = current.withLock { state in
            state?.generation == snapshot.generation ? state?.verifier : nil
        }
        if let known { return known }
        let fresh = TokenVerifier(
            keys: snapshot.keys, algorithms: algorithms, requiresKeyID: requiresKeyID, policy: policy)
        return current.withLock { state in
            // Another thread may have been faster, or be ahead.
            if let state, state.generation == snapshot.generation { return state.verifier }
            if state.map({ $0.generation < snapshot.generation }) ?? true {
                state = Current(generation: snapshot.generation, verifier: fresh)
            }
            return fresh
        }
    }

    private static func translating<R>(_ body: () throws(TokenError) -> R) throws(IdentityError) -> R {
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

    static var needsSecret: IdentityConfigurationError {
        IdentityConfigurationError(
            .contradiction, "The issuer signs with a shared secret, which it was made with: give no keys.")
    }

    static var needsKeys: IdentityConfigurationError {
        IdentityConfigurationError(
            .contradiction, "The issuer has public keys: give a transport that fetches them, or the keys.")
    }

    private static var unknownKid: IdentityError {
        IdentityError(
            .unknownKid,
            "No key of the issuer has the token's \"kid\", and there were no newer keys to be had.")
    }
}
