// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import VectorBridge

/// What encoders and their containers write to: the quick ``JSONEncodingStream``, or the ``JSONEncodingTree`` that can do
/// everything. Copies of it are one.
struct JSONEncodingTarget {
    private struct State {
        var stream = JSONEncodingStream()
        /// Set for the second attempt.
        let tree: JSONEncodingTree?
        /// How many `encode(to:)` are running: a type that encodes itself in itself must not exhaust the stack.
        var running = 0
        let maximumDepth: Int

        init(tree: JSONEncodingTree?, maximumDepth: Int) {
            self.tree = tree
            self.maximumDepth = maximumDepth
        }
    }

    private let state: ExclusiveCell<State>

    /// Ends an attempt that has given up. Only a type that catches it sees it: a second attempt
    /// follows.
    private static let gaveUp = EncodingError(JSONError(code: .typeMismatch), at: [])

    init(maximumDepth: Int, tree: JSONEncodingTree? = nil) {
        state = ExclusiveCell(State(tree: tree, maximumDepth: maximumDepth))
    }

    // MARK: - Building

    /// A new element or, with a name, member.
    func add(name: String?, to container: Int) -> Int {
        // Without a place nothing more can be written, which the next call that may throw says.
        state.withValue { state in
            if let tree = state.tree { return tree.add(name: name, to: container) }
            return state.stream.add(name: name, to: container) ?? 0
        } ?? 0
    }

    /// A new element or member that is a scalar.
    @inline(__always)
    func add(name: String?, to container: Int, _ value: some JSONScalar) throws(EncodingError) {
        let isWritten = try state.withValue { (state) throws(EncodingError) -> Bool in
            guard let tree = state.tree else { return state.stream.add(name: name, to: container, value) }
            try tree.add(name: name, to: container, value)
            return true
        }
        guard isWritten == true else { throw Self.gaveUp }
    }

    func set(_ position: Int, _ value: some JSONScalar) throws(EncodingError) {
        let isWritten = try state.withValue { (state) throws(EncodingError) -> Bool in
            guard let tree = state.tree else { return state.stream.set(position, value) }
            try tree.set(position, value)
            return true
        }
        guard isWritten == true else { throw Self.gaveUp }
    }

    /// Any other type, by its own `encode(to:)`.
    /// - Throws: `EncodingError`, or what the type throws, as it is. It is noted all the same.
    func set<Value: Encodable>(_ position: Int, value: Value) throws {
        // Generic callers, such as an array's elements, arrive here with scalars.
        if Value.self == String.self, let string = value as? String { return try set(position, string) }
        if let foundationType = FoundationType(Value.self) {
            throw fault(.unsupportedType, at: position, foundationType)
        }
        guard begin(at: position) else { throw fault(.tooDeep, at: position) }
        do {
            try value.encode(to: JSONNodeEncoder(target: self, position: position))
        } catch {
            end()
            _ = fault(.typeMismatch, at: position)
            throw error
        }
        end()
        _ = state.withValue { state in
            if state.tree == nil { state.stream.settle(position, maximumDepth: state.maximumDepth) }
        }
    }

    /// Notes that an `encode(to:)` begins.
    /// - Returns: false, with nothing noted, when it must not.
    private func begin(at position: Int) -> Bool {
        state.withValue { state in
            guard state.running <= 2 &* state.maximumDepth &+ 16,
                state.tree?.mayEncode(at: position) ?? !state.stream.hasGivenUp
            else { return false }
            state.running &+= 1
            return true
        } ?? false
    }

    private func end() { _ = state.withValue { $0.running &-= 1 } }

    /// Ends the attempt: the first fault is what it ends with, whatever catches this one.
    private func fault(
        _ code: JSONError.Code, at position: Int, _ foundationType: FoundationType? = nil
    ) -> EncodingError {
        state.withValue { state in
            state.stream.giveUp()
            return state.tree?.noted(code, at: position, foundationType) ?? Self.gaveUp
        } ?? Self.gaveUp
    }

    /// Makes a place an array or object; asked again, gives the same one.
    func open(_ position: Int, _ kind: JSONEncodingNode.Kind) -> Int {
        state.withValue { state in
            if let tree = state.tree { return tree.open(position, kind) }
            return state.stream.open(position, kind, maximumDepth: state.maximumDepth) ?? 0
        } ?? 0
    }

    func count(of position: Int) -> Int {
        // Whoever goes on until there are enough elements must come to an end.
        state.withValue { $0.tree?.count(of: position) ?? $0.stream.count(of: position) } ?? .max
    }

    func codingPath(to position: Int) -> [any CodingKey] {
        state.withValue { state in
            if let tree = state.tree { return tree.codingPath(to: position) }
            // Who asks where it is gets the way that knows.
            state.stream.giveUp()
            return []
        } ?? []
    }

    /// What was written; nil when the attempt has given up.
    func finish() -> JSONWritten? { state.withValue { $0.stream.finish() } ?? nil }

    /// Whether all that was asked for was done: no two at once have asked.
    var isIntact: Bool { state.withValue { _ in true } ?? false }
}
