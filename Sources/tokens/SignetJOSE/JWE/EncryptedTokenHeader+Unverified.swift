// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension EncryptedTokenHeader {
    /// The `kid` of an encrypted token that nothing is known about, to choose a verifier by; nil if
    /// it has none. Anybody can write it.
    ///
    /// - Throws: `tooLarge`, `malformed` and so on for a token that no ``JWEDecrypter`` reads.
    package static func unverifiedKeyID(
        of compact: String, maximumByteCount: Int
    ) throws(TokenError) -> ReceivedText? {
        let token = compact.utf8.span
        let parts = try EncryptedParts(token, maximumByteCount: maximumByteCount)
        return try EncryptedTokenHeader(reading: token.extracting(parts.header)).keyIDText
    }
}
