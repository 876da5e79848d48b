// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The order of work that every verifier shares.
struct SignatureChecker: Sendable {
    struct Checked {
        let header: TokenHeader
        let keyID: String?
        let payload: [UInt8]
    }

    let keys: KeyRing
    let maximumByteCount: Int
    var rule = HeaderRule.none

    /// Size, parts, header, `crit`, algorithm, key, signature. The payload is not decoded before
    /// the signature has been found good.
    func check(_ token: Span<UInt8>) throws(TokenError) -> Checked {
        try checkSize(token.count)
        let parts = try CompactSerialization(token, maximumByteCount: maximumByteCount)
        let header = try ReceivedHeader(token, parts)
        try header.checkExtensions()
        let algorithm = try rule.algorithm(of: header)
        let key = try keys.key(for: header, algorithm)
        try key.checkSignature(of: token, parts)
        guard let payload = Base64URL.decode(token, in: parts.payload) else {
            throw TokenError(.malformed, "The payload is not base64url without padding.")
        }
        return Checked(header: TokenHeader(header), keyID: key.keyID, payload: payload)
    }

    /// Refuses a long token before a collection that is not contiguous is copied into one that is.
    func checkSize(_ byteCount: Int) throws(TokenError) {
        try CompactSerialization.checkSize(byteCount, maximumByteCount: maximumByteCount)
    }
}
