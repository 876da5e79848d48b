// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The keys of a receiver of encrypted tokens: the current key, whose public half is published, and
/// earlier keys, which still decrypt. Printing shows nothing of the keys.
///
/// To change the key, make a set whose ``current`` is the new key, with the old key among
/// ``previous``, and publish it. Leave the old key out once no sender can have the old document any
/// more (OpenID Connect Core 1.0, section 10.2.1). If several instances of a server decrypt, give
/// all of them the new key as a previous one first.
///
/// The document has a single key, so senders may leave its `kid` out of their tokens. Such a token
/// is decrypted with the first key that has its `alg`, usually the current one: an old key of the
/// same `alg` helps only senders that write a `kid`.
///
/// A private key without a `kid` is named by its thumbprint (RFC 7638), so that senders can say
/// which key they used. If it is the only key, it answers to any `kid`: a sender may have given it
/// a name of its own. A shared secret keeps the `kid` that it has, or none.
public struct DecryptionKeySet: Sendable, CustomStringConvertible, CustomReflectable {
    /// The key that senders encrypt to.
    public let current: DecryptionKey
    /// The keys that senders may still have encrypted to.
    public let previous: [DecryptionKey]
    /// Decrypts with all keys.
    package let decrypter: JWEDecrypter
    /// The thumbprints of all keys, by which one key is found in two sets. A secret's is never
    /// shown.
    package let thumbprints: [String]

    /// Makes a set.
    ///
    /// - Throws: `duplicateKeyID` for two private keys, or too many shared ones, that one header
    ///   would choose (``JWEDecrypter/init(keys:)-([DecryptionKey])``); `libraryFailure`.
    public init(current: DecryptionKey, previous: [DecryptionKey] = []) throws(KeyError) {
        let keys = try ([current] + previous).map { (key) throws(KeyError) in try key.named() }
        self.current = keys.first ?? current
        self.previous = Array(keys.dropFirst())
        // Without the name that it got here, an only key answers to any `kid`.
        decrypter = try JWEDecrypter(keys: previous.isEmpty ? [current] : keys)
        thumbprints = try keys.map { (key) throws(KeyError) in
            try JWK(material: key.material, keyID: nil).thumbprint()
        }
    }

    /// The current key, then the earlier ones.
    package var keys: [DecryptionKey] { [current] + previous }

    /// The public half of the current key as a JWK: with its `kid`, `use` (`enc`) and `alg`.
    ///
    /// - Throws: `wrongKeyClass` for a shared secret, which has no public half.
    public func publicJSON() throws(KeyError) -> String {
        try JWK(
            material: current.material, keyID: current.keyID, use: "enc",
            algorithm: current.algorithm.name
        ).publicJSON()
    }

    /// The public half of the current key in a JWK set, ready to publish. The earlier keys are left
    /// out, because senders would go on using them.
    ///
    /// - Parameter others: further keys to publish in the document, such as the key that signs a
    ///   client's assertions.
    /// - Throws: `wrongKeyClass` for a shared secret; `duplicateKeyID` if a further key has the
    ///   `kid` of the current key.
    public func jwksJSON(beside others: KeySet = KeySet([])) throws(KeyError) -> String {
        let own = try publicJSON()
        let names = others.keys.compactMap(\.keyID)
        guard current.keyID.map({ ReceivedText($0).isOne(of: names) }) != true else {
            throw KeyError(
                .duplicateKeyID,
                "Another key of the document has the \"kid\" of the key that senders encrypt to.")
        }
        var members = [String]()
        for key in others.keys { members.append(try key.jwk.publicJSON()) }
        members.append(own)
        return "{\"keys\":[" + members.joined(separator: ",") + "]}"
    }

    /// The current key and the number of earlier keys, nothing of the keys.
    public var description: String {
        "DecryptionKeySet(current: \(current), \(previous.count) previous)"
    }

    /// The keys, which show only their algorithms and identifiers.
    public var customMirror: Mirror {
        Mirror(self, children: ["current": current, "previous": previous])
    }
}

extension DecryptionKey {
    /// The key with an identifier that tokens can name. The thumbprint of a secret is no such name:
    /// it helps to guess a weak secret.
    fileprivate func named() throws(KeyError) -> DecryptionKey {
        guard keyID == nil, !algorithm.isSymmetric else { return self }
        let thumbprint = try JWK(material: material, keyID: nil).thumbprint()
        return try DecryptionKey(
            jwk: JWK(material: material, keyID: thumbprint), algorithm: algorithm,
            content: contentEncryptions)
    }
}
