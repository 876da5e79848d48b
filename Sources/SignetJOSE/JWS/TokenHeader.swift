// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The protected header of a compact JWS (RFC 7515, section 4), as far as Signet uses it.
///
/// `jwk`, `jku`, `x5u` and `x5c` are never looked at: a token does not say which key to trust.
public struct TokenHeader: Sendable, Hashable {
    /// `alg`.
    public let algorithm: String
    /// `kid`.
    public let keyID: String?
    /// `typ`.
    public let type: String?
    /// `cty`.
    public let contentType: String?
    /// Whether it asks for an extension (`crit`, or `b64`): such a token is refused.
    package let asksForExtension: Bool

    /// Reads the decoded bytes of a header.
    package init(_ bytes: [UInt8]) throws(TokenError) {
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONDocument(bytes).root
        } catch {
            throw TokenError(
                .malformed, detail: error.code == .duplicateMember ? .duplicateMember : nil,
                "The header is not strict JSON (\(error.code.rawValue)).")
        }
        guard root.kind == .object else { throw TokenError(.malformed, "The header is not a JSON object.") }
        guard let algorithm = try Self.string("alg", root) else {
            throw TokenError(.malformed, "The header has no \"alg\".")
        }
        self.algorithm = algorithm
        keyID = try Self.string("kid", root)
        type = try Self.string("typ", root)
        contentType = try Self.string("cty", root)
        // RFC 7797 has `b64` listed in `crit`; a token that forgets that still changes what was signed.
        asksForExtension = root.member("crit") != nil || root.member("b64") != nil
    }

    private static func string(_ name: String, _ root: JSONNode) throws(TokenError) -> String? {
        guard let member = root.member(name) else { return nil }
        guard let text = member.stringValue else {
            throw TokenError(.malformed, "The header's \"\(name)\" is not a string.")
        }
        return text
    }

    /// Refuses what no key could make acceptable.
    package func checkBeforeKey() throws(TokenError) {
        guard !asksForExtension else {
            throw TokenError(
                .criticalUnsupported, "The token depends on a header extension; Signet understands none.")
        }
        guard SignatureAlgorithm(name: algorithm) != nil || HMACAlgorithm(name: algorithm) != nil else {
            throw TokenError(
                .algorithmNotAllowed, detail: .unknownAlgorithm,
                "The header's \"alg\" is none that Signet knows.")
        }
    }
}
