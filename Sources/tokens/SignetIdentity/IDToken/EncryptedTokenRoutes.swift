// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Finds the verifier of an encrypted token. Its `iss` cannot be read before it is decrypted, but
/// its header can, and names the key (`kid`):
///
/// | Verifiers that decrypt | Verifier of an encrypted token |
/// |---|---|
/// | none | nil |
/// | one | that verifier, whatever the `kid` |
/// | several | the owner of the key with the token's `kid` |
///
/// `try EncryptedTokenRoutes([google, apple]).verifier(for: token, maximumByteCount: 16_384)`
struct EncryptedTokenRoutes: Sendable {
    /// The verifier that decrypts, if there is exactly one.
    private let only: IDTokenVerifier?
    /// The verifiers that decrypt, by their keys' `kid`, if there are several.
    private let verifiersByKeyID: [ReceivedText.Key: IDTokenVerifier]

    /// - Throws: `contradiction` if several verifiers decrypt, and two of them have the same key or
    ///   the same `kid`, or a key has no `kid`.
    init(_ verifiers: [IDTokenVerifier]) throws(IdentityConfigurationError) {
        let decrypting = verifiers.filter { $0.decryption.keys != nil }
        only = decrypting.count == 1 ? decrypting.first : nil
        verifiersByKeyID = try only == nil ? Self.verifiersByKeyID(decrypting) : [:]
    }

    /// The owner of each `kid`. No two verifiers may share a `kid`, nor a key under two names.
    private static func verifiersByKeyID(
        _ decrypting: [IDTokenVerifier]
    ) throws(IdentityConfigurationError) -> [ReceivedText.Key: IDTokenVerifier] {
        var owners: [ReceivedText.Key: IDTokenVerifier] = [:]
        // Hashes of the keys' numbers (RFC 7638).
        var thumbprints = Set<String>()
        for verifier in decrypting {
            guard let keys = verifier.decryption.keys else { continue }
            // Sets, because one provider may have a key twice.
            for name in try keyIDs(of: keys) {
                let earlier = owners.updateValue(verifier, forKey: name)
                guard earlier == nil else {
                    throw contradiction(
                        "Two providers have keys to decrypt with that have the same \"kid\".")
                }
            }
            for thumbprint in Set(keys.thumbprints) {
                guard thumbprints.insert(thumbprint).inserted else {
                    throw contradiction(
                        "Two providers have the same key to decrypt with: each needs its own.")
                }
            }
        }
        return owners
    }

    private static func keyIDs(
        of keys: DecryptionKeySet
    ) throws(IdentityConfigurationError) -> Set<ReceivedText.Key> {
        var names = Set<ReceivedText.Key>()
        for key in keys.keys {
            guard let name = key.keyID else {
                throw contradiction(
                    "Where tokens of several providers are decrypted, each key needs a \"kid\".")
            }
            names.insert(ReceivedText(name).key)
        }
        return names
    }

    /// The verifier of an encrypted token; nil for a token of another form, or if no verifier
    /// decrypts. Decrypts nothing.
    ///
    /// - Parameter maximumByteCount: the limit of what is inside.
    /// - Throws: `unknownKid` if several verifiers decrypt, and the token has no `kid`, or that of
    ///   no key; `tooLarge`, `malformed` and so on.
    func verifier(
        for compact: some StringProtocol, maximumByteCount: Int
    ) throws(IdentityError) -> IDTokenVerifier? {
        guard only != nil || !verifiersByKeyID.isEmpty else { return nil }
        let limit = IDTokenVerifier.Decryption.maximumByteCount(around: maximumByteCount)
        let keyID: ReceivedText?
        do {
            // Before a part of a longer text is copied.
            try CompactSerialization.checkSize(compact.utf8.count, maximumByteCount: limit)
            // A signed token has three parts, an encrypted one five.
            guard IDTokenVerifier.Decryption.partCount(compact) == 5 else { return nil }
            if let only { return only }
            keyID = try EncryptedTokenHeader.unverifiedKeyID(
                of: String(compact), maximumByteCount: limit)
        } catch {
            throw IdentityError(error)
        }
        guard let keyID else {
            throw IdentityError(
                .unknownKid,
                "The encrypted token has no \"kid\", and several providers' tokens are decrypted.")
        }
        guard let verifier = verifiersByKeyID[keyID.key] else {
            throw IdentityError(.unknownKid, "No key to decrypt with has the token's \"kid\".")
        }
        return verifier
    }

    private static func contradiction(_ message: ErrorMessage) -> IdentityConfigurationError {
        IdentityConfigurationError(.contradiction, message)
    }
}
