// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The checks, in order, that every verifier of compact tokens shares (``TokenVerifier``,
/// ``JWSVerifier``): from the bytes to a payload whose signature has verified. A compact token
/// (JWS) has three parts, each in base64url:
///
/// ```
/// HEADER.PAYLOAD.SIGNATURE       the signature is over HEADER.PAYLOAD as it stands
/// eyJhbGciOiJFUzI1NiJ9.e30.…     the header here is {"alg":"ES256"}, the payload {}
/// ```
struct SignatureChecker: Sendable {
    struct Checked {
        let header: TokenHeader
        /// The identifier of the key that verified.
        let keyID: String?
        /// The decoded payload.
        let payload: [UInt8]
    }

    let keys: KeyRing
    let maximumByteCount: Int
    /// What this verifier demands of a header.
    var rule = HeaderRule(algorithms: nil, requiresKeyID: false)

    /// Checks a token in seven steps. The payload is decoded only after the signature has verified.
    func check(_ token: Span<UInt8>) throws(TokenError) -> Checked {
        // 1 and 2: size and parts.
        let parts = try CompactSerialization(token, maximumByteCount: maximumByteCount)
        // 3 to 6: the header and its key.
        let header: KnownHeader<SignedHeader>
        let known = keys.knownHeaders.find(token.extracting(parts.header))
        if let known {
            // The steps have passed for an earlier token with this very header, but for the rule:
            // verifiers that share the keys may have different rules.
            header = known
            let reading = header.reading
            try rule.check(TokenHeader(reading.root), algorithm: reading.algorithm)
        } else {
            header = try readHeader(of: token, parts: parts)
        }
        // 7: the signature.
        let key = header.reading.key
        guard let signature = Base64.url.decode(token.extracting(parts.signature)) else {
            throw TokenError(
                unreadable: token,
                message: "The signature is not base64url without padding, or was cut short.")
        }
        guard try isValid(signature.span, for: token.extracting(parts.signingInput), key: key)
        else {
            throw TokenError(notVerified: signature.span, with: key)
        }
        if known == nil { keys.knownHeaders.remember(header) }
        guard let payload = Base64.url.decode(token.extracting(parts.payload)) else {
            throw TokenError(
                unreadable: token, message: "The payload is not base64url without padding.")
        }
        return Checked(
            header: TokenHeader(header.reading.root), keyID: key.keyID, payload: payload)
    }

    /// Steps 3 to 6 for a header that no earlier token had.
    private func readHeader(
        of token: Span<UInt8>, parts: CompactSerialization
    ) throws(TokenError) -> KnownHeader<SignedHeader> {
        // 3: the header.
        let header = try TokenHeader(reading: token, parts: parts)
        // 4: "crit".
        try header.checkExtensions()
        // 5: the algorithm.
        let algorithm = try header.namedAlgorithm()
        try rule.check(header, algorithm: algorithm)
        // 6: the key.
        let key = try keys.key(header.keyIDText, for: algorithm, of: rule.algorithms)
        return KnownHeader(
            token.extracting(parts.header),
            reading: SignedHeader(root: header.root, algorithm: algorithm, key: key))
    }

    /// Rejects a long token before a non-contiguous collection is copied.
    func checkSize(_ byteCount: Int) throws(TokenError) {
        try CompactSerialization.checkSize(byteCount, maximumByteCount: maximumByteCount)
    }

    private func isValid(
        _ signature: Span<UInt8>, for message: Span<UInt8>, key: SignatureKey
    ) throws(TokenError) -> Bool {
        do {
            return try key.isValid(signature, for: message)
        } catch {
            throw TokenError(
                .libraryFailure, underlying: error,
                "libcrypto could not tell whether the signature is good: \(messageOf: error)")
        }
    }
}

/// The three parts of a compact JWS (RFC 7515, section 7.1), as ranges of its bytes.
package struct CompactSerialization {
    package let header: Range<Int>
    package let payload: Range<Int>
    package let signature: Range<Int>

    /// The signed part: the header, the dot and the payload, as they stand.
    package var signingInput: Range<Int> { header.lowerBound..<payload.upperBound }

    /// The longest encoded header and signature: an 8192-bit RSA signature has 1,366 characters.
    /// Header and signature are decoded before anything is known about a token, so they are bounded
    /// even if payloads may be long.
    private static let maximumHeaderByteCount = 65_536
    private static let maximumSignatureByteCount = 2048

    /// Finds the parts by their two dots, after the size is checked. The parts are not looked at.
    package init(_ token: Span<UInt8>, maximumByteCount: Int) throws(TokenError) {
        try Self.checkSize(token.count, maximumByteCount: maximumByteCount)
        let dot = UInt8(ascii: ".")
        // Payload and signature may be empty here.
        guard let first = token.firstIndex(of: dot), first > 0,
            let second = token.firstIndex(of: dot, from: first + 1)
        else { throw TokenError(notCompact: token) }
        guard token.firstIndex(of: dot, from: second + 1) == nil else {
            throw TokenError(notCompact: token)
        }
        guard first <= Self.maximumHeaderByteCount,
            token.count - second <= Self.maximumSignatureByteCount
        else {
            throw TokenError(
                .tooLarge, "The header or the signature of the token is too long.")
        }
        header = 0..<first
        payload = (first + 1)..<second
        signature = (second + 1)..<token.count
    }

    /// Rejects a token that is too long.
    package static func checkSize(_ byteCount: Int, maximumByteCount: Int) throws(TokenError) {
        guard byteCount <= maximumByteCount else {
            throw TokenError(.tooLarge, "The token is longer than \(maximumByteCount) bytes.")
        }
    }
}
