// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A part of an entry's name or value: the text of a string, or any other JSON as it is written.
/// Compared by its bytes, and a string is never the same as what is none.
struct AuditText: Hashable, Sendable {
    private let text: ReceivedText
    private let isString: Bool
    /// The name of the column, for people; empty for none.
    private let label: String

    init(_ text: ReceivedText) {
        self.text = text
        isString = true
        label = ""
    }

    init(_ node: JSONNode, label: String = "") {
        text = node.text ?? ReceivedText(utf8: node.rawBytes)
        isString = node.text != nil
        self.label = label
    }

    var byteCount: Int { text.byteCount }

    static func == (a: AuditText, b: AuditText) -> Bool {
        a.isString == b.isString && a.text.isEqual(to: b.text)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(isString)
        hasher.combine(text.key)
    }

    /// The text for people, in quotation marks wherever it would be read as several, as none or, in
    /// a value, as what is no string.
    fileprivate func shown(separator: String, isName: Bool) -> [UInt8] {
        let bytes = Array(text.utf8)
        let name = Array((label.isEmpty ? "" : "\(label) ").utf8)
        let isMistakable =
            bytes.isEmpty || bytes.first == UInt8(ascii: "\"")
            || bytes.firstRange(of: separator.utf8) != nil || !isName && looksLikeNoString
        guard isString, isMistakable else { return name + bytes }
        let mark = UInt8(ascii: "\"")
        let escaped = bytes.flatMap {
            $0 == mark || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0]
        }
        return name + [mark] + escaped + [mark]
    }

    private var looksLikeNoString: Bool {
        let first = text.utf8.first
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
            || text.isOne(of: ["true", "false", "null"])
            || text.utf8.allSatisfy { "+-.0123456789Ee".utf8.contains($0) }
    }
}

extension [AuditText] {
    /// The name for people. No two names of a part look the same.
    func name(separator: String) -> [UInt8] { joined(separator: separator, isName: true) }

    /// The value for people. No two values look the same.
    var value: [UInt8] { joined(separator: ", ", isName: false) }

    private func joined(separator: String, isName: Bool) -> [UInt8] {
        let parts = map { $0.shown(separator: separator, isName: isName) }
        return [UInt8](parts.joined(separator: separator.utf8))
    }
}
