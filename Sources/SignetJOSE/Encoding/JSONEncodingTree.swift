// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What an encoder has been given, until it is written out.
///
/// A tree, because a type may hold several containers and encode into them by turns. Names and scalars are written
/// to one text at once, each behind a comma; where they lie in the order of the tree, as they nearly always do,
/// ``JSONTreeWriter`` copies a whole run of them at a time.
final class JSONEncodingTree {
    /// A longer text is refused, here as in ``JSONDocument``.
    private static let byteCountCeiling = Int(Int32.max)

    private(set) var store = JSONEncodingStore()
    /// The first fault, for the end: a function cannot throw it, or whoever was told has gone on.
    private var deferredFault: JSONError?
    private let maximumDepth: Int

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    // MARK: - Building

    /// A new element or, with a name, member.
    func add(name: String?, to parent: Int) -> Int { store.add(name: name, to: parent) }

    /// A new element or member that is a scalar.
    func add(name: String?, to parent: Int, _ value: some JSONScalar) throws(EncodingError) {
        let added = store.add(name: name, to: parent, value)
        if let code = added.fault { throw noted(code, at: added.position) }
    }

    func set(_ position: Int, _ value: some JSONScalar) throws(EncodingError) {
        if let code = store.set(position, value) { throw noted(code, at: position) }
    }

    /// Whether a place is not too deep for a type of its own.
    func mayEncode(at position: Int) -> Bool { store.nodes[position].depth <= maximumDepth }

    /// Makes a place an array or object; asked again, gives the same one.
    func open(_ position: Int, _ kind: JSONEncodingNode.Kind) -> Int {
        let node = store.nodes[position]
        if node.kind == kind { return position }
        if node.kind == .unset, node.depth < maximumDepth {
            store.makeContainer(position, kind)
            return position
        }
        // The protocol cannot throw here, so the fault is thrown at the end.
        _ = noted(node.kind == .unset ? .tooDeep : .typeMismatch, at: position)
        return store.addStray(kind)
    }

    func count(of position: Int) -> Int { store.nodes[position].childCount }

    // MARK: - Faults

    /// Keeps the first one. What was written up to a fault stays where it is, and claims that are there by half must not be
    /// signed, whoever has caught the error.
    /// - Returns: this one, for the type that is encoding.
    func noted(
        _ code: JSONError.Code, at position: Int, _ foundationType: FoundationType? = nil
    ) -> EncodingError {
        let path = codingPath(to: position)
        let fault = JSONError(code: code, at: path, foundationType: foundationType)
        deferredFault = deferredFault ?? fault
        return EncodingError(fault, at: path)
    }

    func codingPath(to position: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var child = position
        while store.nodes[child].depth > 0 {
            let parent = store.nodes[child].parent
            if store.nodes[parent].kind == .object {
                path.append(JSONKey(stringValue: store.name(of: store.nodes[child])))
            } else {
                var ordinal = 0
                var sibling = store.nodes[parent].firstChild
                while sibling != child, store.nodes[sibling].nextSibling != 0 {
                    ordinal &+= 1
                    sibling = store.nodes[sibling].nextSibling
                }
                path.append(JSONKey(intValue: ordinal))
            }
            child = parent
        }
        return path.reversed()
    }

    // MARK: - Writing

    /// The text of the whole tree.
    func finish(allowsFragments: Bool) throws(JSONError) -> [UInt8] {
        if let deferredFault { throw deferredFault }
        guard store.text.count <= Self.byteCountCeiling else { throw JSONError(code: .tooLarge) }
        let kind = store.nodes[0].kind
        guard kind == .object || kind == .array || (allowsFragments && kind == .scalar) else {
            throw JSONError(code: .typeMismatch)
        }
        var writer = JSONTreeWriter(store)
        do throws(JSONTreeWriter.Repeated) {
            try writer.write(0)
        } catch {
            throw JSONError(code: .duplicateMember, at: codingPath(to: error.position))
        }
        return writer.finish()
    }
}
