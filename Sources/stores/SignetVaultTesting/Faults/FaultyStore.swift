// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
public import SignetVault

/// Passes calls on to another store, records them, and fails where a test asks for it.
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
            case withExclusiveAccess, reserveRoom

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
        /// The items that it names; none for a call that names a service or nothing.
        public let keys: [ItemKey]

        /// The call and its items.
        public var description: String {
            "\(operation.rawValue)(\(keys.map(\.description).joined(separator: ", ")))"
        }
    }

    /// When a call fails.
    public enum Moment: Sendable {
        /// Before the store does anything.
        case before
        /// After the store has done its work, without the caller knowing that it has.
        case after
    }

    private let base: any SecureStore
    private let script = Locked(FaultScript())

    /// Wraps a store. No call fails yet.
    public init(_ base: any SecureStore) { self.base = base }

    /// Fails a single call, counted from now.
    ///
    /// - Parameters:
    ///   - number: 1 for the next call that counts.
    ///   - code: the error: `locked`, `corrupt`, `unavailable`, `timedOut`, `conflict`.
    ///   - moment: whether the store does its work before the call fails.
    ///   - onlyWrites: whether only calls that change items count.
    public func failCall(
        _ number: Int, with code: StoreError.Code, moment: Moment = .before,
        onlyWrites: Bool = false
    ) {
        add(code, moment: moment, passes: number - 1, failures: 1) {
            !onlyWrites || $0.operation.isWrite
        }
    }

    /// Fails every call from a number on, counted from now, like a store that goes away.
    ///
    /// - Parameters:
    ///   - number: the first call that fails; 1 for the next call that counts.
    ///   - code: the error: `locked`, `corrupt`, `unavailable`, `timedOut`, `conflict`.
    ///   - moment: whether the store does its work before the call fails.
    ///   - onlyWrites: whether only calls that change items count.
    public func failCalls(
        from number: Int = 1, with code: StoreError.Code, moment: Moment = .before,
        onlyWrites: Bool = false
    ) {
        add(code, moment: moment, passes: number - 1, failures: nil) {
            !onlyWrites || $0.operation.isWrite
        }
    }

    /// Fails calls that name an item.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - code: the error: `locked`, `corrupt`, `unavailable`, `timedOut`, `conflict`.
    ///   - moment: whether the store does its work before the call fails.
    ///   - times: how many calls fail; nil for all.
    ///   - onlyWrites: whether only calls that change items count.
    public func failCalls(
        on key: ItemKey, with code: StoreError.Code, moment: Moment = .before, times: Int? = nil,
        onlyWrites: Bool = false
    ) {
        add(code, moment: moment, passes: 0, failures: times) {
            $0.keys.contains(key) && (!onlyWrites || $0.operation.isWrite)
        }
    }

    /// Stops all failures.
    public func recover() { script.withLock { $0.faults = [] } }

    /// The calls so far, including the calls that failed.
    public var calls: [Call] { script.withLock { $0.calls } }

    /// Forgets the calls so far.
    public func forgetCalls() { script.withLock { $0.calls = [] } }

    /// The changes of the wrapped store. This call is not counted.
    public func changes() -> AsyncStream<StoreChange> { base.changes() }

    private func add(
        _ code: StoreError.Code, moment: Moment, passes: Int, failures: Int?,
        _ matches: @escaping @Sendable (Call) -> Bool
    ) {
        let fault = FaultScript.Fault(
            code: code, moment: moment, matches: matches, passes: max(0, passes), failures: failures
        )
        script.withLock { $0.faults.append(fault) }
    }

    /// Records a call, and runs it as the script says.
    func pass<R>(
        _ operation: Call.Operation, keys: [ItemKey] = [],
        _ body: (any SecureStore) async throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        let fault = try recordCall(operation, keys: keys)
        let result = try await body(base)
        if let fault { throw fault }
        return result
    }

    /// Like ``pass(_:keys:_:)``, for a call whose body may throw any error.
    func passBody<R>(
        _ operation: Call.Operation, keys: [ItemKey], _ call: (any SecureStore) async throws -> R
    ) async throws -> R {
        let fault = try recordCall(operation, keys: keys)
        let result = try await call(base)
        if let fault { throw fault }
        return result
    }

    /// Records a call.
    ///
    /// - Returns: the error to throw after the call; nil for none.
    /// - Throws: the error to throw before the call.
    private func recordCall(
        _ operation: Call.Operation, keys: [ItemKey]
    ) throws(StoreError) -> StoreError? {
        let fault = script.withLock { $0.note(Call(operation: operation, keys: keys)) }
        if let fault, fault.moment == .before { throw fault.error }
        return fault?.error
    }
}
