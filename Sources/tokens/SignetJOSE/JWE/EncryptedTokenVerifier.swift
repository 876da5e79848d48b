// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Verifies an encrypted JWT: decrypts a JWE and verifies the signed token inside of it (RFC 7519,
/// section 5.2).
///
/// ```swift
/// let verifier = EncryptedTokenVerifier(
///     decryption: JWEDecrypter(key: own), inner: TokenVerifier(keys: keys, policy: policy))
/// let token = try verifier.verify(compact)
/// ```
///
/// Checked: all that ``JWEDecrypter`` checks; that `cty` is absent or `JWT`; then the inner token,
/// which is a compact JWS, by the inner verifier. There is one layer. A token that is not encrypted
/// is refused. **Not** checked: copies of claims in the outer header, which are not read.
public struct EncryptedTokenVerifier: Sendable {
    private let decryption: JWEDecrypter
    private let inner: TokenVerifier

    /// Verifies with keys to decrypt, and with a verifier of what they decrypt.
    public init(decryption: JWEDecrypter, inner: TokenVerifier) {
        self.decryption = decryption
        self.inner = inner
    }

    /// Verifies a token and gives its registered claims only.
    ///
    /// - Throws: the errors of ``JWEDecrypter/decrypt(_:)-(String)``, `typeMismatch` for a `cty`
    ///   that is no token's, and the errors of the inner verifier.
    public func verify(_ compact: String) throws(TokenError) -> VerifiedToken<RegisteredClaims> {
        try inner.verify(decryption.decrypt(compact).innerToken())
    }

    /// Verifies a token and decodes its claims as a type of yours.
    ///
    /// - Throws: the errors of ``verify(_:)``.
    public func verify<Claims: Decodable>(
        _ compact: String, as type: Claims.Type
    ) throws(TokenError) -> VerifiedToken<Claims> {
        try inner.verify(decryption.decrypt(compact).innerToken(), as: type)
    }
}

extension DecryptedPayload {
    /// The content of an encrypted token, which is a token itself.
    package func innerToken() throws(TokenError) -> [UInt8] {
        // RFC 7519, section 5.2; section 5.1 leaves the case of letters open.
        let contentType = header.contentTypeText.map { TokenPolicy.mediaType($0.utf8) }
        guard contentType ?? Array("jwt".utf8) == Array("jwt".utf8) else {
            throw TokenError(
                .typeMismatch, "The encrypted token's \"cty\" is not JWT, which a token in it has.")
        }
        return payload
    }
}
