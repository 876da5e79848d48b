// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetJOSE

/// `user_metadata`: what a user says of themselves, and can change at any time. **Nothing is
/// allowed by it.** It is in each access token, and bounded for that.
struct GoTrueMetadata: Sendable {
    /// As JSON, in bytes.
    static let maximumByteCount = 4_096
    private static let maximumDepth = 8
    private static let maximumNameByteCount = 128

    let members: [String: JSONValue]

    static let none = GoTrueMetadata(members: [:])

    private init(members: [String: JSONValue]) { self.members = members }

    /// What a client sends.
    init(received node: JSONNode) throws(GoTrueRefusal) {
        guard node.kind == .object else { throw .badJSON }
        guard node.rawBytes.count <= Self.maximumByteCount, Self.isShallow(node, Self.maximumDepth),
            case .object(let members)? = try? JSONValue(node)
        else { throw .metadataTooLarge }
        self.members = members
        // Numbers may be longer as they are written here.
        guard stored != nil else { throw .metadataTooLarge }
    }

    /// What is stored.
    ///
    /// - Throws: `corrupt`.
    init(stored text: String) throws(AccountError) {
        guard let root = (try? JSONDocument(Array(text.utf8)))?.root,
            case .object(let members)? = try? JSONValue(root)
        else { throw AccountError(.corrupt, "The metadata of a user are no JSON object.") }
        self.members = members
    }

    /// With others' members in place of these; null takes one away.
    func merged(_ other: GoTrueMetadata) -> GoTrueMetadata {
        let all = members.merging(other.members) { $1 }
        return GoTrueMetadata(members: all.filter { $0.value != .null })
    }

    /// To be stored; nil where it is too large by now.
    var stored: String? {
        guard let text = try? JSONTokenEncoder().encode(JSONValue.object(members)),
            text.count <= Self.maximumByteCount
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// No deeper, and with names that are cheap to compare, in whatever characters.
    private static func isShallow(_ node: JSONNode, _ depth: Int) -> Bool {
        switch node.kind {
        case .object:
            depth > 0
                && node.members.allSatisfy {
                    $0.name.byteCount <= maximumNameByteCount && isShallow($0.value, depth - 1)
                }
        case .array: depth > 0 && node.elements.allSatisfy { isShallow($0, depth - 1) }
        default: true
        }
    }
}
