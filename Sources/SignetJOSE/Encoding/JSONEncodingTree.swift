// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What an encoder has been given, until it is written out.
///
/// A tree, because a type may hold several containers and encode into them by turns. Names and scalars are written
/// to `text` at once, each behind a comma; where they lie in the order of the tree, as they nearly always do,
/// ``finish(allowsFragments:)`` copies a whole run of them at a time.
final class JSONEncodingTree {
    struct Node {
        enum Kind {
            /// Nothing was encoded; written as an empty object, as `JSONEncoder` does.
            case unset
            case scalar
            case array
            case object
        }

        var kind: Kind = .unset
        var isPlainName = true
        var depth = 0
        /// The comma, name and colon in `text`.
        var prefix: Range<Int> = 0..<0
        /// The scalar in `text`.
        var scalar: Range<Int> = 0..<0
        /// Of the name.
        var fingerprint: UInt32 = 0
        var parent = 0
        var childCount = 0
        var firstChild = 0
        var lastChild = 0
        var nextSibling = 0
    }

    /// A longer text is refused, here as in ``JSONDocument``.
    private static let byteCountCeiling = Int(Int32.max)

    var text: [UInt8] = []
    private(set) var nodes: ContiguousArray<Node> = []
    /// The first fault of a function that cannot throw.
    private var deferredFault: JSONError?
    /// How many `encode(to:)` are running: a type that encodes itself in itself must not exhaust the stack.
    private var running = 0
    private let maximumDepth: Int

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
        text.reserveCapacity(512)
        nodes.reserveCapacity(16)
        nodes.append(Node())
    }

    // MARK: - Building

    /// A new element or, with a name, member.
    func add(name: String?, to parent: Int) -> Int {
        var node = Node()
        node.parent = parent
        node.depth = nodes[parent].depth &+ 1
        let start = text.count
        text.append(UInt8(ascii: ","))
        if let name {
            node.fingerprint = JSONRecord.fingerprint(name.utf8.span)
            node.isPlainName = appendString(name)
            text.append(UInt8(ascii: ":"))
        }
        node.prefix = start..<text.count
        let position = nodes.count
        nodes.append(node)
        if nodes[parent].childCount == 0 {
            nodes[parent].firstChild = position
        } else {
            nodes[nodes[parent].lastChild].nextSibling = position
        }
        nodes[parent].lastChild = position
        nodes[parent].childCount &+= 1
        return position
    }

    /// Makes a place an array or object; asked again, gives the same one.
    func open(_ position: Int, _ kind: Node.Kind) -> Int {
        if nodes[position].kind == kind { return position }
        if nodes[position].kind == .unset, nodes[position].depth < maximumDepth {
            nodes[position].kind = kind
            return position
        }
        // The protocol cannot throw here: remember the fault and give a place that nobody will see.
        let code: JSONError.Code = nodes[position].kind == .unset ? .tooDeep : .typeMismatch
        deferredFault = deferredFault ?? fault(code, at: position)
        var stray = Node()
        stray.kind = kind
        nodes.append(stray)
        return nodes.count &- 1
    }

    func count(of position: Int) -> Int { nodes[position].childCount }

    func set<Value: Encodable>(_ position: Int, value: Value) throws(JSONError) {
        if Value.self == String.self, let string = value as? String {
            return try set(position, string: string)
        }
        guard nodes[position].depth <= maximumDepth, running <= 4 &* maximumDepth &+ 64 else {
            throw fault(.tooDeep, at: position)
        }
        running &+= 1
        defer { running &-= 1 }
        do {
            try value.encode(to: JSONNodeEncoder(tree: self, position: position))
        } catch let error as JSONError {
            throw error
        } catch {
            throw fault(.typeMismatch, at: position)
        }
    }

    /// Writes a scalar in a place that is still empty.
    func setScalar(_ position: Int, _ write: () -> Void) throws(JSONError) {
        guard nodes[position].kind == .unset else { throw fault(.typeMismatch, at: position) }
        nodes[position].kind = .scalar
        let start = text.count
        write()
        nodes[position].scalar = start..<text.count
    }

    // MARK: - Faults

    func fault(_ code: JSONError.Code, at position: Int) -> JSONError {
        JSONError(code: code, at: codingPath(to: position))
    }

    func codingPath(to position: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var child = position
        while nodes[child].depth > 0 {
            let parent = nodes[child].parent
            if nodes[parent].kind == .object {
                path.append(JSONKey(stringValue: name(of: nodes[child])))
            } else {
                var ordinal = 0
                var sibling = nodes[parent].firstChild
                while sibling < child, nodes[sibling].nextSibling != 0 {
                    ordinal &+= 1
                    sibling = nodes[sibling].nextSibling
                }
                path.append(JSONKey(intValue: ordinal))
            }
            child = parent
        }
        return path.reversed()
    }

    /// A member's name as it is written, without quotation marks.
    func name(of node: Node) -> String {
        guard node.prefix.count >= 4 else { return "" }
        return String(decoding: text[nameRange(of: node)], as: UTF8.self)
    }

    /// Behind the comma and quotation mark, before the quotation mark and colon.
    func nameRange(of node: Node) -> Range<Int> {
        (node.prefix.lowerBound &+ 2)..<(node.prefix.upperBound &- 2)
    }

    // MARK: - Writing

    /// The text of the whole tree.
    func finish(allowsFragments: Bool) throws(JSONError) -> [UInt8] {
        if let deferredFault { throw deferredFault }
        guard text.count <= Self.byteCountCeiling else { throw JSONError(code: .tooLarge) }
        let isContainer = nodes[0].kind == .object || nodes[0].kind == .array
        guard isContainer || (allowsFragments && nodes[0].kind == .scalar) else {
            throw JSONError(code: .typeMismatch)
        }
        var writer = JSONTreeWriter(tree: self)
        try writer.write(0)
        return writer.finish()
    }
}
