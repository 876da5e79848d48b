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

    // Where the members stand, and not the texts: a header is handed on, and each text is a
    // reference of its own.
    private let index: JSONIndex
    private let algorithmPlace: Int
    private let keyIDPlace: Int?
    private let typePlace: Int?
    private let contentTypePlace: Int?
    /// Whether it asks for an extension (`crit`, or `b64`): such a token is refused.
    private let asksForExtension: Bool

    /// `alg`.
    var algorithmName: ReceivedText { index.text(of: index[algorithmPlace]) }
    /// `kid`.
    var keyID: ReceivedText? { keyIDPlace.map { index.text(of: index[$0]) } }
    /// `typ`.
    var type: ReceivedText? { typePlace.map { index.text(of: index[$0]) } }
    /// `cty`.
    var contentType: ReceivedText? { contentTypePlace.map { index.text(of: index[$0]) } }

    /// Reads the decoded bytes of a header.
    init(_ bytes: [UInt8]) throws(TokenError) {
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONDocument(bytes).root
        } catch {
            throw TokenError(
                .malformed, detail: error.code == .duplicateMember ? .duplicateMember : nil,
                "The header is not strict JSON (\(error.code.rawValue)).")
        }
        guard root.kind == .object else { throw TokenError(.malformed, "The header is not a JSON object.") }
        guard let algorithm = try Self.place("alg", root) else {
            throw TokenError(.malformed, "The header has no \"alg\".")
        }
        index = root.index
        algorithmPlace = algorithm
        keyIDPlace = try Self.place("kid", root)
        typePlace = try Self.place("typ", root)
        contentTypePlace = try Self.place("cty", root)
        // RFC 7797 has `b64` listed in `crit`; a token that forgets that still changes what was
        // signed.
        asksForExtension = root.member("crit") != nil || root.member("b64") != nil
    }

    /// The algorithm; refuses what no key could make acceptable.
    func algorithm() throws(TokenError) -> Algorithm {
        guard !asksForExtension else {
            throw TokenError(
                .criticalUnsupported, "The token depends on a header extension; Signet understands none.")
        }
        if let name = AlgorithmName(algorithmName.utf8.span) {
            if let code = HMACAlgorithm(name) { return .code(code) }
            if let signature = SignatureAlgorithm(name) { return .signature(signature) }
        }
        throw TokenError(
            .algorithmNotAllowed, detail: .unknownAlgorithm, "The header's \"alg\" is none that Signet knows."
        )
    }

    /// Where a member is that is a string.
    private static func place(_ name: String, _ root: JSONNode) throws(TokenError) -> Int? {
        guard let member = root.member(name) else { return nil }
        guard member.kind == .string else {
            throw TokenError(.malformed, "The header's \"\(name)\" is not a string.")
        }
        return member.position
    }
}
