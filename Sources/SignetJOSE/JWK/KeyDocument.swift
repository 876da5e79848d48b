// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The strict JSON reader's answers as errors of keys.
package enum KeyDocument {
    static func parse(
        _ text: some Collection<UInt8>, maximumByteCount: Int
    ) throws(KeyError) -> JSONDocument {
        // Looked at before the text is copied.
        guard text.count <= maximumByteCount else {
            throw KeyError(.tooLarge, "The key or key set is longer than \(maximumByteCount) bytes.")
        }
        do throws(JSONError) {
            var limits = JSONDocument.Limits()
            limits.maximumByteCount = maximumByteCount
            return try JSONDocument(Array(text), limits: limits)
        } catch {
            throw KeyError(.malformed, "The key is not strict JSON (\(error.code.rawValue)).")
        }
    }

    /// A member that is a string, or absent.
    static func text(_ name: String, in node: JSONNode) throws(KeyError) -> ReceivedText? {
        guard let member = node.member(name) else { return nil }
        guard let text = member.text else {
            throw KeyError(.malformed, "The member \"\(name)\" is not a string.")
        }
        return text
    }

    /// A member that a key shows to its callers, or absent.
    static func string(_ name: String, in node: JSONNode) throws(KeyError) -> String? {
        guard let text = try text(name, in: node) else { return nil }
        return try string(text, of: name)
    }

    /// A text of a member that a key shows to its callers.
    static func string(_ text: ReceivedText, of name: String) throws(KeyError) -> String {
        try checkLength(text.byteCount, of: name)
        return text.swiftString()
    }

    /// A `kid` that a caller gives to a key: one that is longer would be written and never read
    /// again.
    package static func checkKeyID(_ keyID: String?) throws(KeyError) {
        if let keyID { try checkLength(keyID.utf8.count, of: "kid") }
    }

    private static func checkLength(_ byteCount: Int, of name: String) throws(KeyError) {
        guard byteCount <= ReceivedText.maximumUnverifiedByteCount else {
            throw KeyError(
                .tooLarge,
                "The member \"\(name)\" has \(byteCount) bytes; it may have "
                    + "\(ReceivedText.maximumUnverifiedByteCount)."
            )
        }
    }

    /// A member that must be there and hold base64url (RFC 7518, section 6).
    static func octets(_ name: String, in node: JSONNode) throws(KeyError) -> [UInt8] {
        guard let member = node.member(name) else {
            throw KeyError(.malformed, "The member \"\(name)\" is missing.")
        }
        guard member.kind == .string else {
            throw KeyError(.malformed, "The member \"\(name)\" is not a string.")
        }
        guard let bytes = decoded(member) else {
            throw KeyError(.malformed, "The member \"\(name)\" is not base64url without padding.")
        }
        return bytes
    }

    /// Straight from the document, where the string stands there as it is.
    private static func decoded(_ member: JSONNode) -> [UInt8]? {
        guard !member.record.flags.contains(.escaped) else {
            return member.text.flatMap { Base64URL.decode($0.utf8.span) }
        }
        let document = member.index.bytes
        return Base64URL.decode(document.span, in: Int(member.record.start)..<Int(member.record.end))
    }
}
