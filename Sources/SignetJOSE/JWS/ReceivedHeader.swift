// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The protected header of a token of which nothing has been verified (RFC 7515, section 4), as far
/// as Signet uses it.
///
/// `jwk`, `jku`, `x5u` and `x5c` are never looked at: a token does not say which key to trust.
/// Callers get a ``TokenHeader``, once the signature has been found good.
struct ReceivedHeader {
    /// What `alg` names.
    enum Algorithm {
        case signature(SignatureAlgorithm)
        case code(HMACAlgorithm)
    }

    /// `alg`.
    let algorithmName: ReceivedText
    /// `kid`.
    let keyID: ReceivedText?
    /// `typ`.
    let type: ReceivedText?
    /// `cty`.
    let contentType: ReceivedText?
    /// Whether it asks for an extension (`crit`, or `b64`): such a token is refused.
    private let asksForExtension: Bool

    /// Reads the header of a token.
    init(_ token: Span<UInt8>, _ parts: CompactSerialization) throws(TokenError) {
        guard let bytes = Base64URL.decode(token, in: parts.header) else {
            throw TokenError(.malformed, "The header is not base64url without padding.")
        }
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONDocument(bytes).root
        } catch {
            throw TokenError(
                .malformed, detail: error.code == .duplicateMember ? .duplicateMember : nil,
                "The header is not strict JSON (\(error.code.rawValue)).")
        }
        guard root.kind == .object else {
            throw TokenError(.malformed, "The header is not a JSON object.")
        }
        guard let algorithm = try Self.text("alg", root) else {
            throw TokenError(.malformed, "The header has no \"alg\".")
        }
        algorithmName = algorithm
        keyID = try Self.text("kid", root)
        type = try Self.text("typ", root)
        contentType = try Self.text("cty", root)
        // RFC 7797 has `b64` listed in `crit`; a token that forgets that still changes what was
        // signed.
        asksForExtension = root.member("crit") != nil || root.member("b64") != nil
    }

    /// Signet understands no extension.
    func checkExtensions() throws(TokenError) {
        guard !asksForExtension else {
            throw TokenError(
                .criticalUnsupported,
                "The token depends on a header extension; Signet understands none.")
        }
    }

    /// The algorithm; refuses what no key could make acceptable.
    func algorithm() throws(TokenError) -> Algorithm {
        if let name = AlgorithmName(algorithmName.utf8.span) {
            if let code = HMACAlgorithm(name) { return .code(code) }
            if let signature = SignatureAlgorithm(name) { return .signature(signature) }
        }
        throw TokenError(
            .algorithmNotAllowed, detail: .unknownAlgorithm,
            "The header's \"alg\" is none that Signet knows."
        )
    }

    private static func text(_ name: String, _ root: JSONNode) throws(TokenError) -> ReceivedText? {
        guard let member = root.member(name) else { return nil }
        guard let text = member.text else {
            throw TokenError(.malformed, "The header's \"\(name)\" is not a string.")
        }
        return text
    }
}
