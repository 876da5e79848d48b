// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that is used only through its lock, a POSIX mutex, which ThreadSanitizer understands.
///
/// For state that several threads share without waiting for anything: a table, a count. The lock is
/// **not** recursive: a body that uses the same value again waits for ever. Do not hold it across a
/// suspension, and let no reference to the state escape. In a child of `fork` its state is
/// undefined.
public final class Locked<State>: @unchecked Sendable {
    private let lock = Lock()
    // Used only inside the lock.
    private var state: State

    /// A lock over a first state, which nothing else refers to.
    public init(_ state: sending State) { self.state = state }

    /// Runs `body` with exclusive access to the state. Waits for the thread that has it.
    public func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        try lock.withLock { () throws(E) -> R in try body(&state) }
    }

    /// Runs `body` with exclusive access to the state if the lock is free; returns nil at once if
    /// it is not.
    public func withLockIfFree<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R? {
        try lock.withLockIfFree { () throws(E) -> R in try body(&state) }
    }
}
