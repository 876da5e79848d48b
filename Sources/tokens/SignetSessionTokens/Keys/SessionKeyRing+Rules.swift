// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import SignetMemory

// What every ring must keep to, and what a session issuer makes of it: a signer with the current
// key, and a verifier with all keys. A ring holds secrets or key pairs, so each `switch` has both
// cases. A key's `kid` is its name, by which a token says which key signed it.

extension SessionKeyRing {
    /// The public facts about the keys, the current key first.
    static func members(_ keys: Keys) -> [Member] {
        switch keys {
        case .secrets(let current, let others):
            [member(current.keyID, algorithm: current.algorithm.name, isCurrent: true)]
                + others.map {
                    member($0.key.keyID, algorithm: $0.key.algorithm.name, until: $0.until)
                }
        case .pairs(let current, let others):
            [member(current.keyID, algorithm: current.algorithm.name, isCurrent: true)]
                + others.map {
                    member($0.key.keyID, algorithm: $0.key.algorithm.name, until: $0.until)
                }
        }
    }

    private static func member(
        _ keyID: String?, algorithm: String, isCurrent: Bool = false, until: NumericDate? = nil
    ) -> Member {
        // A missing `kid` becomes "", which `validate` rejects.
        Member(keyID: keyID ?? "", algorithm: algorithm, isCurrent: isCurrent, verifiesUntil: until)
    }

    /// Checks the number of keys, that each has a `kid` of its own, and what secrets may be used
    /// for.
    func validate() throws(IdentityConfigurationError) {
        try Self.checkCount(members.count)
        for (position, member) in members.enumerated() {
            try Self.checkIdentifier(member.keyID)
            for other in members[..<position] where Self.areEqual(other.keyID, member.keyID) {
                throw IdentityConfigurationError(
                    .contradiction, "Two keys of the ring have one \"kid\".")
            }
        }
        guard case .secrets(let current, let others) = keys else { return }
        guard current.canSign, current.canVerify, others.allSatisfy(\.key.canVerify) else {
            throw IdentityConfigurationError(
                .invalidKeys, "The \"key_ops\" of a key do not allow what the ring needs it for.")
        }
    }

    static func checkCount(_ count: Int) throws(IdentityConfigurationError) {
        guard count <= maximumKeyCount else {
            throw IdentityConfigurationError(
                .outOfRange,
                "A ring has at most \(maximumKeyCount) keys, not \(count): remove keys that have expired."
            )
        }
    }

    /// The ring with its current key, and those earlier keys whose `kid` is kept.
    func filteringEarlierKeys(_ isKept: (String) -> Bool) throws(IdentityConfigurationError)
        -> SessionKeyRing
    {
        switch keys {
        case .secrets(let current, let others):
            return try SessionKeyRing(
                .secrets(current, others.filter { isKept($0.key.keyID ?? "") }))
        case .pairs(let current, let others):
            return try SessionKeyRing(.pairs(current, others.filter { isKept($0.key.keyID ?? "") }))
        }
    }

    /// The last moment of a key; nil if it has none or is not in the ring.
    func verifiesUntil(keyID: String) -> NumericDate? {
        members.first { Self.areEqual($0.keyID, keyID) }?.verifiesUntil
    }

    /// Verifies with every key of the ring. The caller checks last moments.
    func verifier(_ policy: TokenPolicy) throws(KeyError) -> TokenVerifier {
        switch keys {
        case .secrets(let current, let others):
            try TokenVerifier(hmacKeys: HMACKeySet([current] + others.map(\.key)), policy: policy)
        case .pairs(let current, let others):
            TokenVerifier(
                keys: KeySet([current.verificationKey] + others.map(\.key)), policy: policy)
        }
    }

    /// Signs with the current key. `type` is the `typ` of the tokens.
    func signer(type: String) throws(KeyError) -> JWSSigner {
        switch keys {
        case .secrets(let current, _): try JWSSigner(hmacKey: current, type: type)
        case .pairs(let current, _): JWSSigner(key: current, type: type)
        }
    }

    /// Whether two secrets are the same: a key that was added early, and then signs, stands in the
    /// ring only once.
    static func isSame(_ a: HMACKey, _ b: HMACKey) -> Bool {
        // A key that cannot be exported counts as another. The ring then rejects its second `kid`.
        guard let left = try? a.exportPrivateJSON(), let right = try? b.exportPrivateJSON() else {
            return false
        }
        return left.isEqual(to: right)
    }

    /// Whether two public keys have the same `kid`, algorithm and numbers.
    static func isSame(_ a: VerificationKey, _ b: VerificationKey) -> Bool {
        guard let own = a.keyID, let other = b.keyID, areEqual(own, other),
            a.algorithm == b.algorithm,
            let left = try? a.jwk.thumbprint(), let right = try? b.jwk.thumbprint()
        else { return false }
        return areEqual(left, right)
    }
}
