// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetJOSE

/// `user_metadata`, which a user writes and can change at any time. **It authorises nothing.** It
/// is limited because each access token contains it.
struct GoTrueMetadata: Sendable {
    /// The longest JSON, in bytes.
    static let maximumByteCount = 4_096
    static let maximumDepth = 8
    static let maximumNameByteCount = 128

    let members: [String: JSONValue]

    static let none = GoTrueMetadata(members: [:])

    private init(members: [String: JSONValue]) { self.members = members }

    /// Metadata from a client.
    init(received node: JSONNode) throws(GoTrueRefusal) {
        guard node.isObject else { throw .badJSON }
        guard node.rawBytes.count <= Self.maximumByteCount,
            Self.isShallow(node, depth: Self.maximumDepth),
            case .object(let members)? = try? StrictJSON.decode(
                JSONValue.self, from: node.rawBytes)
        else { throw .metadataTooLarge }
        self.members = members
        // Numbers may become longer when written.
        guard stored != nil else { throw .metadataTooLarge }
    }

    /// Metadata from the database.
    ///
    /// - Throws: `corrupt`.
    init(stored text: String) throws(AccountError) {
        guard case .object(let members)? = try? StrictJSON.decode(JSONValue.self, from: text.utf8)
        else { throw AccountError(.corrupt, "The metadata of a user are no JSON object.") }
        self.members = members
    }

    /// Merges the members of `other` into this metadata; a null member removes its name.
    func merged(_ other: GoTrueMetadata) -> GoTrueMetadata {
        let all = members.merging(other.members) { $1 }
        return GoTrueMetadata(members: all.filter { $0.value != .null })
    }

    /// The text to store; nil if it has become too large.
    var stored: String? {
        guard let text = try? StrictJSON.encode(JSONValue.object(members)),
            text.count <= Self.maximumByteCount
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Limits the depth, and the length of names, which must stay cheap to compare.
    private static func isShallow(_ node: JSONNode, depth: Int) -> Bool {
        guard node.isObject || node.isArray else { return true }
        return depth > 0 && node.elements.allSatisfy { isShallow($0, depth: depth - 1) }
            && node.members.allSatisfy {
                $0.name.byteCount <= maximumNameByteCount && isShallow($0.value, depth: depth - 1)
            }
    }
}
