// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory
internal import Synchronization

/// The keys of a verifier, all of the same class: public keys or HMAC secrets.
struct KeyRing: Sendable {
    /// The most copies of the same key in a set, since each token compares them all.
    private static let maximumCopyCount = 8

    private let keys: [SignatureKey]
    private var keysByID: [ReceivedText.Key: [SignatureKey]]
    /// The identifiers of members that cannot be used.
    private let unusable: Set<ReceivedText.Key>
    /// Whether the ring is a single key without an identifier, which accepts any `kid`.
    private let answersToAnyID: Bool
    let knownHeaders = KnownHeaders()

    /// A single key.
    init(_ key: SignatureKey) { self.init([key], skipped: [], answersToAnyID: key.keyID == nil) }

    /// The keys of a set.
    init(_ keys: [SignatureKey], skipped: [SkippedKey]) {
        self.init(keys, skipped: skipped, answersToAnyID: false)
    }

    private init(_ keys: [SignatureKey], skipped: [SkippedKey], answersToAnyID: Bool) {
        self.keys = keys
        keysByID = Dictionary(minimumCapacity: keys.count)
        for key in keys {
            if let keyID = key.keyID { keysByID[ReceivedText(keyID).key, default: []].append(key) }
        }
        unusable = Set(skipped.compactMap(\.keyID).map { ReceivedText($0).key })
        self.answersToAnyID = answersToAnyID
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
        guard named.contains(where: { $0.answers(toAnyOf: accepted) }) else {
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
        for key in keys where key.answers(to: algorithm) {
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
        guard let keyID, !answersToAnyID else { return keys }
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

/// A key to verify with, of either class.
struct SignatureKey: Sendable {
    enum Operation: Sendable {
        case publicKey(BoundKey)
        case secret(MACKey)
    }

    /// The key's own identifier.
    let keyID: String?
    let algorithm: JWSAlgorithm
    /// A second algorithm name that a header may use for the same operation.
    var alternative: JWSAlgorithm?
    let operation: Operation

    /// The length of the key's signatures; nil if libcrypto does not tell.
    var signatureByteCount: Int? {
        switch operation {
        case .publicKey(let key): key.signatureByteCount
        case .secret(let key): key.hash.byteCount
        }
    }

    /// Whether a header that names `algorithm` may be verified with this key.
    func answers(to algorithm: JWSAlgorithm) -> Bool {
        algorithm == self.algorithm || algorithm == alternative
    }

    /// Whether the key may verify under a listed algorithm; nil accepts any.
    func answers(toAnyOf accepted: [SignatureAlgorithm]?) -> Bool {
        accepted?.contains { answers(to: .signature($0)) } ?? true
    }

    /// Whether two public keys have the same numbers, and the same identifier or none. Issuers
    /// publish a key twice, for example with and without `alg`. Two secrets never count as the same
    /// key.
    func isSame(as other: SignatureKey) -> Bool {
        guard case .publicKey(let mine) = operation, case .publicKey(let others) = other.operation,
            keyID.map({ ReceivedText($0).key }) == other.keyID.map({ ReceivedText($0).key })
        else { return false }
        return mine.hasSameKey(as: others)
    }

    func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) throws(CryptographyError)
        -> Bool
    {
        switch operation {
        case .publicKey(let key): try key.isValid(signature, for: message)
        case .secret(let key): try key.isValid(signature, for: message)
        }
    }
}

/// The first four headers that came with a valid signature. An issuer repeats its headers, and
/// reading a header takes a sixth of a verification. No header is replaced, so tokens of further
/// issuers change nothing. No thread waits.
final class KnownHeaders: Sendable {
    /// A longer header is not remembered.
    private static let maximumByteCount = 1_024

    /// Filled from the first on.
    private let headers = InlineArray<4, AtomicLazyReference<KnownHeader>> { _ in
        AtomicLazyReference()
    }

    func find(_ text: Span<UInt8>) -> KnownHeader? {
        for i in headers.indices {
            guard let known = headers[i].load() else { return nil }
            let knownText = known.text
            if bytesAreEqual(knownText.span, text) { return known }
        }
        return nil
    }

    func remember(_ header: KnownHeader) {
        guard header.text.count <= Self.maximumByteCount else { return }
        for i in headers.indices {
            // The first that is free, unless another thread has stored the same header there.
            if headers[i].storeIfNil(header).text == header.text { return }
        }
    }
}

/// A header as tokens encode it, and the result of reading it.
final class KnownHeader: Sendable {
    let text: [UInt8]
    let root: JSONNode
    let algorithm: JWSAlgorithm
    let key: SignatureKey

    init(_ text: Span<UInt8>, root: JSONNode, algorithm: JWSAlgorithm, key: SignatureKey) {
        self.text = text.copied()
        self.root = root
        self.algorithm = algorithm
        self.key = key
    }
}
