// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The checks, in order, that every verifier of compact tokens shares (``TokenVerifier``,
/// ``JWSVerifier``): from the bytes to a payload whose signature has verified.
struct SignatureChecker: Sendable {
    struct Checked {
        let header: TokenHeader
        let keyID: String?
        let payload: [UInt8]
    }

    let keys: KeyRing
    let maximumByteCount: Int
    var rule = HeaderRule(algorithms: nil, requiresKeyID: false)

    /// Checks a token in seven steps. The payload is decoded only after the signature has verified.
    func check(_ token: Span<UInt8>) throws(TokenError) -> Checked {
        // 1 and 2: size and parts.
        let parts = try CompactSerialization(token, maximumByteCount: maximumByteCount)
        let text = token.extracting(parts.header)
        let header: TokenHeader
        let algorithm: JWSAlgorithm
        let key: SignatureKey
        let known = keys.knownHeaders.find(text)
        if let known {
            // 3 to 6 have passed for an earlier token with this very header, but for the rule:
            // verifiers that share the keys may have different rules.
            header = TokenHeader(known.root)
            algorithm = known.algorithm
            key = known.key
            try rule.check(header, algorithm: algorithm)
        } else {
            // 3: the header.
            header = try TokenHeader(reading: token, parts: parts)
            // 4: "crit".
            try header.checkExtensions()
            // 5: the algorithm.
            algorithm = try header.namedAlgorithm()
            try rule.check(header, algorithm: algorithm)
            // 6: the key.
            key = try keys.key(header.keyIDText, for: algorithm, of: rule.algorithms)
        }
        // 7: the signature.
        guard let signature = Base64.url.decode(token.extracting(parts.signature)) else {
            throw TokenError(
                unreadable: token,
                message: "The signature is not base64url without padding, or was cut short.")
        }
        guard try isValid(signature.span, for: token.extracting(parts.signingInput), key: key)
        else {
            throw TokenError(notVerified: signature.span, with: key)
        }
        if known == nil {
            keys.knownHeaders.remember(
                KnownHeader(text, root: header.root, algorithm: algorithm, key: key))
        }
        guard let payload = Base64.url.decode(token.extracting(parts.payload)) else {
            throw TokenError(
                unreadable: token, message: "The payload is not base64url without padding.")
        }
        return Checked(header: header, keyID: key.keyID, payload: payload)
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
        // HEADER.PAYLOAD.SIGNATURE, each in base64url. Payload and signature may be empty here.
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

    package static func checkSize(_ byteCount: Int, maximumByteCount: Int) throws(TokenError) {
        guard byteCount <= maximumByteCount else {
            throw TokenError(.tooLarge, "The token is longer than \(maximumByteCount) bytes.")
        }
    }
}
