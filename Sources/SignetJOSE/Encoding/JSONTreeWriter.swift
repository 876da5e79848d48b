// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Writes a ``JSONEncodingStore`` out, and refuses two members of one name.
struct JSONTreeWriter {
    /// The member whose name is there already.
    struct Repeated: Error {
        let position: Int
    }

    private let tree: JSONEncodingStore
    private var output: [UInt8] = []
    /// A run of the tree's text that is to be copied; grows while the next piece begins where it ends.
    private var run: Range<Int> = 0..<0

    init(_ tree: JSONEncodingStore) {
        self.tree = tree
        output.reserveCapacity(tree.text.count &+ 2)
    }

    mutating func finish() -> [UInt8] {
        flush()
        return output
    }

    // A recursion no deeper than the tree, whose depth is limited.
    mutating func write(_ position: Int) throws(Repeated) {
        let node = tree.nodes[position]
        switch node.kind {
        case .scalar:
            copy(node.scalar)
        case .unset:
            flush()
            output.append(UInt8(ascii: "{"))
            output.append(UInt8(ascii: "}"))
        case .array:
            try writeChildren(of: node, UInt8(ascii: "["), UInt8(ascii: "]"))
        case .object:
            try checkNames(of: node)
            try writeChildren(of: node, UInt8(ascii: "{"), UInt8(ascii: "}"))
        }
    }

    private mutating func writeChildren(
        of node: JSONEncodingNode, _ opening: UInt8, _ closing: UInt8
    ) throws(Repeated) {
        flush()
        output.append(opening)
        var child = node.firstChild
        for ordinal in 0..<node.childCount {
            let prefix = tree.nodes[child].prefix
            copy(ordinal == 0 ? (prefix.lowerBound &+ 1)..<prefix.upperBound : prefix)
            try write(child)
            child = tree.nodes[child].nextSibling
        }
        flush()
        output.append(closing)
    }

    private mutating func copy(_ piece: Range<Int>) {
        if piece.lowerBound == run.upperBound {
            run = run.lowerBound..<piece.upperBound
        } else {
            flush()
            run = piece
        }
    }

    private mutating func flush() {
        if !run.isEmpty { output.append(contentsOf: tree.text.slice(run)) }
        run = run.upperBound..<run.upperBound
    }

    /// The rule of ``JSONNames``, over the tree.
    private func checkNames(of object: JSONEncodingNode) throws(Repeated) {
        var seen: UInt64 = 0
        var needsHash = object.childCount > JSONRecord.smallMemberCount
        var child = object.firstChild
        for _ in 0..<object.childCount where !needsHash {
            let node = tree.nodes[child]
            needsHash = !node.isPlainName
            let bit: UInt64 = 1 &<< UInt64((node.fingerprint &* 0x9e37_79b1) >> 26)
            if seen & bit != 0, isRepeated(node, at: child, first: object.firstChild) {
                throw Repeated(position: child)
            }
            seen |= bit
            child = node.nextSibling
        }
        guard needsHash else { return }
        var names: Set<String> = []
        child = object.firstChild
        for _ in 0..<object.childCount {
            guard names.insert(tree.name(of: tree.nodes[child])).inserted else {
                throw Repeated(position: child)
            }
            child = tree.nodes[child].nextSibling
        }
    }

    private func isRepeated(_ node: JSONEncodingNode, at position: Int, first: Int) -> Bool {
        var other = first
        while other != position {
            let earlier = tree.nodes[other]
            if earlier.fingerprint == node.fingerprint,
                tree.text.slice(tree.nameRange(of: earlier)) == tree.text.slice(tree.nameRange(of: node))
            {
                return true
            }
            other = earlier.nextSibling
        }
        return false
    }
}
