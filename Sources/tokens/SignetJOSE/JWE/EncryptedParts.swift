// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The five parts of a compact JWE, an encrypted token (RFC 7516, section 7.1), each in base64url:
///
/// ```
/// HEADER.ENCRYPTED KEY.INITIALIZATION VECTOR.CIPHERTEXT.TAG
/// eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..l3bWwQvU7DgPzzCH.k0YNqw.s4rkEHJVDNkQIRIyEb7vEA
/// ```
///
/// The encrypted key may be empty, as for `dir` here, and the ciphertext.
package struct EncryptedParts {
    /// Not decoded: the text is authenticated with the content.
    let header: Range<Int>
    let encryptedKey: [UInt8]
    let vector: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]

    /// The longest encoded header.
    package static let maximumHeaderByteCount = 4_096

    /// Splits a token and decodes the parts after its header, after the sizes are checked.
    init(_ token: Span<UInt8>, maximumByteCount: Int) throws(TokenError) {
        try CompactSerialization.checkSize(token.count, maximumByteCount: maximumByteCount)
        let dot = UInt8(ascii: ".")
        // The positions of the dots. There must be four; the search ends at a fifth.
        var ends = InlineArray<5, Int>(repeating: 0)
        var count = 0
        var start = 0
        while count < 5, let end = token.firstIndex(of: dot, from: start) {
            ends[count] = end
            count += 1
            start = end + 1
        }
        guard count == 4, ends[0] > 0 else { throw TokenError(notEncrypted: token) }
        guard ends[0] <= Self.maximumHeaderByteCount else {
            throw TokenError(
                .tooLarge,
                "The header has \(ends[0]) characters; it may have \(Self.maximumHeaderByteCount).")
        }
        header = 0..<ends[0]
        encryptedKey = try Self.decoded(token, at: ends[0] + 1..<ends[1])
        vector = try Self.decoded(token, at: ends[1] + 1..<ends[2])
        ciphertext = try Self.decoded(token, at: ends[2] + 1..<ends[3])
        tag = try Self.decoded(token, at: ends[3] + 1..<token.count)
    }

    /// Refuses lengths that are wrong with any key. So the error tells nothing about a key.
    func checkLengths(for header: EncryptedTokenHeader) throws(TokenError) {
        let cipher = header.contentEncryption.cipher
        try Self.check(vector, is: cipher.nonceByteCount, called: "initialization vector")
        try Self.check(tag, is: cipher.tagByteCount, called: "tag")
        switch header.algorithm.family {
        // No key is sent: it is shared, or agreed.
        case .direct, .agreement(wrappingByteCount: nil):
            try Self.check(encryptedKey, is: 0, called: "encrypted key")
        // AES key wrap adds eight bytes.
        case .wrapping, .agreement:
            try Self.check(encryptedKey, is: cipher.keyByteCount + 8, called: "encrypted key")
        // RSA's is as long as the modulus, which the header does not tell.
        case .encryption: break
        }
    }

    private static func check(
        _ part: [UInt8], is byteCount: Int, called name: String
    ) throws(TokenError) {
        guard part.count == byteCount else {
            throw TokenError(
                .malformed,
                "The token's \(shown: name) has \(part.count) bytes instead of \(byteCount).")
        }
    }

    private static func decoded(
        _ token: Span<UInt8>, at range: Range<Int>
    ) throws(TokenError) -> [UInt8] {
        guard let bytes = Base64.url.decode(token.extracting(range)) else {
            throw TokenError(
                .malformed,
                "A part of the encrypted token is not base64url without padding, or was cut short.")
        }
        return bytes
    }
}
