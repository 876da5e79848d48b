// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetMemory

/// Reads keys with the strict JSON reader, and reports its errors as errors of keys. It tolerates a
/// few unambiguous deviations, which Documentation/DECISIONS.md lists. For the key
/// `{"kty":"oct","kid":"a","k":"AQID"}`:
///
/// ```
/// let node = try KeyDocument.parse(json, maximumByteCount: 65_536).root
/// try KeyDocument.text("kty", in: node)      oct, received text, to be compared by its bytes
/// try KeyDocument.string("kid", in: node)    a, a String for callers, at most 1,024 bytes
/// try KeyDocument.octets("k", in: node)      [1, 2, 3]; an error if it is absent
/// ```
package enum KeyDocument {
    /// RFC 8259, section 8.1: readers may ignore a byte order mark.
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Reads a JSON text.
    ///
    /// - Parameter subject: what the text is, as the subject of a sentence.
    package static func parse(
        _ text: some Collection<UInt8>, maximumByteCount: Int, subject: ErrorMessage = "The key"
    ) throws(KeyError) -> JSONDocument {
        // Checked before the text is copied.
        guard text.count <= maximumByteCount else {
            throw KeyError(
                .tooLarge,
                "\(subject) has \(text.count) bytes; it may have \(maximumByteCount).")
        }
        do {
            var limits = JSONDocument.Limits()
            limits.maximumByteCount = maximumByteCount
            // One copy, which the document owns. Copying a slice takes longer.
            let isMarked = text.starts(with: byteOrderMark)
            return try JSONDocument(
                isMarked ? Array(text.dropFirst(byteOrderMark.count)) : Array(text), limits: limits)
        } catch {
            // Says what the text looks like (PEM, say), unless that says no more than the error.
            let shape = withSpan(of: text) { InputShape(of: $0, ignoresMark: true) }
            if let shape, !shape.isJSON, !shape.isAlphabet {
                throw KeyError(.malformed, underlying: error, shape.sentence(about: subject))
            }
            throw KeyError(
                .malformed, underlying: error, "\(subject) is not strict JSON (\(error.fault)).")
        }
    }

    /// The member, unless it is absent or `null`.
    static func present(_ name: String, in node: JSONNode) -> JSONNode? {
        guard let member = node.member(name), !member.isNull else { return nil }
        return member
    }

    /// A string member; nil if it is absent or `null`.
    static func text(_ name: String, in node: JSONNode) throws(KeyError) -> ReceivedText? {
        guard let member = present(name, in: node) else { return nil }
        guard let text = member.text else {
            throw notAString(name, kind: member.kind)
        }
        return text
    }

    /// The error for a member of a different kind.
    static func notAString(_ name: String, kind: JSONKind) -> KeyError {
        KeyError(.malformed, "The member \"\(shown: name)\" is \(kind.phrase), not a string.")
    }

    /// A string member that callers can see; nil if it is absent or `null`.
    static func string(_ name: String, in node: JSONNode) throws(KeyError) -> String? {
        guard let text = try text(name, in: node) else { return nil }
        return try string(text, of: name)
    }

    /// The `kid` of a key that may be damaged; nil if it cannot be shown.
    static func shownKeyID(of member: JSONNode) -> String? { try? string("kid", in: member) }

    /// Checks the length of a text that callers can see.
    static func string(_ text: ReceivedText, of name: String) throws(KeyError) -> String {
        try checkLength(text.byteCount, of: name)
        return text.swiftString()
    }

    /// Checks a caller's `kid`: a longer `kid` could be written but never read back.
    package static func checkKeyID(_ keyID: String?) throws(KeyError) {
        if let keyID { try checkLength(keyID.utf8.count, of: "kid") }
    }

    private static func checkLength(_ byteCount: Int, of name: String) throws(KeyError) {
        guard byteCount <= ReceivedText.maximumUnverifiedByteCount else {
            throw KeyError(
                .tooLarge,
                "The member \"\(shown: name)\" has \(byteCount) bytes; it may have "
                    + "\(ReceivedText.maximumUnverifiedByteCount)."
            )
        }
    }

    /// A required member in base64url (RFC 7518, section 6), without padding or with complete
    /// padding.
    static func octets(_ name: String, in node: JSONNode) throws(KeyError) -> [UInt8] {
        guard let member = node.member(name) else {
            throw KeyError(.malformed, "The member \"\(shown: name)\" is missing.")
        }
        guard let text = member.text else {
            throw notAString(name, kind: member.kind)
        }
        guard let bytes = decoded(text.utf8) else {
            var finding: ErrorMessage = "is not base64url"
            // Complete padding is accepted, so something else in the text is at fault.
            if let shape = InputShape(of: text.utf8.span), shape != .padding {
                finding = shape.finding
            }
            throw KeyError(.malformed, "The member \"\(shown: name)\" \(finding).")
        }
        return bytes
    }

    /// Base64url, without padding or with complete padding.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var text = text
        // With padding, all groups are complete: four characters, of which at most two are padding.
        if text.count.isMultiple(of: 4) {
            let paddingCount = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
            text.removeLast(paddingCount)
        }
        return Base64.url.decode(text.span)
    }
}
