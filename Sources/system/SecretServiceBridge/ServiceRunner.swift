// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
internal import SignetPlatform

/// A thread with its own main context of GLib, in which the proxies of the service live.
///
/// Without work the thread waits in that context. So the signals that keep the proxies' properties
/// up to date are handled as they come, and do not pile up.
@safe
final class ServiceRunner: @unchecked Sendable {
    private enum Start {
        case notYet, running, failed
    }

    private let context: OpaquePointer?
    // Weak: a runner that was left behind must not keep the queue alive, and the queue outlives the
    // runner that it uses.
    private weak let queue: ServiceThread?
    private let progress = Locked(Start.notYet)

    init(_ queue: ServiceThread) {
        self.queue = queue
        unsafe context = g_main_context_new()
    }

    deinit { unsafe g_main_context_unref(context) }

    /// Starts the thread, once.
    ///
    /// - Returns: whether it runs.
    func start() -> Bool {
        progress.withLock { progress in
            guard progress == .notYet else { return progress == .running }
            progress = SystemThread.start { self.main() } ? .running : .failed
            return progress == .running
        }
    }

    /// Ends a wait, even one that begins only after this call.
    func wake() { unsafe g_main_context_wakeup(context) }

    private func main() {
        unsafe g_main_context_push_thread_default(context)
        let connection = KeyringConnection()
        work: while let queue {
            switch queue.nextStep(of: self) {
            case .work(let job):
                takeSignals()
                connection.beginJob(job)
                job.perform(connection)
                connection.endJob()
                queue.noteJobEnd(of: self)
            case .wait:
                _ = unsafe g_main_context_iteration(context, 1)
            case .stop:
                break work
            }
        }
        connection.disconnect()
        takeSignals()
        unsafe g_main_context_pop_thread_default(context)
    }

    /// Handles the signals that came during other work. The number is bounded, because other
    /// programs decide how many come.
    private func takeSignals() {
        for _ in 0..<10_000 where unsafe g_main_context_iteration(context, 0) == 0 { return }
    }
}
