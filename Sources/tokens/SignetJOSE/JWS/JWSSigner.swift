// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// Signs any payload as a compact JWS (RFC 7515): `HEADER.PAYLOAD.SIGNATURE`, each in base64url.
/// The header is JSON, such as `{"alg":"ES256","kid":"2026-1"}`. For JWT use ``TokenSigner``.
///
/// ```swift
/// let compact = try JWSSigner(key: key, contentType: "text/plain").sign("a release".utf8)
/// ```
public struct JWSSigner: Sendable {
    private enum Operation: Sendable {
        /// Signs with a private key, bound to its algorithm.
        case signature(BoundKey)
        /// Makes the HMAC with a secret.
        case authenticationCode(MACKey)
    }

    private let operation: Operation
    /// The encoded header and the dot after it, the same for each token.
    private let encodedHeader: [UInt8]

    /// Signs with a private key. The header carries `alg` (the algorithm), `kid` (the key's
    /// identifier) and, if given, `typ` (the kind of token) and `cty` (the kind of payload).
    public init(key: SigningKey, type: String? = nil, contentType: String? = nil) {
        // `creation` is the key as it signs.
        operation = .signature(key.creation)
        encodedHeader = Self.encodeHeader(
            key.algorithm.name, keyID: key.keyID, type: type, contentType: contentType)
    }

    /// Signs with a secret; the header carries `alg`, the key's `kid`, if any, and, if given, `typ`
    /// and `cty`.
    ///
    /// - Throws: `operationNotAllowed` if the key's `key_ops` do not allow signing.
    public init(hmacKey: HMACKey, type: String? = nil, contentType: String? = nil) throws(KeyError)
    {
        // Throws if the key is weak or may not sign.
        operation = .authenticationCode(try hmacKey.checkedForSigning().mac)
        encodedHeader = Self.encodeHeader(
            hmacKey.algorithm.name, keyID: hmacKey.keyID, type: type, contentType: contentType)
    }

    /// The compact form of `payload`.
    ///
    /// - Throws: `signingFailed` if libcrypto fails.
    public func sign(_ payload: some Collection<UInt8>) throws(TokenError) -> String {
        try withSpan(of: payload) { (bytes) throws(TokenError) in try sign(bytes) }
    }

    package func sign(_ payload: Span<UInt8>) throws(TokenError) -> String {
        var token = encodedHeader
        // ES256 and Ed25519 sign with 64 bytes. For a longer signature, such as RSA's, the array
        // grows once more.
        token.reserveCapacity(
            encodedHeader.count + Base64.encodedCount(payload.count) + 1
                + Base64.encodedCount(64))
        Base64.url.append(encoding: payload, to: &token)
        let signature = try signature(for: token.span)
        token.append(UInt8(ascii: "."))
        Base64.url.append(encoding: signature.span, to: &token)
        return String(decoding: token, as: UTF8.self)
    }

    private func signature(for message: Span<UInt8>) throws(TokenError) -> [UInt8] {
        do {
            return switch operation {
            case .authenticationCode(let key): try key.authenticationCode(for: message)
            case .signature(let key): try key.signature(for: message)
            }
        } catch {
            throw TokenError(
                .signingFailed, underlying: error, "libcrypto could not sign: \(messageOf: error)")
        }
    }

    /// Encodes the header's members and appends the dot.
    private static func encodeHeader(
        _ algorithm: String, keyID: String?, type: String?, contentType: String?
    ) -> [UInt8] {
        var writer = JWKWriter()
        writer.text("alg", value: algorithm)
        if let keyID { writer.text("kid", value: keyID) }
        if let type { writer.text("typ", value: type) }
        if let contentType { writer.text("cty", value: contentType) }
        var encoded = [UInt8]()
        Base64.url.append(encoding: writer.finish().utf8.span, to: &encoded)
        encoded.append(UInt8(ascii: "."))
        return encoded
    }
}
