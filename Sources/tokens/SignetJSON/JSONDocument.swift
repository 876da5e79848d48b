// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A JSON text (RFC 8259), read completely by the strict reader. Every reader of a token uses it,
/// so no two can disagree.
///
/// Checked: UTF-8 and no byte order mark, the grammar of strings and numbers, surrogate escapes in
/// pairs, no member named twice at any depth, nothing after the value, and the limits. Not checked:
/// what the values mean. Whether a number fits a Swift type is up to ``JSONNode``.
///
/// For a type with known members `StrictJSON` is shorter. `JSONDocument` is for a text that is
/// looked at before anything is made of it: its size, its depth, the bytes of a part.
public struct JSONDocument: Sendable {
    /// How large a text may be, with the limits of a token where nothing is said.
    package struct Limits: Sendable {
        /// The longest text, in bytes.
        package var maximumByteCount: Int
        /// The deepest nesting of arrays and objects; 0 allows neither. Never more than 512.
        package var maximumDepth: Int
        /// The most values and names together.
        package var maximumNodeCount: Int

        package init(
            maximumByteCount: Int = 262_144, maximumDepth: Int = 32, maximumNodeCount: Int = .max
        ) {
            self.maximumByteCount = maximumByteCount
            self.maximumDepth = maximumDepth
            self.maximumNodeCount = maximumNodeCount
        }
    }

    /// Offsets are kept in 32 bits.
    static let byteCountCeiling = Int(Int32.max)
    /// Recursion reads and walks documents, and must not exhaust the stack.
    static let depthCeiling = 512

    let index: JSONIndex

    /// Reads a whole JSON text, whose value may be of any kind.
    ///
    /// - Parameters:
    ///   - bytes: the text, in UTF-8.
    ///   - maximumByteCount: the longest text, in bytes; more than 2^31 - 1 are never read.
    ///   - maximumDepth: the deepest nesting of arrays and objects, 0 to 512; 0 allows neither.
    ///   - maximumNodeCount: the most values and names together.
    /// - Throws: ``JSONError``: `malformed`, `duplicateMember`, `tooDeep`, `tooLarge` or
    ///   `invalidUTF8`, with the offset.
    public init(
        _ bytes: [UInt8], maximumByteCount: Int = 262_144, maximumDepth: Int = 32,
        maximumNodeCount: Int = .max
    ) throws(JSONError) {
        try self.init(
            bytes,
            limits: Limits(
                maximumByteCount: maximumByteCount, maximumDepth: maximumDepth,
                maximumNodeCount: maximumNodeCount))
    }

    package init(_ bytes: [UInt8], limits: Limits) throws(JSONError) {
        guard bytes.count <= min(limits.maximumByteCount, Self.byteCountCeiling) else {
            throw JSONError(code: .tooLarge)
        }
        var scanner = JSONScanner(bytes, limits: limits)
        do {
            try scanner.scan()
        } catch {
            throw error.described(in: bytes)
        }
        index = JSONIndex(bytes: bytes, records: scanner.records)
    }

    /// The document's value.
    public var root: JSONNode { JSONNode(index: index, position: 0) }

    /// The text, as it was read.
    package var bytes: [UInt8] { index.bytes }
}

/// A value of a ``JSONDocument``: a light view that keeps the document alive.
///
/// Nothing is converted: a property for a different kind of value is nil.
public struct JSONNode: Sendable {
    let index: JSONIndex
    let position: Int

    var record: JSONRecord { index[position] }

    /// The kind of the value.
    package var kind: JSONKind { record.kind }

    /// Whether the value is `null`.
    public var isNull: Bool { record.kind == .null }

    /// Whether the value is an object.
    public var isObject: Bool { record.kind == .object }

    /// Whether the value is an array.
    public var isArray: Bool { record.kind == .array }

    /// The value of a string, unescaped.
    public var text: ReceivedText? {
        let record = record
        return record.kind == .string ? index.text(of: record) : nil
    }

    /// The value of a number, rounded to the nearest `Double`; nil if that is not finite.
    package var doubleValue: Double? { index.double(record) }

    /// The number of elements of an array or members of an object; 0 for a scalar.
    package var count: Int { index.count(of: position) }

    /// The value of the member with exactly this name; nil when there is none, or the value is not
    /// an object.
    public func member(_ name: String) -> JSONNode? {
        place(of: name).map { JSONNode(index: index, position: $0) }
    }

    /// The kind of a member's value; nil when there is no member of that name.
    package func kind(of name: String) -> JSONKind? { place(of: name).map { index[$0].kind } }

    /// The unescaped value of a string member; nil when the member is absent or not a string.
    package func text(of name: String) -> ReceivedText? {
        guard let place = place(of: name) else { return nil }
        let record = index[place]
        return record.kind == .string ? index.text(of: record) : nil
    }

    private func place(of name: String) -> Int? {
        record.kind == .object ? index.member(name, of: position) : nil
    }
}
