// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Unverified hints from a token, for choosing a verifier and nothing else.
///
/// ```swift
/// let hints = try UnverifiedToken(token)
/// if let verifier = verifiers.first(where: { $0.key.utf8.elementsEqual((hints.issuer ?? "").utf8) }) {
///     print(try verifier.value.verify(token).registered.issuer ?? "")
/// }
/// ```
///
/// All of it may be forged. There is no way from here to the claims. Each hint has at most 1,024
/// bytes.
public struct UnverifiedToken: Sendable {
    /// The header's `alg`.
    public let algorithm: String
    /// The header's `kid`.
    public let keyID: String?
    /// The header's `typ`.
    public let type: String?
    /// The payload's `iss`, if it is a string: choose the verifier by it.
    public let issuer: String?

    /// Reads the hints of a compact JWS with the same strict readers that a verifier uses.
    ///
    /// - Parameters:
    ///   - compact: the compact token.
    ///   - maximumByteCount: longer tokens are rejected unread; 16 KiB by default, 256 KiB at most.
    /// - Throws: `tooLarge` for the token or a hint; `malformed`; `claimInvalid` if a registered
    ///   claim has a wrong type, which every verifier rejects.
    public init(_ compact: some StringProtocol, maximumByteCount: Int = 16_384) throws(TokenError) {
        try self.init(compact, maximumByteCount: maximumByteCount, nullIsAbsent: false)
    }

    /// Reads the hints for a verifier whose policy has this `nullIsAbsent`.
    package init(
        _ compact: some StringProtocol, maximumByteCount: Int, nullIsAbsent: Bool
    ) throws(TokenError) {
        let limit = min(max(maximumByteCount, 0), TokenPolicy.tokenByteCountCeiling)
        // Checked before a part of a longer text is copied.
        try CompactSerialization.checkSize(compact.utf8.count, maximumByteCount: limit)
        let text = String(compact)
        let token = text.utf8.span
        let parts = try CompactSerialization(token, maximumByteCount: limit)
        let header = try TokenHeader(reading: token, parts: parts)
        guard let payload = Base64.url.decode(token.extracting(parts.payload)),
            Base64.url.decode(token.extracting(parts.signature)) != nil
        else {
            throw TokenError(
                unreadable: token, message: "A part of the token is not base64url without padding.")
        }
        algorithm = try Self.hint(header.algorithmText, name: "alg")
        keyID = try header.keyIDText.map { (text) throws(TokenError) in
            try Self.hint(text, name: "kid")
        }
        type = try header.typeText.map { (text) throws(TokenError) in
            try Self.hint(text, name: "typ")
        }
        let claims = try RegisteredClaims(payload: payload, nullIsAbsent: nullIsAbsent)
        issuer = try claims.issuerText.map { (text) throws(TokenError) in
            try Self.hint(text, name: "iss")
        }
    }

    /// Limits a hint's length: programs look up a verifier by it, at worst in time quadratic in its
    /// length.
    private static func hint(_ text: ReceivedText, name: String) throws(TokenError) -> String {
        guard text.byteCount <= ReceivedText.maximumUnverifiedByteCount else {
            throw TokenError(
                .tooLarge, claim: name == "iss" ? name : nil,
                "The token's \"\(shown: name)\" has \(text.byteCount) bytes; it may have "
                    + "\(ReceivedText.maximumUnverifiedByteCount).")
        }
        return text.swiftString()
    }
}
