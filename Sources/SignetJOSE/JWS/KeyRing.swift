// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetCrypto

/// The keys of one verifier, of one class: public keys or HMAC secrets, never both.
enum KeyRing: Sendable {
    case publicKeys(KeySet)
    case secrets(HMACKeySet)
    /// One public key that the caller handed over by itself.
    case publicKey(VerificationKey)
    case secret(HMACKey)

    /// The place of the one key that a header is to be verified with.
    ///
    /// An unknown `kid` is an error and never means "try the others". A key handed over by itself that has no
    /// identifier answers to any `kid`, since there is nothing to compare.
    private func position(
        for header: ReceivedHeader, _ algorithm: ReceivedHeader.Algorithm
    ) throws(TokenError) -> Int {
        switch self {
        case .publicKey(let key):
            try Self.checkSingle(own: key.keyID, header.keyID)
            try Self.checkAlgorithm(key.answers(to: algorithm))
            return 0
        case .secret(let key):
            try Self.checkSingle(own: key.keyID, header.keyID)
            try Self.checkAlgorithm(key.answers(to: algorithm))
            return 0
        case .publicKeys(let set):
            let answers = { set.keys[$0].answers(to: algorithm) }
            let isSame = { set.keys[$0].isSame(as: set.keys[$1]) }
            guard let keyID = header.keyID else {
                return try Self.choose(set.keys.indices, answers, isSame)
            }
            let named = set.candidates(keyID: keyID)
            guard !named.isEmpty || !set.isUnusable(keyID: keyID) else {
                throw TokenError(
                    .noMatchingKey, detail: .unusableKey,
                    "The set has a key with the header's \"kid\" that cannot be used.")
            }
            return try Self.choose(named, answers, isSame)
        case .secrets(let set):
            let answers = { set.keys[$0].answers(to: algorithm) }
            // No two secrets of a set have one identifier: two of them are never one.
            let isSame = { (_: Int, _: Int) in false }
            guard let keyID = header.keyID else {
                return try Self.choose(set.keys.indices, answers, isSame)
            }
            return try Self.choose(set.candidates(keyID: keyID), answers, isSame)
        }
    }

    /// The one key that a header is to be verified with.
    func key(
        for header: ReceivedHeader, _ algorithm: ReceivedHeader.Algorithm
    ) throws(TokenError) -> SignatureKey {
        let position = try position(for: header, algorithm)
        switch self {
        case .publicKey(let key): return SignatureKey(key)
        case .secret(let key): return SignatureKey(key)
        case .publicKeys(let set):
            guard set.keys.indices.contains(position) else { throw Self.noMatch }
            return SignatureKey(set.keys[position])
        case .secrets(let set):
            guard set.keys.indices.contains(position) else { throw Self.noMatch }
            return SignatureKey(set.keys[position])
        }
    }

    private static func checkSingle(own: String?, _ wanted: ReceivedText?) throws(TokenError) {
        guard let own, let wanted, !wanted.isEqual(to: own) else { return }
        throw noMatch
    }

    private static func checkAlgorithm(_ isRight: Bool) throws(TokenError) {
        guard isRight else {
            throw TokenError(
                .algorithmNotAllowed,
                "The header's \"alg\" is not the one that the key is bound to.")
        }
    }

    /// How often a set may have one key: they are compared for each token.
    private static let maximumCopyCount = 8

    /// The one that answers. Copies of one key are one.
    private static func choose(
        _ named: some Collection<Int>, _ answers: (Int) -> Bool, _ isSame: (Int, Int) -> Bool
    ) throws(TokenError) -> Int {
        guard !named.isEmpty else { throw noMatch }
        var chosen: Int?
        var copyCount = 0
        for position in named where answers(position) {
            if let chosen {
                copyCount += 1
                guard copyCount < maximumCopyCount, isSame(chosen, position) else {
                    throw TokenError(
                        .ambiguousKey,
                        "Several keys would do, and the header's \"kid\" does not tell them apart.")
                }
            } else {
                chosen = position
            }
        }
        try checkAlgorithm(chosen != nil)
        return chosen ?? 0
    }

    private static var noMatch: TokenError {
        TokenError(
            .noMatchingKey,
            "No key has the header's \"kid\". If the issuer has new keys, load its set again."
        )
    }
}

extension VerificationKey {
    /// Whether both have the same numbers, and `kid` where they have one. Issuers publish a key
    /// twice, with `alg` and without it for example.
    fileprivate func isSame(as other: VerificationKey) -> Bool {
        guard (keyID == nil) == (other.keyID == nil) else { return false }
        if let keyID, let name = other.keyID, !bytesAreEqual(keyID.utf8.span, name.utf8.span) {
            return false
        }
        return switch (jwk.material.publicHalf, other.jwk.material.publicHalf) {
        case (.rsaPublic(let a), .rsaPublic(let b)): a == b
        case (.ecPublic(let a), .ecPublic(let b)): a == b
        case (.ed25519Public(let a), .ed25519Public(let b)): a == b
        default: false
        }
    }

    fileprivate func answers(to algorithm: ReceivedHeader.Algorithm) -> Bool {
        guard case .signature(let named) = algorithm else { return false }
        return answers(to: named)
    }
}

extension HMACKey {
    fileprivate func answers(to named: ReceivedHeader.Algorithm) -> Bool {
        guard case .code(let named) = named else { return false }
        return algorithm == named
    }
}
