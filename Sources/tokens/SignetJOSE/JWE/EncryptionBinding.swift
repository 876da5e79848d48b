// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// What a key of encrypted tokens is bound to. A token names two algorithms: by `alg` the key of
/// its content is sent, by `enc` the content is encrypted. A key has one `alg` and may accept
/// several `enc`: a JWK of 16 bytes with the `alg` A128KW has `.a128KW`, and every `enc`.
///
/// ```
/// alg             key (JWK)                               enc
/// dir             oct of 16, 24, 32, 48 or 64 bytes       all that take a key of this length
/// A256GCM, …      oct of the length that this enc takes   this one, by which it is used directly
/// A128KW          oct of 16 bytes (A192KW 24, A256KW 32)  all
/// ECDH-ES, +A…KW  EC or X25519                            all
/// RSA-OAEP-…      RSA of 2048 to 4096 bits                all
/// ```
struct EncryptionBinding: Sendable {
    let algorithm: KeyManagementAlgorithm
    /// The accepted `enc`.
    let content: Set<ContentEncryptionAlgorithm>
    let keyID: String?

    /// Binds a JWK. Its `use`, `key_ops` and `alg` must allow that, if present.
    ///
    /// - Parameters:
    ///   - operations: `key_ops`, any of which allows the use.
    ///   - content: nil for all that fit the key.
    init(
        _ jwk: JWK, algorithm callersChoice: KeyManagementAlgorithm?,
        content: Set<ContentEncryptionAlgorithm>?, operations: [JWK.Operation]
    ) throws(KeyError) {
        try jwk.require(oneOf: operations)
        algorithm = try Self.algorithm(of: jwk, callersChoice: callersChoice, content: content)
        keyID = jwk.keyID
        try Self.check(jwk.material, for: algorithm)
        let fitting = Self.fitting(jwk.material, algorithm: algorithm)
        // Some keys have the name of an `enc` in `alg`: they are used directly, with it alone.
        let only = jwk.algorithm.flatMap { ContentEncryptionAlgorithm(name: $0) }
        self.content = content ?? only.map { [$0] } ?? fitting
        guard !self.content.isEmpty, self.content.isSubset(of: fitting) else {
            throw KeyError(
                .algorithmMismatch,
                "The key's length is not that of the content encryption: \(shown: algorithm.name) takes 16, 24, 32, 48 or 64 bytes."
            )
        }
    }

    /// Whether a header may use the key.
    func allows(_ header: EncryptedTokenHeader) -> Bool {
        header.algorithm == algorithm && content.contains(header.contentEncryption)
    }

    /// The only algorithm of a key: its `alg` or the caller's choice, which must not differ.
    private static func algorithm(
        of jwk: JWK, callersChoice: KeyManagementAlgorithm?,
        content: Set<ContentEncryptionAlgorithm>?
    ) throws(KeyError) -> KeyManagementAlgorithm {
        guard let name = jwk.algorithm else {
            if let callersChoice { return callersChoice }
            let fitting = try fittingAlgorithms(jwk.material).map {
                "\(shown: $0.name)" as ErrorMessage
            }
            throw KeyError(
                .algorithmRequired,
                "A key without \"alg\" does not say how it is used: name the algorithm, such as \(fitting, separator: " or ")."
            )
        }
        let own = try namedAlgorithm(name, content: content)
        if own == .rsaOAEP && callersChoice != .rsaOAEP {
            throw KeyError(
                .algorithmRequired,
                "The key's \"alg\" is RSA-OAEP with SHA-1: name that algorithm to decrypt with it.")
        }
        if let callersChoice, callersChoice != own {
            throw KeyError(
                .algorithmMismatch,
                "The key's \"alg\" is \(shown: own.name), not \(shown: callersChoice.name).")
        }
        return own
    }

    /// The algorithms to name for a key that names none, the best first.
    private static func fittingAlgorithms(
        _ material: JWKMaterial
    ) throws(KeyError) -> [KeyManagementAlgorithm] {
        switch material.publicPart {
        case .key(.rsaPublic): return [.rsaOAEP256]
        case .key(.ecPublic), .x25519Public: return [.ecdhESA256KW]
        case .key:
            throw KeyError(
                .wrongKeyClass, "An Ed25519 key signs: it neither encrypts nor decrypts.")
        // A shared key, whose length decides.
        default:
            return [.a128KW, .a192KW, .a256KW, .direct].filter {
                (try? check(material, for: $0)) != nil
            }
        }
    }

    /// The algorithm that a key's `alg` names: direct use for the name of an `enc`.
    private static func namedAlgorithm(
        _ name: String, content: Set<ContentEncryptionAlgorithm>?
    ) throws(KeyError) -> KeyManagementAlgorithm {
        if let named = KeyManagementAlgorithm(name: name) { return named }
        guard let encryption = ContentEncryptionAlgorithm(name: name),
            content == nil || content == [encryption]
        else {
            throw KeyError(
                .unsupportedAlgorithm, "The key's \"alg\" is not one that Signet decrypts with.")
        }
        return .direct
    }

    /// Refuses a key of a different kind or size than the algorithm takes.
    private static func check(
        _ material: JWKMaterial, for algorithm: KeyManagementAlgorithm
    ) throws(KeyError) {
        switch (algorithm.family, material) {
        // Which length goes with which `enc` is looked at afterwards.
        case (.direct, .octets), (.agreement, .x25519Public), (.agreement, .x25519Private): break
        case (.agreement, .key(let key)):
            guard case .ecPublic = key.publicHalf else { throw wrongKind(material, for: algorithm) }
        case (.wrapping(let byteCount), .octets(let key)):
            guard key.byteCount == byteCount else {
                throw KeyError(
                    .algorithmMismatch,
                    "\(shown: algorithm.name) takes a key of \(byteCount) bytes, not \(key.byteCount)."
                )
            }
        case (.encryption, .key(let key)):
            guard case .rsaPublic(let key) = key.publicHalf else {
                throw wrongKind(material, for: algorithm)
            }
            guard RSAOAEP.bitCounts.contains(key.bitCount) else {
                throw KeyError(
                    key.bitCount < RSAOAEP.bitCounts.lowerBound ? .keyTooShort : .tooLarge,
                    "An RSA key that decrypts has \(RSAOAEP.bitCounts.lowerBound) to \(RSAOAEP.bitCounts.upperBound) bits, not \(key.bitCount)."
                )
            }
        default: throw wrongKind(material, for: algorithm)
        }
    }

    private static func wrongKind(
        _ material: JWKMaterial, for algorithm: KeyManagementAlgorithm
    ) -> KeyError {
        KeyError(
            .wrongKeyClass,
            "\(shown: algorithm.name) does not go with a key of the type \(shown: material.keyType) and its curve."
        )
    }

    /// The content encryptions that a key can serve: all, or for a key that encrypts the content
    /// itself those that take its length.
    private static func fitting(
        _ material: JWKMaterial, algorithm: KeyManagementAlgorithm
    ) -> Set<ContentEncryptionAlgorithm> {
        let all = Set(ContentEncryptionAlgorithm.allCases)
        guard algorithm == .direct, case .octets(let key) = material else { return all }
        return all.filter { $0.keyByteCount == key.byteCount }
    }
}
