// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
public import SignetVault

/// A store that passes its calls on to another, writes down which there were, and fails where a
/// test says so.
///
/// ```swift
/// let faulty = FaultyStore(InMemoryStore())
/// faulty.failCall(1, with: .locked)
/// ```
///
/// It shows how a program behaves when the keyring is locked, damaged, gone or slow, or when
/// another writer interferes, without any of that happening.
public final class FaultyStore: SecureStore {
    /// A counted call. Taking the stream of changes is not counted.
    public struct Call: Sendable, Hashable, CustomStringConvertible {
        /// Which of the calls of `SecureStore`.
        public enum Operation: String, Sendable, CaseIterable {
            case entry, item, put, replace, remove, list, allItems, clear, isLocked, lock
            case withExclusiveAccess

            /// Whether it changes items.
            public var isWrite: Bool {
                switch self {
                case .put, .replace, .remove, .clear: true
                default: false
                }
            }
        }

        /// Which call.
        public let operation: Operation
        /// The items that it names; none for those that name a service or nothing.
        public let keys: [ItemKey]

        /// The call and its items.
        public var description: String {
            "\(operation.rawValue)(\(keys.map(\.description).joined(separator: ", ")))"
        }
    }

    /// When a call fails.
    public enum Moment: Sendable {
        /// Before anything is done.
        case before
        /// After it was done: the caller does not learn that it was.
        case after
    }

    private let base: any SecureStore
    private let script = Locked(FaultScript())

    /// A store in front of another one; it fails nowhere yet.
    public init(_ base: any SecureStore) { self.base = base }

    /// Fails one call, counted from now.
    ///
    /// - Parameters:
    ///   - number: 1 for the next one that counts.
    ///   - code: what it answers: `locked`, `corrupt`, `unavailable`, `timedOut`, `conflict`.
    ///   - moment: whether the store does its work before the call fails.
    ///   - onlyWrites: whether only calls that change items count.
    public func failCall(
        _ number: Int, with code: StoreError.Code, _ moment: Moment = .before,
        onlyWrites: Bool = false
    ) {
        add(code, moment, passes: number - 1, failures: 1) { !onlyWrites || $0.operation.isWrite }
    }

    /// Fails every call from one on, counted from now: a store that goes away.
    public func failCalls(
        from number: Int = 1, with code: StoreError.Code, _ moment: Moment = .before,
        onlyWrites: Bool = false
    ) {
        add(code, moment, passes: number - 1, failures: nil) { !onlyWrites || $0.operation.isWrite }
    }

    /// Fails calls that name an item.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - code: what it answers: `locked`, `corrupt`, `unavailable`, `timedOut`, `conflict`.
    ///   - moment: whether the store does its work before the call fails.
    ///   - times: how many of them; nil for all.
    ///   - onlyWrites: whether only calls that change items count.
    public func failCalls(
        on key: ItemKey, with code: StoreError.Code, _ moment: Moment = .before, times: Int? = nil,
        onlyWrites: Bool = false
    ) {
        add(code, moment, passes: 0, failures: times) {
            $0.keys.contains(key) && (!onlyWrites || $0.operation.isWrite)
        }
    }

    /// Fails nowhere any more.
    public func recover() { script.withLock { $0.faults = [] } }

    /// The calls so far, those that failed included.
    public var calls: [Call] { script.withLock { $0.calls } }

    /// Forgets the calls so far.
    public func forgetCalls() { script.withLock { $0.calls = [] } }

    /// Those of the store behind. Taking them is no call that is counted.
    public func changes() -> AsyncStream<StoreChange> { base.changes() }

    private func add(
        _ code: StoreError.Code, _ moment: Moment, passes: Int, failures: Int?,
        _ matches: @escaping @Sendable (Call) -> Bool
    ) {
        let fault = FaultScript.Fault(
            code: code, moment: moment, matches: matches, passes: max(0, passes), failures: failures
        )
        script.withLock { $0.faults.append(fault) }
    }

    /// Writes the call down, and runs it as the script wants.
    func pass<R>(
        _ operation: Call.Operation, _ keys: [ItemKey] = [],
        _ body: (any SecureStore) async throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        let fault = try begin(operation, keys)
        let result = try await body(base)
        if let fault { throw fault }
        return result
    }

    /// As ``pass(_:_:_:)``, of a call with a body that throws what it likes.
    func passBody<R>(
        _ operation: Call.Operation, _ keys: [ItemKey], _ call: (any SecureStore) async throws -> R
    ) async throws -> R {
        let fault = try begin(operation, keys)
        let result = try await call(base)
        if let fault { throw fault }
        return result
    }

    /// Writes the call down.
    ///
    /// - Returns: what to throw after it was made.
    /// - Throws: what to throw before.
    private func begin(
        _ operation: Call.Operation, _ keys: [ItemKey]
    ) throws(StoreError) -> StoreError? {
        let fault = script.withLock { $0.note(Call(operation: operation, keys: keys)) }
        if let fault, fault.moment == .before { throw fault.error }
        return fault?.error
    }
}
