// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

// What a JWK may be used for, by the members that say so:
//
//     use       "sig" or "enc"
//     key_ops   operations, such as ["sign", "verify"]
//     alg       the only algorithm, such as "ES256"
//
// A key may lack any of them. `try jwk.require(.verify)` checks the first two, and
// `signatureAlgorithm(chosenByCaller:)` settles the algorithm.

extension JWK {
    /// An intended use of a key, as `key_ops` names it.
    enum Operation: String {
        case sign, verify
        case encrypt, decrypt, wrapKey, unwrapKey, deriveKey, deriveBits

        /// What a private half does, and the public half of the same key.
        static let opposites: [(own: Operation, other: Operation)] = [
            (.sign, .verify), (.decrypt, .encrypt), (.unwrapKey, .wrapKey),
        ]

        /// Compares bytes: Swift's `==` takes canonically equivalent texts for equal.
        func isNamed(_ name: String) -> Bool { bytesAreEqual(name.utf8.span, rawValue.utf8.span) }
    }

    /// Refuses the key unless its `use` and `key_ops`, if present, allow `operation` (RFC 7517,
    /// sections 4.2 and 4.3).
    func require(_ operation: Operation) throws(KeyError) {
        try requireUse("sig")
        if let keyOperations, !keyOperations.contains(where: operation.isNamed) {
            throw KeyError(
                .operationNotAllowed,
                "The key's \"key_ops\" do not hold \"\(shown: operation.rawValue)\"."
            )
        }
    }

    /// Refuses the key unless its `use` and `key_ops`, if present, allow to encrypt or decrypt by
    /// one of the operations.
    func require(oneOf operations: [Operation]) throws(KeyError) {
        try requireUse("enc")
        guard let keyOperations else { return }
        guard operations.contains(where: { keyOperations.contains(where: $0.isNamed) }) else {
            throw KeyError(
                .operationNotAllowed,
                "The key's \"key_ops\" hold none of \(operations.map { "\(shown: $0.rawValue)" }, separator: ", ")."
            )
        }
    }

    private func requireUse(_ wanted: String) throws(KeyError) {
        if let use, !bytesAreEqual(use.utf8.span, wanted.utf8.span) {
            throw KeyError(.operationNotAllowed, "The key's \"use\" is not \"\(shown: wanted)\".")
        }
    }

    /// The only algorithm of the key: its `alg`, or the caller's choice, or the algorithm that its
    /// curve implies. It must fit the kind of key.
    func signatureAlgorithm(
        chosenByCaller callersChoice: SignatureAlgorithm?
    ) throws(KeyError) -> SignatureAlgorithm {
        guard case .key = material else {
            throw KeyError(
                .unsupportedKeyType, "An X25519 key agrees on keys; it neither signs nor verifies.")
        }
        let chosen = try chooseAlgorithm(callersChoice)
        guard material.fits(chosen) else {
            throw KeyError(
                .algorithmMismatch, "\(shown: chosen.name) does not go with this kind of key.")
        }
        return chosen
    }

    private func chooseAlgorithm(
        _ callersChoice: SignatureAlgorithm?
    ) throws(KeyError) -> SignatureAlgorithm {
        guard let algorithm else {
            // P-256 implies ES256, for example; RSA implies none.
            guard let chosen = callersChoice ?? material.impliedAlgorithm else {
                throw KeyError(
                    .algorithmRequired,
                    "An RSA key without \"alg\" does not say how it is used: name the algorithm, such as RS256."
                )
            }
            return chosen
        }
        guard let own = SignatureAlgorithm(name: algorithm) else {
            throw KeyError(
                .unsupportedAlgorithm,
                "The key's \"alg\" is not one that Signet verifies with a public key."
            )
        }
        // Two names for the same algorithm: "EdDSA" and "Ed25519".
        let bothAreEd25519 = callersChoice?.family == .ed25519 && own.family == .ed25519
        if let callersChoice, callersChoice != own, !bothAreEd25519 {
            throw KeyError(
                .algorithmMismatch,
                "The key's \"alg\" is \(shown: own.name), not \(shown: callersChoice.name).")
        }
        return own
    }

    /// The key as SignetCrypto signs or verifies with it: bound to its algorithm, once for all
    /// tokens.
    ///
    /// - Parameter verb: the intended use, for the error message.
    func bound(to algorithm: SignatureAlgorithm, verb: String) throws(KeyError) -> BoundKey {
        do throws(CryptographyError) {
            // `signatureAlgorithm(chosenByCaller:)` has refused a symmetric key.
            guard case .key(let key) = material else {
                throw CryptographyError(.invalidKey, "Another kind of key.")
            }
            return try BoundKey(key, family: algorithm.family)
        } catch {
            throw KeyError(
                .libraryFailure, underlying: error,
                "libcrypto cannot \(shown: verb) \(shown: algorithm.name) with this key.")
        }
    }
}
