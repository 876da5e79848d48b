// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that is used only through its lock. Do not let a reference escape and be changed
/// outside.
package final class Locked<State>: @unchecked Sendable {
    private let lock = Lock()
    // Used only inside the lock.
    private var state: State

    package init(_ state: sending State) { self.state = state }

    /// Runs `body` with exclusive access to the state. The rules of `Lock` apply.
    package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        try lock.withLock { () throws(E) -> R in try body(&state) }
    }

    /// Runs `body` with exclusive access to the state if the lock is free; returns nil at once if
    /// it is not.
    package func withLockIfFree<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R? {
        try lock.withLockIfFree { () throws(E) -> R in try body(&state) }
    }
}
