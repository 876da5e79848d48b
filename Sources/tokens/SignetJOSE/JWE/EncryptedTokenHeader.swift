// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The protected header of a compact JWE (RFC 7516, section 4), as far as Signet uses it. Callers
/// get it only after the content has been opened with a key that they hold.
///
/// It is authenticated by that key alone: anyone with a published key can write any header. `jwk`,
/// `jku`, `x5u` and `x5c` are ignored, and so are copies of claims (RFC 7519, section 5.3).
public struct EncryptedTokenHeader: Sendable {
    /// The most names and values together: a header has about 20, and reading a name costs as much
    /// as decrypting 100 bytes.
    package static let maximumNodeCount = 64

    let root: JSONNode
    /// `alg`: how the key of the content was sent.
    public let algorithm: KeyManagementAlgorithm
    /// `enc`: how the content is encrypted.
    public let contentEncryption: ContentEncryptionAlgorithm

    /// `kid`.
    public var keyID: String? { keyIDText?.swiftString() }
    /// `typ`.
    public var type: String? { root.text(of: "typ")?.swiftString() }
    /// `cty`.
    public var contentType: String? { contentTypeText?.swiftString() }

    /// `kid`, to be compared.
    var keyIDText: ReceivedText? { root.text(of: "kid") }
    /// `cty`, to be compared.
    var contentTypeText: ReceivedText? { root.text(of: "cty") }

    /// Reads the encoded header of a token that nothing is known about.
    init(reading encoded: Span<UInt8>) throws(TokenError) {
        guard let bytes = Base64.url.decode(encoded) else {
            throw TokenError(.malformed, "The header is not base64url without padding.")
        }
        root = try ProtectedHeader.object(bytes, maximumNodeCount: Self.maximumNodeCount)
        try Self.checkExtensions(root)
        try ProtectedHeader.checkTexts(
            of: root, required: ["alg", "enc"], optional: ["kid", "typ", "cty"])
        guard
            let algorithm = root.text(of: "alg").flatMap({
                KeyManagementAlgorithm(utf8: $0.utf8.span)
            })
        else { throw Self.unknown("alg") }
        guard
            let content = root.text(of: "enc").flatMap({
                ContentEncryptionAlgorithm(utf8: $0.utf8.span)
            })
        else { throw Self.unknown("enc") }
        self.algorithm = algorithm
        contentEncryption = content
    }

    /// Rejects extensions, and compression: what a token unpacks to has no limit, and its length
    /// tells something about secrets in it (RFC 8725, section 3.6).
    private static func checkExtensions(_ root: JSONNode) throws(TokenError) {
        guard root.kind(of: "crit") == nil else {
            throw TokenError(
                .criticalUnsupported,
                "The token depends on a header extension; Signet understands none.")
        }
        guard root.kind(of: "zip") == nil else {
            throw TokenError(
                .criticalUnsupported,
                "The token is compressed (\"zip\"), which is not read: ask its issuer to leave that out."
            )
        }
    }

    private static func unknown(_ name: String) -> TokenError {
        TokenError(
            .algorithmNotAllowed, detail: .unknownAlgorithm,
            "The header's \"\(shown: name)\" names no algorithm that Signet decrypts with.")
    }
}
