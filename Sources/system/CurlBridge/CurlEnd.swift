// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCurl
internal import SignetPlatform
internal import Synchronization

/// Keeps the threads out of libcurl while the process ends: `exit` runs the exit handlers of
/// libraries, which free what TLS is using.
///
/// OpenSSL has no exit handler if this project was the first to call it (`CSignetOpenSSL`). If
/// other code was the first, OpenSSL's handler was registered before Signet's, so Signet's runs
/// first. It also runs before libraries are unloaded, which is when GnuTLS cleans up. In a child of
/// `fork` it does nothing: connections and locks are the parent's there.
enum CurlEnd {
    private static let process = Atomic<Int32>(0)
    private static let isEnding = Atomic<Bool>(false)
    /// How many threads are inside libcurl.
    private static let inside = Atomic<Int>(0)
    private static let loops = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// Registers the exit handler; false if there is no room for it.
    static func registerExitHandler() -> Bool {
        process.store(ProcessIdentity.current, ordering: .sequentiallyConsistent)
        return ccurl_at_exit { CurlEnd.end() } == 0
    }

    private static var isOurs: Bool {
        process.load(ordering: .sequentiallyConsistent) == ProcessIdentity.current
    }

    /// Whether the process is ending: nothing new may begin.
    static var hasBegun: Bool { isEnding.load(ordering: .sequentiallyConsistent) }

    /// Lets the thread use libcurl until ``leave()``. Never returns if the process is ending, so
    /// only for a thread that nothing waits for.
    static func enter() { if !mayEnter() { ccurl_park() } }

    /// Lets the thread use libcurl until ``leave()``. Returns false if the process is ending; then
    /// there is nothing to leave.
    static func mayEnter() -> Bool {
        // This thread first counts itself and then checks for the end. The handler first sets the
        // end and then checks the count. So the thread sees the end, or the handler sees the
        // thread.
        inside.add(1, ordering: .sequentiallyConsistent)
        guard hasBegun else { return true }
        leave()
        return false
    }

    static func leave() { inside.subtract(1, ordering: .sequentiallyConsistent) }

    /// Adds a loop, and a function that shuts its connections. Does nothing in a child of `fork`,
    /// where a thread that no longer exists may hold the lock.
    static func add(_ loop: AnyObject, shut: @escaping @Sendable () -> Void) {
        guard isOurs else { return }
        loops.withLock { $0[ObjectIdentifier(loop)] = shut }
    }

    static func remove(_ loop: AnyObject) {
        guard isOurs else { return }
        loops.withLock { $0[ObjectIdentifier(loop)] = nil }
    }

    /// Waits until no thread is inside libcurl, but for at most a second: before 7.87, libcurl may
    /// wait there for a look-up, which does not use OpenSSL.
    private static func end() {
        // The handler is registered twice, and waits once.
        guard isOurs, !isEnding.exchange(true, ordering: .sequentiallyConsistent) else { return }
        // Shuts the connections first: a peer that keeps OpenSSL busy would keep the thread inside.
        for shut in Array(loops.withLock { $0 }.values) { shut() }
        for _ in 0..<1_000 where inside.load(ordering: .sequentiallyConsistent) > 0 {
            ccurl_pause(1)
        }
    }
}
