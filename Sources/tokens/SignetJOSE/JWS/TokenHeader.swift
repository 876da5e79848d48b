// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The protected header of a compact JWS (RFC 7515, section 4), as far as Signet uses it. Callers
/// get it only after the signature has verified.
///
/// `jwk`, `jku`, `x5u` and `x5c` are ignored: a token does not say which key to trust.
public struct TokenHeader: Sendable {
    let root: JSONNode

    /// `alg`.
    public var algorithm: String { algorithmText.swiftString() }
    /// `kid`.
    public var keyID: String? { keyIDText?.swiftString() }
    /// `typ`.
    public var type: String? { typeText?.swiftString() }
    /// `cty`.
    public var contentType: String? { root.text(of: "cty")?.swiftString() }

    /// `alg`, to be compared. No header lacks it: `init(reading:parts:)` refuses one without.
    var algorithmText: ReceivedText { root.text(of: "alg") ?? ReceivedText("") }
    /// `kid`, to be compared.
    var keyIDText: ReceivedText? { root.text(of: "kid") }
    /// `typ`, to be compared.
    var typeText: ReceivedText? { root.text(of: "typ") }

    init(_ root: JSONNode) { self.root = root }

    /// Reads the header of an unverified token.
    init(reading token: Span<UInt8>, parts: CompactSerialization) throws(TokenError) {
        guard let bytes = Base64.url.decode(token.extracting(parts.header)) else {
            throw TokenError(
                unreadable: token, message: "The header is not base64url without padding.")
        }
        root = try ProtectedHeader.object(bytes)
        try ProtectedHeader.checkTexts(
            of: root, required: ["alg"], optional: ["kid", "typ", "cty"])
    }

    /// Rejects a header with extensions: Signet understands none.
    func checkExtensions() throws(TokenError) {
        // RFC 7797 requires `crit` to list `b64`; a token that forgets that still changes what was
        // signed.
        guard root.kind(of: "crit") == nil, root.kind(of: "b64") == nil else {
            throw TokenError(
                .criticalUnsupported,
                "The token depends on a header extension; Signet understands none.")
        }
    }

    /// The algorithm that `alg` names.
    func namedAlgorithm() throws(TokenError) -> JWSAlgorithm {
        guard let algorithm = JWSAlgorithm(name: algorithmText.utf8.span) else {
            throw TokenError(
                .algorithmNotAllowed, detail: .unknownAlgorithm,
                "The header's \"alg\" names no algorithm that Signet knows.")
        }
        return algorithm
    }
}

/// The further rules for a header before a key is looked up, for verifiers of a single issuer with
/// known algorithms.
package struct HeaderRule: Sendable {
    /// The names allowed in `alg`; nil leaves it to the key.
    let algorithms: [SignatureAlgorithm]?
    /// Whether a `kid` is required, even if there is only a single key.
    private let requiresKeyID: Bool

    package init(algorithms: [SignatureAlgorithm]?, requiresKeyID: Bool) {
        self.algorithms = algorithms
        self.requiresKeyID = requiresKeyID
    }

    /// Checks size, parts and header, which need no key. Call it before fetching keys, so garbage
    /// causes no fetch.
    package func check(_ compact: String, maximumByteCount: Int) throws(TokenError) {
        let token = compact.utf8.span
        let header = try TokenHeader(
            reading: token, parts: CompactSerialization(token, maximumByteCount: maximumByteCount))
        try header.checkExtensions()
        try check(header, algorithm: header.namedAlgorithm())
    }

    /// Rejects a header and its algorithm if no key could make them acceptable.
    func check(_ header: TokenHeader, algorithm: JWSAlgorithm) throws(TokenError) {
        guard algorithms?.contains(where: { algorithm == .signature($0) }) ?? true else {
            throw TokenError(
                .algorithmNotAllowed, "The header's \"alg\" is not one that this issuer uses.")
        }
        guard !requiresKeyID || header.keyIDText != nil else {
            throw TokenError(
                .noMatchingKey, detail: .noKeyID,
                "The header has no \"kid\", which this issuer always writes.")
        }
    }
}
