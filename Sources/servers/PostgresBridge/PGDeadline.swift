// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ
internal import SignetBase

/// Lets any thread wake the thread that waits for a connection.
@safe
package final class PGWake: Sendable {
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
    private let isInterrupted = Locked(false)

    package init(_ wake: PGWake) { self.wake = wake }

    /// Whether the call should end.
    var isSet: Bool { isInterrupted.withLock { $0 } }

    /// Ends the call soon. An answer that is about to arrive still counts.
    package func interrupt() {
        isInterrupted.withLock { $0 = true }
        cpq_wake(wake.descriptor)
    }
}

/// How long a call may take, and what may end it earlier.
package struct PGDeadline {
    private let time: Duration
    private var deadline: ContinuousClock.Instant
    private let wake: PGWake
    private let interruption: PGInterruption?
    private let grace: Duration
    private var isInterrupted = false

    /// - Parameter grace: how long an interrupted call still waits.
    package init(
        _ time: Duration, wake: PGWake, interruption: PGInterruption?,
        grace: Duration = .milliseconds(250)
    ) {
        self.time = time
        deadline = .now.advanced(by: time)
        self.wake = wake
        self.interruption = interruption
        self.grace = grace
    }

    /// Restarts the time, unless the call was interrupted.
    mutating func beginAnew() {
        if !isInterrupted { deadline = .now.advanced(by: time) }
    }

    /// Waits until the socket can be read from or written to, as asked, until it is woken, or for a
    /// limited time.
    ///
    /// - Parameter longest: the limit of this wait, in milliseconds.
    /// - Returns: what the socket is ready for; 0 if it was woken, or the time is over.
    /// - Throws: `timedOut`, `interrupted`, `lost`.
    mutating func wait(
        _ socket: Int32, for what: Int32, upTo longest: Double = 60_000
    ) throws(PGFailure) -> Int32 {
        if let interruption, !isInterrupted, interruption.isSet {
            isInterrupted = true
            deadline = min(deadline, .now.advanced(by: grace))
        }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw PGFailure(isInterrupted ? .interrupted : .timedOut) }
        guard socket >= 0 else { throw PGFailure(.lost) }
        let milliseconds = min(left / .milliseconds(1), longest).rounded(.up)
        let found = cpq_wait(socket, what, wake.descriptor, Int32(milliseconds))
        guard found >= 0 else { throw PGFailure(.lost) }
        return found
    }
}
