// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

extension JWK {
    /// An intended use of a key, as `key_ops` names it.
    enum Operation: String {
        case sign, verify
        case encrypt, decrypt, wrapKey, unwrapKey, deriveKey, deriveBits

        func isNamed(_ name: String) -> Bool { bytesAreEqual(name.utf8.span, rawValue.utf8.span) }
    }

    /// Refuses the key unless its `use` and `key_ops`, if present, allow `operation` (RFC 7517,
    /// sections 4.2 and 4.3).
    func require(_ operation: Operation) throws(KeyError) {
        if let use, !bytesAreEqual(use.utf8.span, "sig".utf8.span) {
            throw KeyError(.operationNotAllowed, "The key's \"use\" is not \"sig\".")
        }
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
        if let use, !bytesAreEqual(use.utf8.span, "enc".utf8.span) {
            throw KeyError(.operationNotAllowed, "The key's \"use\" is not \"enc\".")
        }
        guard let keyOperations else { return }
        guard operations.contains(where: { keyOperations.contains(where: $0.isNamed) }) else {
            throw KeyError(
                .operationNotAllowed,
                "The key's \"key_ops\" hold none of \(operations.map { "\(shown: $0.rawValue)" }, separator: ", ")."
            )
        }
    }

    /// The only algorithm of the key: its `alg`, or the algorithm that its curve implies, or the
    /// caller's choice.
    func signatureAlgorithm(
        chosenByCaller callersChoice: SignatureAlgorithm?
    ) throws(KeyError) -> SignatureAlgorithm {
        guard case .key = material else {
            throw KeyError(
                .unsupportedKeyType, "An X25519 key agrees on keys; it neither signs nor verifies.")
        }
        let chosen: SignatureAlgorithm
        if let algorithm {
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
            chosen = own
        } else if let callersChoice {
            chosen = callersChoice
        } else if let implied = material.impliedAlgorithm {
            chosen = implied
        } else {
            throw KeyError(
                .algorithmRequired,
                "An RSA key without \"alg\" does not say how it is used: name the algorithm, such as RS256."
            )
        }
        guard material.fits(chosen) else {
            throw KeyError(
                .algorithmMismatch, "\(shown: chosen.name) does not go with this kind of key.")
        }
        return chosen
    }

    /// The key bound to its algorithm.
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
