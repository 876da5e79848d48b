// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Finds the verifier of an encrypted token, whose `iss` cannot be read yet: the only verifier that
/// decrypts, or among several the owner of the key that the token names.
struct EncryptedTokenRoutes: Sendable {
    private let only: IDTokenVerifier?
    private let verifiersByKeyID: [ReceivedText.Key: IDTokenVerifier]

    /// - Throws: `contradiction` if several verifiers decrypt, and two of them have the same key or
    ///   the same `kid`, or a key has no `kid`.
    init(_ verifiers: [IDTokenVerifier]) throws(IdentityConfigurationError) {
        let decrypting = verifiers.filter { $0.decryption.keys != nil }
        only = decrypting.count == 1 ? decrypting.first : nil
        var verifiersByKeyID: [ReceivedText.Key: IDTokenVerifier] = [:]
        var thumbprints = Set<String>()
        for verifier in decrypting where decrypting.count > 1 {
            guard let keys = verifier.decryption.keys else { continue }
            // Sets, because one provider may have a key twice.
            var names = Set<ReceivedText.Key>()
            for key in keys.keys {
                guard let name = key.keyID else {
                    throw Self.contradiction(
                        "Where tokens of several providers are decrypted, each key needs a \"kid\"."
                    )
                }
                names.insert(ReceivedText(name).key)
            }
            for name in names {
                let earlier = verifiersByKeyID.updateValue(verifier, forKey: name)
                guard earlier == nil else {
                    throw Self.contradiction(
                        "Two providers have keys to decrypt with that have the same \"kid\".")
                }
            }
            for thumbprint in Set(keys.thumbprints) {
                guard thumbprints.insert(thumbprint).inserted else {
                    throw Self.contradiction(
                        "Two providers have the same key to decrypt with: each needs its own.")
                }
            }
        }
        self.verifiersByKeyID = verifiersByKeyID
    }

    /// The verifier of an encrypted token; nil for a token of another form, or if no verifier
    /// decrypts. Decrypts nothing.
    ///
    /// - Throws: `unknownKid` if several verifiers decrypt, and the token has no `kid`, or that of
    ///   no key; `tooLarge`, `malformed` and so on.
    func verifier(
        for compact: some StringProtocol, maximumByteCount: Int
    ) throws(IdentityError) -> IDTokenVerifier? {
        guard only != nil || !verifiersByKeyID.isEmpty else { return nil }
        let keyID: ReceivedText?
        do {
            // Before a part of a longer text is copied.
            try CompactSerialization.checkSize(
                compact.utf8.count, maximumByteCount: maximumByteCount)
            guard IDTokenVerifier.Decryption.partCount(compact) == 5 else { return nil }
            if let only { return only }
            keyID = try EncryptedTokenHeader.unverifiedKeyID(
                of: String(compact), maximumByteCount: maximumByteCount)
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
