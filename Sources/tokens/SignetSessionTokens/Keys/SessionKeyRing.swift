// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE
internal import SignetMemory

/// The keys of an application's own session tokens: the current key signs, and earlier keys still
/// verify.
///
/// ```swift
/// // A new key signs from now on. No one is logged out: the earlier one still verifies.
/// let rotated = try sessions.using(ring.rotated(to: SigningKey.generate(.es256)))
/// ```
///
/// A ring holds either secrets (HMAC) or key pairs, so that a published key cannot be taken for a
/// secret. Each key has its own `kid`, by which a token names the key that signed it. For a key
/// pair that no longer signs, the ring keeps only the public half.
///
/// To rotate, make a ring with ``rotated(to:earlierUntil:)-(HMACKey,_)`` and pass it to the issuer.
/// Tokens of the earlier key verify until their own `exp`, so no user is logged out. To revoke a
/// key, use ``without(keyID:)``: its tokens are rejected from then on.
public struct SessionKeyRing: Sendable, CustomStringConvertible, CustomReflectable {
    /// The public facts about a key.
    public struct Member: Sendable, Hashable {
        /// The key's `kid`.
        public let keyID: String
        /// The name of the algorithm that the key is bound to.
        public let algorithm: String
        /// Whether the key signs new tokens.
        public let isCurrent: Bool
        /// The moment from which the key verifies nothing; nil if it has no last moment.
        public let verifiesUntil: NumericDate?
    }

    /// A key that only verifies.
    struct Verifying<Key: Sendable>: Sendable {
        let key: Key
        /// The moment from which it verifies nothing; nil if it has no last moment.
        let until: NumericDate?

        func verifies(at now: NumericDate) -> Bool { until.map { now < $0 } ?? true }
    }

    /// The current key, then the earlier ones and those that were added before they sign.
    enum Keys: Sendable {
        case secrets(HMACKey, [Verifying<HMACKey>])
        case pairs(SigningKey, [Verifying<VerificationKey>])
    }

    /// The most keys of a ring.
    public static let maximumKeyCount = 32

    let keys: Keys
    /// The keys, the current key first.
    public let members: [Member]

    /// A ring of a single secret.
    ///
    /// - Throws: `invalidIdentifier` if the key has no `kid`, or a `kid` over 255 bytes;
    ///   `invalidKeys` if its `key_ops` do not allow signing and verifying.
    public init(_ current: HMACKey) throws(IdentityConfigurationError) {
        try self.init(.secrets(current, []))
    }

    /// A ring of a single key pair, for any algorithm of `SignatureAlgorithm`: RS256, ES256,
    /// Ed25519 and so on.
    ///
    /// - Throws: `invalidIdentifier` if its `kid` is empty or over 255 bytes.
    public init(_ current: SigningKey) throws(IdentityConfigurationError) {
        try self.init(.pairs(current, []))
    }

    init(_ keys: Keys) throws(IdentityConfigurationError) {
        self.keys = keys
        members = Self.members(keys)
        try validate()
    }

    /// A ring that signs with a new secret. The previous secret goes on verifying.
    ///
    /// - Parameters:
    ///   - key: the key that signs from now on.
    ///   - earlierUntil: when the earlier key stops verifying; with nil it stays until it is
    ///     removed. Use now plus the longest lifetime, or 30 days.
    /// - Throws: `contradiction` if the ring holds key pairs, or a different key with this `kid`;
    ///   the errors of ``init(_:)-(HMACKey)``.
    public func rotated(
        to key: HMACKey, earlierUntil: NumericDate? = nil
    ) throws(IdentityConfigurationError) -> SessionKeyRing {
        guard case .secrets(let current, let others) = keys else { throw Self.mixed }
        let kept = others.filter { !Self.isSame($0.key, key) }
        return try SessionKeyRing(
            .secrets(key, [Verifying(key: current, until: earlierUntil)] + kept))
    }

    /// A ring that signs with a new key pair. The public half of the previous pair goes on
    /// verifying.
    ///
    /// - Parameters:
    ///   - key: the key that signs from now on.
    ///   - earlierUntil: when the earlier key stops verifying; with nil it stays until it is
    ///     removed.
    /// - Throws: `contradiction` if the ring holds secrets, or a different key with this `kid`.
    public func rotated(
        to key: SigningKey, earlierUntil: NumericDate? = nil
    ) throws(IdentityConfigurationError) -> SessionKeyRing {
        guard case .pairs(let current, let others) = keys else { throw Self.mixed }
        let kept = others.filter { !Self.isSame($0.key, key.verificationKey) }
        let earlier = Verifying(key: current.verificationKey, until: earlierUntil)
        return try SessionKeyRing(.pairs(key, [earlier] + kept))
    }

    /// A ring with an additional secret, which verifies and does not sign. Add the next secret
    /// early if several servers must know it before the first server signs with it.
    ///
    /// - Throws: the errors of ``rotated(to:earlierUntil:)-(HMACKey,_)``.
    public func adding(
        _ key: HMACKey, until: NumericDate? = nil
    ) throws(IdentityConfigurationError) -> SessionKeyRing {
        guard case .secrets(let current, let others) = keys else { throw Self.mixed }
        return try SessionKeyRing(.secrets(current, others + [Verifying(key: key, until: until)]))
    }

    /// A ring with an additional public key, which verifies and is published. Add the next key
    /// early, so that services that cache the published set know it before it signs.
    ///
    /// - Throws: the errors of ``rotated(to:earlierUntil:)-(SigningKey,_)``.
    public func adding(
        _ key: VerificationKey, until: NumericDate? = nil
    ) throws(IdentityConfigurationError) -> SessionKeyRing {
        guard case .pairs(let current, let others) = keys else { throw Self.mixed }
        return try SessionKeyRing(.pairs(current, others + [Verifying(key: key, until: until)]))
    }

    /// A ring without a key: tokens that it signed are rejected.
    ///
    /// - Throws: `contradiction` for the current key (rotate first); `invalidIdentifier` if the
    ///   ring has no key with this `kid`, so that a mistyped `keyID` does not pass for a
    ///   revocation.
    public func without(keyID: String) throws(IdentityConfigurationError) -> SessionKeyRing {
        guard let member = members.first(where: { Self.areEqual($0.keyID, keyID) }) else {
            throw IdentityConfigurationError(
                .invalidIdentifier, "The ring has no key with this \"kid\".")
        }
        guard !member.isCurrent else {
            throw IdentityConfigurationError(
                .contradiction, "The current key cannot be removed. Rotate to another one first.")
        }
        return try filteringEarlierKeys { !Self.areEqual($0, keyID) }
    }

    /// A ring without expired keys, which verify nothing anyway.
    public func pruned(at now: NumericDate) throws(IdentityConfigurationError) -> SessionKeyRing {
        // A key without a last moment never expires.
        let expired = members.filter { $0.verifiesUntil.map { $0 <= now } ?? false }
        return try filteringEarlierKeys { keyID in
            !expired.contains { Self.areEqual($0.keyID, keyID) }
        }
    }

    /// The identifier of the key that signs.
    public var currentKeyID: String { members.first?.keyID ?? "" }

    /// The number of keys, nothing of the keys.
    public var description: String { "SessionKeyRing(\(members.count) keys, redacted)" }

    /// Only the identifiers and algorithms.
    public var customMirror: Mirror { Mirror(self, children: ["members": members]) }

    /// Whether two identifiers have the same bytes. Swift's `==` would also take canonically
    /// equivalent ones for the same.
    static func areEqual(_ a: String, _ b: String) -> Bool {
        bytesAreEqual(a.utf8.span, b.utf8.span)
    }

    static func checkIdentifier(_ keyID: String?) throws(IdentityConfigurationError) {
        guard let keyID, (1...255).contains(keyID.utf8.count) else {
            throw IdentityConfigurationError(
                .invalidIdentifier, "A key of a ring has a \"kid\" of 1 to 255 bytes.")
        }
    }

    static var mixed: IdentityConfigurationError {
        IdentityConfigurationError(.contradiction, "A ring holds secrets or key pairs, not both.")
    }
}
