// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary
internal import Synchronization

/// A signal that would end or stop this process: INT, TERM, HUP, QUIT or TSTP.
package struct EndingSignal: Sendable, Equatable {
    package let number: Int32

    /// Whether the signal stops the process (Ctrl-Z), which can then go on, instead of ending it.
    package var stops: Bool { number == SIGTSTP }

    /// Has the effect of the signal that was held back. Returns only if the signal stops the
    /// process, once the process goes on.
    ///
    /// The process dies of the signal, so its parent sees which signal it was; a shell shows 128
    /// plus the signal's number as the status. Process 1 of a container, which no signal of its own
    /// ends, exits with that status. Call it from the main thread for a signal that ends the
    /// process.
    package func act() {
        guard !stops else {
            // To the process, and not to this thread, which may block it.
            _ = kill(getpid(), number)
            return
        }
        raise(number)
        exit(128 + number)
    }
}

/// Holds back the signals that would end or stop this process, and reports each, until ``end()``. A
/// process has one listener at a time, and none while it asks at the terminal.
package final class SignalListener: Sendable {
    private let watch: SignalWatch
    private let report: @Sendable (EndingSignal) -> Void
    private let reporting = Lock()
    private let hasEnded = Atomic<Bool>(false)

    /// Returns when the signals are held back.
    ///
    /// - Parameter report: called on a thread that takes no signals, one call at a time.
    /// - Throws: without descriptors or without a thread; then nothing is held back.
    package init(_ report: @escaping @Sendable (EndingSignal) -> Void) throws(SystemFailure) {
        watch = try SignalWatch()
        self.report = report
        let hasStarted = SystemThread.start { [self] in
            while !hasEnded.load(ordering: .sequentiallyConsistent) {
                watch.wait()
                reportSignals()
            }
        }
        guard hasStarted else {
            throw SystemFailure(operation: "hold signals back", errno: EAGAIN)
        }
    }

    /// Lets the signals act as before. Signals that have come until now are reported before this
    /// returns.
    package func end() {
        watch.end()
        reportSignals()
        hasEnded.store(true, ordering: .sequentiallyConsistent)
        watch.wake()
    }

    private func reportSignals() {
        reporting.withLock {
            while let signal = watch.next() { report(EndingSignal(number: signal)) }
        }
    }
}
