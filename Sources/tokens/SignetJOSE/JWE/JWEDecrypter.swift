// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// Decrypts a compact JWE (RFC 7516) over any content: `HEADER.ENCRYPTED KEY.IV.CIPHERTEXT.TAG`.
/// For an encrypted JWT use ``EncryptedTokenVerifier``, which also verifies what is inside.
///
/// ```swift
/// let opened = try JWEDecrypter(key: own).decrypt(compact)
/// ```
///
/// **Decrypted is not authentic**: with a public key anybody encrypts. Only for a shared key does
/// success mean that a holder of the key made the token.
///
/// Checked: size, strict base64url and JSON, no duplicate member, no extension (`crit`) and no
/// compression (`zip`), the header's `alg` (how the content's key is sent) and `enc` (how the
/// content is encrypted) against the key's, the key by its identifier (`kid`), lengths, then the
/// tag over header and content. From unwrapping the content's key to the tag there is one error and
/// the same work, so that no sender learns how far a token came (RFC 7516, section 11.5). **Not**
/// checked: the content, `typ` and `cty`.
public struct JWEDecrypter: Sendable {
    /// The longest token, in bytes.
    public static let maximumByteCount = 1 << 18
    /// The most shared keys with one `kid`, which are tried in turn.
    public static let maximumSharedKeyCount = 4

    private let keys: [DecryptionKey]
    private let knownHeaders: KnownHeaders<Reading>

    /// Decrypts with a key. A key without an identifier accepts any `kid`.
    public init(key: DecryptionKey) {
        keys = [key]
        knownHeaders = KnownHeaders()
    }

    /// Decrypts with any of several keys; the header's `kid` chooses a key. Give each private key an
    /// identifier, or make a ``DecryptionKeySet`` of them, which names them by their thumbprints.
    ///
    /// A named key, even a single one, refuses every other `kid`.
    ///
    /// At most one operation with a private key is made for a token: without a `kid`, with the
    /// first key that has the header's `alg`. Put the current key first. Shared keys may have one
    /// `kid` or none, up to ``maximumSharedKeyCount``: they are tried in this order.
    ///
    /// - Throws: `duplicateKeyID` for two private keys, or too many shared ones, that one header
    ///   would choose.
    public init(keys: [DecryptionKey]) throws(KeyError) {
        for key in keys {
            // The key itself is among them.
            let rivals = keys.filter { key.isRival(of: $0) }
            let limit = Self.maximumCount(of: key.algorithm)
            guard rivals.count <= limit else {
                throw KeyError(
                    .duplicateKeyID,
                    "\(rivals.count) keys for \(shown: key.algorithm.name) have the same \"kid\" or none; there may be \(limit)."
                )
            }
        }
        self.keys = keys
        knownHeaders = KnownHeaders()
    }

    /// Decrypts with the current and the earlier keys of a receiver:
    ///
    /// ```swift
    /// let decrypter = JWEDecrypter(keys: ownKeys)
    /// ```
    public init(keys: DecryptionKeySet) { self = keys.decrypter }

    /// Decrypts a token.
    ///
    /// - Throws: `tooLarge`, `malformed`, `criticalUnsupported`, `algorithmNotAllowed`,
    ///   `noMatchingKey`, `ambiguousKey`; `decryptionFailed` for whatever fails with the key.
    public func decrypt(_ compact: String) throws(TokenError) -> DecryptedPayload {
        try decrypt(compact.utf8.span)
    }

    /// Decrypts a token given as bytes.
    public func decrypt(_ compact: some Collection<UInt8>) throws(TokenError) -> DecryptedPayload {
        try CompactSerialization.checkSize(
            compact.count, maximumByteCount: Self.maximumByteCount)
        return try withSpan(of: compact) { (token) throws(TokenError) in try decrypt(token) }
    }

    /// How many keys a single header may choose.
    private static func maximumCount(of algorithm: KeyManagementAlgorithm) -> Int {
        algorithm.isSymmetric ? maximumSharedKeyCount : 1
    }

    /// Decrypts a token in five steps.
    func decrypt(_ token: Span<UInt8>) throws(TokenError) -> DecryptedPayload {
        // 1: size and parts.
        let parts = try EncryptedParts(token, maximumByteCount: Self.maximumByteCount)
        // 2 and 3: the header and its keys.
        let headerText = token.extracting(parts.header)
        let known = knownHeaders.find(headerText)
        let reading: Reading
        if let known { reading = known.reading } else { reading = try read(headerText) }
        let header = reading.header
        // 4: the lengths, which tell nothing about a key.
        try parts.checkLengths(for: header)
        // 5: the key of the content, and the content. A wrong key leads to a random key for the
        // content, with which it does not open.
        for key in reading.keys {
            let contentKey = try key.contentKey(of: parts, header: header)
            guard
                let content = try parts.openedContent(
                    with: contentKey, as: header.contentEncryption, header: headerText)
            else { continue }
            // Anybody encrypts to a private key, with any header.
            if known == nil, key.algorithm.isSymmetric {
                knownHeaders.remember(KnownHeader(headerText, reading: reading))
            }
            return DecryptedPayload(payload: content, header: header, keyID: key.keyID)
        }
        throw TokenError(
            .decryptionFailed,
            "The token does not decrypt with the key that fits its header: it was changed or is for a different key."
        )
    }

    /// What a header says, and the keys that it chooses.
    private struct Reading {
        let header: EncryptedTokenHeader
        let keys: [DecryptionKey]
    }

    /// Steps 2 and 3 for a header that no earlier token had.
    private func read(_ headerText: Span<UInt8>) throws(TokenError) -> Reading {
        let header = try EncryptedTokenHeader(reading: headerText)
        return Reading(header: header, keys: try keys(for: header))
    }

    /// The keys that a header chooses: one private key, or several that are shared.
    private func keys(for header: EncryptedTokenHeader) throws(TokenError) -> [DecryptionKey] {
        let named = keys.filter { isNamed($0, by: header.keyIDText) }
        guard !named.isEmpty else {
            throw TokenError(.noMatchingKey, "No key to decrypt with has the header's \"kid\".")
        }
        let fitting = named.filter { $0.binding.allows(header) }
        guard let first = fitting.first else {
            throw TokenError(
                .algorithmNotAllowed,
                "The header's \"alg\" or \"enc\" is not one that the key is bound to.")
        }
        // A sender that writes no `kid` used the only key that it found (OpenID Connect Core 1.0,
        // section 10.2): the current one.
        guard first.algorithm.isSymmetric else { return [first] }
        guard fitting.count <= Self.maximumSharedKeyCount else {
            throw TokenError(
                .ambiguousKey,
                "Several keys fit, and the header's \"kid\" does not say which one to use.")
        }
        return fitting
    }

    /// Whether a header means a key. A header without `kid` may mean any, and a key without one is
    /// meant by any header if it is the only key.
    private func isNamed(_ key: DecryptionKey, by keyID: ReceivedText?) -> Bool {
        guard let keyID else { return true }
        guard let own = key.keyID else { return keys.count == 1 }
        return keyID.isEqual(to: own)
    }
}

extension DecryptionKey {
    /// Whether one header could choose either key by its `kid`. The `key` of a received text
    /// compares by bytes.
    fileprivate func isRival(of other: DecryptionKey) -> Bool {
        algorithm == other.algorithm
            && keyID.map { ReceivedText($0).key } == other.keyID.map { ReceivedText($0).key }
    }
}
