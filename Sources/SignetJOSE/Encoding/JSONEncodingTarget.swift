// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What encoders and their containers write to: the quick ``JSONEncodingStream``, or the ``JSONEncodingTree`` that can do
/// everything.
final class JSONEncodingTarget {
    private var stream = JSONEncodingStream()
    /// Set for the second attempt.
    private let tree: JSONEncodingTree?
    /// How many `encode(to:)` are running: a type that encodes itself in itself must not exhaust the stack.
    private var running = 0
    private let maximumDepth: Int

    /// Ends an attempt that has given up. Nobody sees it: a second attempt follows.
    private static let gaveUp = JSONError(code: .typeMismatch)

    init(maximumDepth: Int, tree: JSONEncodingTree? = nil) {
        self.maximumDepth = maximumDepth
        self.tree = tree
    }

    // MARK: - Building

    /// A new element or, with a name, member.
    func add(name: String?, to container: Int) -> Int {
        if let tree { return tree.add(name: name, to: container) }
        // Without a place nothing more can be written, which the next call that may throw says.
        return stream.add(name: name, to: container) ?? 0
    }

    /// A new element or member that is a scalar.
    func add(name: String?, to container: Int, _ value: some JSONScalar) throws(JSONError) {
        if let tree { return try tree.add(name: name, to: container, value) }
        guard stream.add(name: name, to: container, value) else { throw Self.gaveUp }
    }

    func set(_ position: Int, _ value: some JSONScalar) throws(JSONError) {
        if let tree { return try tree.set(position, value) }
        guard stream.set(position, value) else { throw Self.gaveUp }
    }

    /// Any other type, by its own `encode(to:)`.
    func set<Value: Encodable>(_ position: Int, value: Value) throws(JSONError) {
        // Generic callers, such as an array's elements, arrive here with scalars.
        if Value.self == String.self, let string = value as? String { return try set(position, string) }
        guard running <= 2 &* maximumDepth &+ 16, tree?.mayEncode(at: position) ?? !stream.hasGivenUp else {
            stream.giveUp()
            throw tree?.fault(.tooDeep, at: position) ?? Self.gaveUp
        }
        running &+= 1
        defer { running &-= 1 }
        do {
            try value.encode(to: JSONNodeEncoder(target: self, position: position))
        } catch let error as JSONError {
            throw error
        } catch {
            stream.giveUp()
            throw tree?.fault(.typeMismatch, at: position) ?? Self.gaveUp
        }
        if tree == nil { stream.settle(position, maximumDepth: maximumDepth) }
    }

    /// Makes a place an array or object; asked again, gives the same one.
    func open(_ position: Int, _ kind: JSONEncodingNode.Kind) -> Int {
        if let tree { return tree.open(position, kind) }
        return stream.open(position, kind, maximumDepth: maximumDepth) ?? 0
    }

    func count(of position: Int) -> Int { tree?.count(of: position) ?? stream.count(of: position) }

    func codingPath(to position: Int) -> [any CodingKey] {
        if let tree { return tree.codingPath(to: position) }
        // Who asks where it is gets the way that knows.
        stream.giveUp()
        return []
    }

    /// The document as it was written; nil when the attempt has given up.
    func finish() -> JSONIndex? { stream.finish() }
}
