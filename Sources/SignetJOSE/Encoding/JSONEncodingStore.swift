// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A place in what is being encoded: the whole text, an element or a member.
struct JSONEncodingNode {
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

/// The mutable part of a ``JSONEncodingTree``: a struct, so that one operation is one checked access to the class.
struct JSONEncodingStore {
    private(set) var text = JSONTextBuffer(capacity: 512)
    private(set) var nodes: ContiguousArray<JSONEncodingNode> = []

    init() {
        nodes.reserveCapacity(16)
        nodes.append(JSONEncodingNode())
    }

    /// A new element or, with a name, member.
    mutating func add(name: String?, to parent: Int) -> Int {
        link(begin(name: name, to: parent), to: parent)
    }

    /// A new element or member that is a scalar; its place and, as of ``set(_:_:)``, what is wrong with it.
    mutating func add(
        name: String?, to parent: Int, _ value: some JSONScalar
    ) -> (position: Int, fault: JSONError.Code?) {
        var node = begin(name: name, to: parent)
        let start = text.count
        let isWritten = value.append(to: &text) != nil
        node.kind = isWritten ? .scalar : .unset
        node.scalar = start..<text.count
        return (link(node, to: parent), isWritten ? nil : .numberOutOfRange)
    }

    /// Writes what goes before a value.
    private mutating func begin(name: String?, to parent: Int) -> JSONEncodingNode {
        var node = JSONEncodingNode()
        node.parent = parent
        node.depth = nodes[parent].depth &+ 1
        let start = text.count
        text.append(UInt8(ascii: ","))
        if let name {
            node.fingerprint = JSONRecord.fingerprint(name.utf8.span)
            node.isPlainName = text.append(quoted: name.utf8.span).isEmpty
            text.append(UInt8(ascii: ":"))
        }
        node.prefix = start..<text.count
        return node
    }

    private mutating func link(_ node: JSONEncodingNode, to parent: Int) -> Int {
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

    /// A place outside the tree, which nobody will see.
    mutating func addStray(_ kind: JSONEncodingNode.Kind) -> Int {
        var stray = JSONEncodingNode()
        stray.kind = kind
        nodes.append(stray)
        return nodes.count &- 1
    }

    mutating func makeContainer(_ position: Int, _ kind: JSONEncodingNode.Kind) {
        nodes[position].kind = kind
    }

    /// Writes a scalar in a place.
    /// - Returns: nil, or why not: the place is taken, or the number is not finite.
    mutating func set(_ position: Int, _ value: some JSONScalar) -> JSONError.Code? {
        guard nodes[position].kind == .unset else { return .typeMismatch }
        let start = text.count
        guard value.append(to: &text) != nil else { return .numberOutOfRange }
        nodes[position].kind = .scalar
        nodes[position].scalar = start..<text.count
        return nil
    }

    /// A member's name as it is written, without quotation marks.
    func name(of node: JSONEncodingNode) -> String {
        String(decoding: text.slice(nameRange(of: node)), as: UTF8.self)
    }

    /// Behind the comma and quotation mark, before the quotation mark and colon; empty for an element.
    func nameRange(of node: JSONEncodingNode) -> Range<Int> {
        guard node.prefix.count >= 4 else { return 0..<0 }
        return (node.prefix.lowerBound &+ 2)..<(node.prefix.upperBound &- 2)
    }
}
