// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ
internal import SignetBase

// How a thread waits for the server, and how that wait ends early:
//
// - `PGDeadline` says how long one call may take, and waits for the socket in the meantime.
// - `PGInterruption` asks one call to end, for example because its task was cancelled.
// - `PGWake` ends the present wait, so that the waiting thread sees the interruption. Each
//   connection has one, for all its calls.
//
//     var deadline = PGDeadline(.seconds(5), wake: wake, interruption: interruption)
//     let found = try deadline.wait(socket, for: CPQ_READABLE)
//     if found & CPQ_READABLE != 0 { /* read from the socket */ }
//
// Constants and functions with `CPQ_` and `cpq_` are CLibPQ's: small wrappers in C.

/// Lets any thread wake the thread that waits for a connection.
@safe  // Swift cannot check calls in C: the descriptor is this object's alone, and closed once.
package final class PGWake: Sendable {
    /// Linux's `eventfd`: `poll` watches it beside the socket, and a write to it ends the `poll`.
    let descriptor: Int32

    package init() throws(PGFailure) {
        descriptor = cpq_wake_new()
        guard descriptor >= 0 else { throw PGFailure(.outOfMemory) }
    }

    deinit { cpq_wake_free(descriptor) }
}

/// Lets another thread end a call while it waits.
package final class PGInterruption: Sendable {
    private let wake: PGWake
    private let requested = Locked(false)

    package init(_ wake: PGWake) { self.wake = wake }

    var isRequested: Bool { requested.withLock { $0 } }

    /// Ends the call soon. An answer that is about to arrive still counts.
    package func interrupt() {
        // The flag first: the woken thread looks at it.
        requested.withLock { $0 = true }
        cpq_wake(wake.descriptor)
    }
}

/// How long a call may take, and what may end it earlier.
package struct PGDeadline {
    /// The longest single wait, in milliseconds: a minute, which `poll` can count.
    static let longestWait: Double = 60_000

    private let time: Duration
    /// When the call ends: `time` after its beginning, or `grace` after it was interrupted.
    private var end: ContinuousClock.Instant
    private let wake: PGWake
    private let interruption: PGInterruption?
    private let grace: Duration
    /// Whether `end` was moved because of the interruption.
    private var isInterrupted = false

    /// A deadline whose time begins now.
    ///
    /// - Parameters:
    ///   - time: how long the call may take.
    ///   - wake: the connection's, which `interruption` uses too.
    ///   - interruption: ends the call earlier; nil for a call that must not be interrupted.
    ///   - grace: how long an interrupted call still waits for its answer.
    package init(
        _ time: Duration, wake: PGWake, interruption: PGInterruption?,
        grace: Duration = .milliseconds(250)
    ) {
        self.time = time
        end = .now.advanced(by: time)
        self.wake = wake
        self.interruption = interruption
        self.grace = grace
    }

    /// Restarts the time, unless the call was interrupted.
    mutating func beginAnew() {
        if !isInterrupted { end = .now.advanced(by: time) }
    }

    /// Waits until the socket can be read from or written to, as asked, until it is woken, or for a
    /// limited time.
    ///
    /// - Parameters:
    ///   - socket: the connection's descriptor; negative if it has none.
    ///   - events: `CPQ_READABLE`, `CPQ_WRITABLE`, or the sum of the two.
    ///   - longest: the limit of this wait, in milliseconds.
    /// - Returns: the sum of the events that came. Neither is in it if the thread was woken
    ///   (`CPQ_WOKEN`) or the limit passed (0): then call this again.
    /// - Throws: `timedOut`, `interrupted`, `lost`.
    mutating func wait(
        _ socket: Int32, for events: Int32, upTo longest: Double = longestWait
    ) throws(PGFailure) -> Int32 {
        if let interruption, !isInterrupted, interruption.isRequested {
            isInterrupted = true
            end = min(end, .now.advanced(by: grace))
        }
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { throw PGFailure(isInterrupted ? .interrupted : .timedOut) }
        guard socket >= 0 else { throw PGFailure(.lost) }
        let milliseconds = min(left / .milliseconds(1), longest).rounded(.up)
        let found = cpq_wait(socket, events, wake.descriptor, Int32(milliseconds))
        // Negative: the system refused to wait.
        guard found >= 0 else { throw PGFailure(.lost) }
        return found
    }
}
