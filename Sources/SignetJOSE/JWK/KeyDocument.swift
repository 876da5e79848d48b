// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The strict JSON reader's answers as errors of keys, and the few liberties that keys are read
/// with: what others write with one meaning and no loss. Documentation/DECISIONS.md has the list.
package enum KeyDocument {
    /// RFC 8259, section 8.1: readers may ignore it.
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    package static func parse(
        _ text: some Collection<UInt8>, maximumByteCount: Int
    ) throws(KeyError) -> JSONDocument {
        // Looked at before the text is copied.
        guard text.count <= maximumByteCount else {
            throw KeyError(
                .tooLarge, "The key or key set is longer than \(maximumByteCount) bytes.")
        }
        do throws(JSONError) {
            var limits = JSONDocument.Limits()
            limits.maximumByteCount = maximumByteCount
            // One copy, which the document owns; that of a slice takes longer.
            let isMarked = text.starts(with: byteOrderMark)
            return try JSONDocument(
                isMarked ? Array(text.dropFirst(byteOrderMark.count)) : Array(text), limits: limits)
        } catch {
            throw KeyError(.malformed, "The key is not strict JSON (\(error.code.rawValue)).")
        }
    }

    /// A member that is there; `null` is nothing.
    static func present(_ name: String, in node: JSONNode) -> JSONNode? {
        guard let member = node.member(name), !member.isNull else { return nil }
        return member
    }

    /// A member that is a string, or absent.
    static func text(_ name: String, in node: JSONNode) throws(KeyError) -> ReceivedText? {
        guard let member = present(name, in: node) else { return nil }
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

    /// The `kid` of a key that may be damaged; nil if it cannot be shown.
    static func shownKeyID(of member: JSONNode) -> String? { try? string("kid", in: member) }

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

    /// A member that must be there and hold base64url (RFC 7518, section 6), without padding or
    /// with all of it.
    static func octets(_ name: String, in node: JSONNode) throws(KeyError) -> [UInt8] {
        guard let member = node.member(name) else {
            throw KeyError(.malformed, "The member \"\(name)\" is missing.")
        }
        guard let text = member.text else {
            throw KeyError(.malformed, "The member \"\(name)\" is not a string.")
        }
        guard let bytes = decoded(text.utf8) else {
            throw KeyError(.malformed, "The member \"\(name)\" is not base64url.")
        }
        return bytes
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var text = text
        // Where there is padding, the groups are whole: four characters each, two of them padding
        // at most.
        if text.count & 3 == 0 {
            let paddingCount = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
            text.removeLast(paddingCount)
        }
        return Base64.url.decode(text.span)
    }
}
