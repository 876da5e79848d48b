// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The order of work that every verifier shares: size, split, header, `crit`, algorithm, key, signature.
///
/// The payload is not decoded before the signature has been found good.
final class SignatureChecker: Sendable {
    struct Checked {
        let header: TokenHeader
        let keyID: VerifiedKeyID
        let payload: [UInt8]
    }

    private let keys: KeyRing
    private let maximumByteCount: Int
    private let rule: HeaderRule
    private let cache = HeaderCache()

    init(keys: KeyRing, maximumByteCount: Int, rule: HeaderRule = .none) {
        self.keys = keys
        self.maximumByteCount = maximumByteCount
        self.rule = rule
    }

    /// Refuses a long token before a collection that is not contiguous is copied into one that is.
    func checkSize(_ byteCount: Int) throws(TokenError) {
        try CompactSerialization.checkSize(byteCount, maximumByteCount: maximumByteCount)
    }

    func check(_ token: Span<UInt8>) throws(TokenError) -> Checked {
        let parts = try CompactSerialization(token, maximumByteCount: maximumByteCount)
        let encodedHeader = token.extracting(parts.header)
        let known = cache.use(encodedHeader) { entry -> Result<Checked, TokenError> in
            do throws(TokenError) {
                let payload = try Self.payload(of: token, parts, entry.key)
                return .success(Checked(header: entry.header, keyID: entry.keyID, payload: payload))
            } catch {
                return .failure(error)
            }
        }
        if let known { return try known.get() }
        let (received, algorithm) = try rule.header(token, parts)
        let (key, keyID) = try keys.key(for: received, algorithm)
        let payload = try Self.payload(of: token, parts, key)
        let header = TokenHeader(received)
        cache.insert(encodedHeader, header: header, key: key, keyID: keyID)
        return Checked(header: header, keyID: keyID, payload: payload)
    }

    /// The payload, once the signature has been found good.
    private static func payload(
        of token: Span<UInt8>, _ parts: CompactSerialization, _ key: SignatureKey
    ) throws(TokenError) -> [UInt8] {
        guard try isSigned(token, parts, key) else {
            throw TokenError(
                .signatureInvalid, "The signature does not verify with the key that the header names.")
        }
        guard let payload = Base64URL.decode(token, in: parts.payload) else { throw malformed("payload") }
        return payload
    }

    private static func isSigned(
        _ token: Span<UInt8>, _ parts: CompactSerialization, _ key: SignatureKey
    ) throws(TokenError) -> Bool {
        // The signatures of HMAC, P-256 and Ed25519, and those of RSA up to 4 096 bits, need no memory of their own.
        let count = Base64Codec.decodedCount(parts.signature.count) ?? .max
        if count <= 64 {
            var room = InlineArray<64, UInt8>(repeating: 0)
            var bytes = room.mutableSpan
            return try isSigned(token, parts, key, &bytes)
        }
        return count <= 512
            ? try hasLongSignature(token, parts, key) : try hasLongestSignature(token, parts, key)
    }

    @inline(never)
    private static func hasLongSignature(
        _ token: Span<UInt8>, _ parts: CompactSerialization, _ key: SignatureKey
    ) throws(TokenError) -> Bool {
        var room = InlineArray<512, UInt8>(repeating: 0)
        var bytes = room.mutableSpan
        return try isSigned(token, parts, key, &bytes)
    }

    @inline(never)
    private static func hasLongestSignature(
        _ token: Span<UInt8>, _ parts: CompactSerialization, _ key: SignatureKey
    ) throws(TokenError) -> Bool {
        guard let signature = Base64URL.decode(token, in: parts.signature) else {
            throw malformed("signature")
        }
        return try key.isValid(signature.span, for: token.extracting(parts.signingInput))
    }

    /// - Parameter room: for the signature, which is no longer than that.
    @inline(__always)
    private static func isSigned(
        _ token: Span<UInt8>, _ parts: CompactSerialization, _ key: SignatureKey,
        _ room: inout MutableSpan<UInt8>
    ) throws(TokenError) -> Bool {
        guard let count = Base64URL.decode(token, in: parts.signature, into: &room) else {
            throw malformed("signature")
        }
        return try key.isValid(room.span.extracting(0..<count), for: token.extracting(parts.signingInput))
    }

    private static func malformed(_ part: String) -> TokenError {
        TokenError(.malformed, "The \(part) is not base64url without padding.")
    }
}
