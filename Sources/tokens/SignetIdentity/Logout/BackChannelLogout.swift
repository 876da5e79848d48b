// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetJOSE

/// Receives a provider's logouts (OpenID Connect Back-Channel Logout 1.0). The provider posts a
/// logout token to this server when a person signs out there or is signed out.
///
/// ```swift
/// let logouts = try BackChannelLogout(
///     provider, keys: .fetched(over: .curl), replays: MemoryLogoutReplayStore())
/// ```
///
/// Checked, in this order:
///
/// - size, header, key and signature, as an ``IDTokenVerifier`` does. An encrypted token is
///   rejected, or with a ``IDTokenVerifier/Decryption`` decrypted first;
/// - `typ`: `logout+jwt`, `JWT` or absent, as most providers have it;
/// - `iss`, `aud`, `exp`, `nbf`, `iat` and `jti`;
/// - the logout event in `events`, and no `nonce`;
/// - no untrusted audience, and at least `sub` or `sid`;
/// - a lifetime of at most a day;
/// - that the token was not received before.
///
/// **Not** checked: that the person or session is known here. No ID token passes, and no ID or
/// access token verifier accepts a logout token.
public final class BackChannelLogout: Sendable {
    private let decryption: IDTokenVerifier.Decryption
    private let engine: RemoteTokenVerifier
    private let rules: LogoutTokenRules
    private let replays: any LogoutReplayStore

    /// - Parameters:
    ///   - provider: the provider that posts the logouts.
    ///   - keys: may be shared with the provider's ``IDTokenVerifier``.
    ///   - replays: shared by all instances of the server.
    ///   - decryption: the keys of the provider's ``IDTokenVerifier``: a provider that encrypts ID
    ///     tokens may encrypt logout tokens to the same key (section 2.6). Pass `.offered` unless
    ///     it is known to do so: `.required` rejects logout tokens that are only signed.
    ///   - options: leeway, limits and the clock.
    /// - Throws: the errors of ``IDTokenVerifier``; `contradiction` for Microsoft Entra, which
    ///   sends no logout tokens.
    public init(
        _ provider: IdentityProvider, keys: VerificationKeys, replays: some LogoutReplayStore,
        decryption: IDTokenVerifier.Decryption = .notOffered,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        rules = try LogoutTokenRules(provider, options: options)
        engine = try RemoteTokenVerifier(
            keys, of: provider.keyRules, options: options.keySet,
            requiresKeyID: provider.facts.requiresKeyID,
            policy: rules.policy)
        self.decryption = decryption
        self.replays = replays
    }

    /// Verifies a logout token and ends the sessions that it names.
    ///
    /// If `end` or the store throws, the provider is told so and may send the token again: the
    /// token stays claimed only if its sessions have ended. If copies of a token come at the same
    /// time, the first copy reaches `end` while every other copy waits. If `end` fails, the next
    /// copy reaches it; else the waiting copies are `replayed`.
    ///
    /// - Parameters:
    ///   - logoutToken: `logout_token` of the request's form.
    ///   - end: ends the sessions of ``VerifiedLogout/sessionID`` or
    ///     ``VerifiedLogout/identityKey``. A closure that finds nothing to end should not throw.
    public func receive(
        _ logoutToken: some StringProtocol, ending end: (VerifiedLogout) async throws -> Void
    ) async -> Answer {
        let received: LogoutTokenRules.Received
        do throws(IdentityError) {
            let signed = try decryption.signedToken(
                in: logoutToken, maximumByteCount: rules.policy.maximumTokenByteCount)
            received = try rules.check(try await engine.verified(signed))
        } catch {
            return Answer(logout: nil, error: error)
        }
        do {
            let isFirst = try await replays.claim(
                storeName(of: received), forSeconds: seconds(until: received.expiration)
            ) { try await end(received.logout) }
            guard isFirst else {
                throw IdentityError(.replayed, claim: "jti", "The token was received before.")
            }
        } catch {
            return Answer(logout: received.logout, error: error)
        }
        return Answer(logout: received.logout, error: nil)
    }

    /// The answer to the provider (section 2.8).
    public struct Answer: Sendable {
        /// 200, or 400 if the token is rejected or the logout failed.
        public var status: Int { error == nil ? 200 : 400 }
        /// The value of `Cache-Control`.
        public var cacheControl: String { "no-store" }
        /// The token's contents, if it was verified.
        public let logout: VerifiedLogout?
        /// Why the logout failed, for a log: an ``IdentityError``, or the error of the store or of
        /// `end`.
        public let error: (any Error)?
    }

    /// The token's name in the store: a hash, so that all names have the same length.
    private func storeName(of received: LogoutTokenRules.Received) throws(IdentityError) -> String {
        // No issuer holds a zero byte, so issuer and `jti` of two tokens never read the same.
        let identifier =
            Array(rules.provider.issuer.canonical.utf8) + [0] + Array(received.tokenID.utf8)
        do throws(CryptographyError) {
            return Base64URL.encode(try MessageDigest.digest(identifier, using: .sha256))
        } catch {
            throw IdentityError(.libraryFailure, underlying: error, "libcrypto lacks SHA-256.")
        }
    }

    /// Two days: more than a token's lifetime and any leeway.
    private static let maximumClaimSeconds = 172_800

    /// How long the token may still be accepted, by the clock and the leeway that verified it.
    private func seconds(until expiration: NumericDate) -> Int {
        let remaining =
            expiration.secondsSince1970 - rules.policy.clock.now().secondsSince1970
            + rules.policy.leewaySeconds
        let bounded = min(max(remaining, 0), Double(Self.maximumClaimSeconds)).rounded(.up)
        // Whole and in range, so it fits. A second more, because no claim lasts 0 seconds.
        return (Int(exactly: bounded) ?? Self.maximumClaimSeconds) + 1
    }
}
