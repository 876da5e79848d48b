// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The protected header of a compact token, signed or encrypted, as far as both are read alike
/// (RFC 7515 and RFC 7516, section 4): strict JSON, an object, and text where text belongs.
///
/// ```
/// let root = try ProtectedHeader.object(Array(#"{"alg":"ES256","kid":"a"}"#.utf8))
/// try ProtectedHeader.checkTexts(of: root, required: ["alg"], optional: ["kid", "typ", "cty"])
/// ```
enum ProtectedHeader {
    /// Reads a decoded header's bytes.
    ///
    /// - Parameter maximumNodeCount: the most names and values together; more are `tooLarge`.
    static func object(
        _ bytes: [UInt8], maximumNodeCount: Int = .max
    ) throws(TokenError) -> JSONNode {
        let root: JSONNode
        do {
            root = try JSONDocument(bytes, maximumNodeCount: maximumNodeCount).root
        } catch {
            // Without a limit of the caller's, which headers of signed tokens do not have, any text
            // that cannot be read is malformed.
            guard error.code != .tooLarge || maximumNodeCount == .max else {
                throw TokenError(
                    .tooLarge, underlying: error,
                    "The header has more than \(maximumNodeCount) names and values, or a name with more than 30 combining characters in a row."
                )
            }
            throw TokenError(
                .malformed, detail: error.code == .duplicateMember ? .duplicateMember : nil,
                underlying: error, "The header is not strict JSON (\(error.fault)).")
        }
        guard root.kind == .object else {
            throw TokenError(.malformed, "The header is \(root.kind.phrase), not a JSON object.")
        }
        return root
    }

    /// Refuses a header without a required member, and one whose required or optional member is
    /// something else than a string.
    static func checkTexts(
        of root: JSONNode, required: [String], optional: [String]
    ) throws(TokenError) {
        for name in required where root.kind(of: name) == nil {
            throw TokenError(.malformed, "The header has no \"\(shown: name)\".")
        }
        for names in [required, optional] {
            for name in names {
                guard let kind = root.kind(of: name), kind != .string else { continue }
                throw TokenError(
                    .malformed, "The header's \"\(shown: name)\" is \(kind.phrase), not a string.")
            }
        }
    }
}
