// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that is reached through its lock only. A reference inside of it must not be handed out
/// to be changed outside.
package final class Locked<State>: @unchecked Sendable {
    private let lock = Lock()
    // Touched inside of the lock only.
    private var state: State

    package init(_ state: sending State) { self.state = state }

    /// Runs `body` with the state to itself. What the rules of `Lock` forbid is forbidden here.
    package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        try lock.withLock { () throws(E) -> R in try body(&state) }
    }

    /// Runs `body` with the state to itself if the lock is free; nil, at once, if it is taken.
    package func withLockIfFree<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R? {
        try lock.withLockIfFree { () throws(E) -> R in try body(&state) }
    }
}
