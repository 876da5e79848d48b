// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Reads the keys of a set in order and binds each to its algorithm. Unusable keys are skipped and
/// listed with the reason.
struct KeyLoader {
    /// The only accepted algorithms; nil for all.
    private let algorithms: [SignatureAlgorithm]?
    /// The algorithm of RSA keys that name none (RFC 8725, section 3.1).
    private let rsaAlgorithm: SignatureAlgorithm?
    private var keys = [VerificationKey]()
    private var skipped = [SkippedKey]()

    init(rsaAlgorithm: SignatureAlgorithm?, count: Int) {
        algorithms = nil
        self.rsaAlgorithm = rsaAlgorithm
        keys.reserveCapacity(count)
    }

    /// For keys of the given algorithms. RSA keys that name no algorithm get RS256, the default of
    /// OpenID Connect, if it is accepted, and the first accepted RSA algorithm if not.
    init(algorithms: [SignatureAlgorithm], count: Int) {
        self.algorithms = algorithms
        let rsaAlgorithms = algorithms.filter { if case .rsa = $0.family { true } else { false } }
        rsaAlgorithm = rsaAlgorithms.contains(.rs256) ? .rs256 : rsaAlgorithms.first
        keys.reserveCapacity(count)
    }

    /// Reads the next key and binds it to its algorithm. A key that is refused is skipped.
    ///
    /// - Parameters:
    ///   - index: the key's position, for a key that is skipped.
    ///   - keyID: the `kid`, for a key that is skipped.
    ///   - read: reads the key; its error is why the key is skipped.
    /// - Returns: whether the key is in the set.
    /// - Throws: only `libraryFailure`, if libcrypto could not tell whether the member is a key.
    @discardableResult
    mutating func add(
        at index: Int, keyID: @autoclosure () -> String?, _ read: () throws(KeyError) -> JWK
    ) throws(KeyError) -> Bool {
        do {
            keys.append(try verificationKey(from: read()))
            return true
        } catch {
            skipped.append(try SkippedKey(refused: index, keyID: keyID(), reason: error))
            return false
        }
    }

    /// The set of the keys so far.
    var set: KeySet { KeySet(keys, skipped: skipped) }

    /// Binds a key to its algorithm, which must be accepted.
    private func verificationKey(from jwk: JWK) throws(KeyError) -> VerificationKey {
        let isUnmarkedRSA = jwk.algorithm == nil && jwk.keyType == "RSA"
        let key = try VerificationKey(jwk: jwk, algorithm: isUnmarkedRSA ? rsaAlgorithm : nil)
        guard algorithms?.contains(where: key.verifies) ?? true else {
            throw KeyError(
                .algorithmMismatch,
                "The key is for \(shown: key.algorithm.name), which is not accepted here.")
        }
        return key
    }
}
