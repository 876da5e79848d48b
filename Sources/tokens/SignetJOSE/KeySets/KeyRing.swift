// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The keys of a verifier, all of the same class: public keys or HMAC secrets. ``SignatureChecker``
/// asks it for the only key that a token's header may be verified with: for the header
/// `{"alg":"ES256","kid":"2026-1"}` the key whose identifier (`kid`) is "2026-1", if it is a key for
/// ES256.
struct KeyRing: Sendable {
    /// The most copies of the same key in a set, since each token compares them all.
    private static let maximumCopyCount = 8

    private let keys: [SignatureKey]
    /// The keys by `kid`; a `ReceivedText.Key` compares by bytes. Several keys may have one `kid`.
    private var keysByID: [ReceivedText.Key: [SignatureKey]]
    /// The identifiers of members of the set that cannot be used.
    private let unusable: Set<ReceivedText.Key>
    /// Whether the ring is a single key without an identifier, which accepts any `kid`.
    private let acceptsAnyID: Bool
    /// The first headers that came with a valid signature, so that they are not read again.
    let knownHeaders = KnownHeaders<SignedHeader>()

    /// A single key.
    init(_ key: SignatureKey) { self.init([key], skipped: [], acceptsAnyID: key.keyID == nil) }

    /// The keys of a set.
    init(_ keys: [SignatureKey], skipped: [SkippedKey]) {
        self.init(keys, skipped: skipped, acceptsAnyID: false)
    }

    private init(_ keys: [SignatureKey], skipped: [SkippedKey], acceptsAnyID: Bool) {
        self.keys = keys
        keysByID = Dictionary(minimumCapacity: keys.count)
        for key in keys {
            if let keyID = key.keyID { keysByID[ReceivedText(keyID).key, default: []].append(key) }
        }
        unusable = Set(skipped.compactMap(\.keyID).map { ReceivedText($0).key })
        self.acceptsAnyID = acceptsAnyID
    }

    /// The only key that may verify a header, by its `kid` and `alg`.
    ///
    /// An unknown `kid` is an error and never means "try every key". Copies of a key count as a
    /// single key.
    ///
    /// - Parameter accepted: if given, keys for algorithms that are not listed count as unusable.
    func key(
        _ keyID: ReceivedText?, for algorithm: JWSAlgorithm, of accepted: [SignatureAlgorithm]?
    ) throws(TokenError) -> SignatureKey {
        let named = candidates(keyID)
        guard !named.isEmpty else { throw noMatchingKey(keyID, isInSet: false) }
        if let key = try onlyKey(of: named, for: algorithm) { return key }
        // No key fits: either all are unusable here, or the header names a wrong algorithm.
        guard named.contains(where: { $0.verifies(underAnyOf: accepted) }) else {
            throw noMatchingKey(keyID, isInSet: true)
        }
        throw TokenError(
            .algorithmNotAllowed,
            "The header's \"alg\" is not the one that the key is bound to.")
    }

    /// The only key that answers to an algorithm, however many copies of it there are; nil if none
    /// does.
    private func onlyKey(
        of keys: [SignatureKey], for algorithm: JWSAlgorithm
    ) throws(TokenError) -> SignatureKey? {
        var only: SignatureKey?
        var copyCount = 0
        for key in keys where key.verifies(under: algorithm) {
            guard let first = only else {
                only = key
                continue
            }
            copyCount += 1
            guard copyCount < Self.maximumCopyCount, first.isSame(as: key) else {
                throw TokenError(
                    .ambiguousKey,
                    "Several keys fit, and the header's \"kid\" does not say which one to use.")
            }
        }
        return only
    }

    /// The keys that a header's `kid` names; without a `kid`, all keys of the set.
    private func candidates(_ keyID: ReceivedText?) -> [SignatureKey] {
        guard let keyID, !acceptsAnyID else { return keys }
        return keysByID[keyID.key] ?? []
    }

    /// The error for a token whose key is missing, or is in the set and cannot be used.
    private func noMatchingKey(_ keyID: ReceivedText?, isInSet: Bool) -> TokenError {
        if let keyID, isInSet || unusable.contains(keyID.key) {
            return TokenError(
                .noMatchingKey, detail: .unusableKey,
                "The set has a key with the header's \"kid\" that cannot be used.")
        }
        return TokenError(
            .noMatchingKey,
            "No key has the header's \"kid\". If the issuer has new keys, load its set again."
        )
    }
}
