// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCurl
internal import SignetPlatform
internal import Synchronization

/// Keeps the threads out of libcurl while the process ends: `exit` runs the clean-up of libraries,
/// which frees what TLS is using.
///
/// OpenSSL's is none where this project was the first to call it (`CSignetOpenSSL`). Where other
/// code was, its clean-up has been registered before this handler, which runs first for that; and
/// it runs before a library is unloaded, which is when GnuTLS cleans up. In a child of `fork` it
/// does nothing: connections and locks are the parent's there.
enum ProcessEnd {
    private static let process = Atomic<Int32>(0)
    private static let isEnding = Atomic<Bool>(false)
    /// Threads that are inside of libcurl.
    private static let inside = Atomic<Int>(0)
    private static let loops = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// False when there is no room for a handler.
    static func watch() -> Bool {
        process.store(ProcessIdentity.current, ordering: .sequentiallyConsistent)
        return ccurl_at_exit { ProcessEnd.end() } == 0
    }

    private static var isOurs: Bool {
        process.load(ordering: .sequentiallyConsistent) == ProcessIdentity.current
    }

    /// Whether the process is ending: nothing is begun any more.
    static var hasBegun: Bool { isEnding.load(ordering: .sequentiallyConsistent) }

    /// From here on, until ``leave()``, the thread may use libcurl. Does not return when the
    /// process is ending, hence for a thread that is not waited for.
    static func enter() { if !mayEnter() { ccurl_park() } }

    /// As ``enter()``; false, and nothing to leave, when the process is ending.
    static func mayEnter() -> Bool {
        // First said, then looked: the handler does it the other way round, and one of both sees
        // the other.
        inside.add(1, ordering: .sequentiallyConsistent)
        guard hasBegun else { return true }
        leave()
        return false
    }

    static func leave() { inside.subtract(1, ordering: .sequentiallyConsistent) }

    /// A loop, and what shuts its connections. In a child of `fork` the lock may have lost its
    /// holder.
    static func add(_ loop: AnyObject, shut: @escaping @Sendable () -> Void) {
        guard isOurs else { return }
        loops.withLock { $0[ObjectIdentifier(loop)] = shut }
    }

    static func remove(_ loop: AnyObject) {
        guard isOurs else { return }
        loops.withLock { $0[ObjectIdentifier(loop)] = nil }
    }

    /// Waits until no thread is inside, for a second at most: libcurl before 7.87 may wait there
    /// for a look-up, outside of OpenSSL.
    private static func end() {
        // It is registered twice, and waits once.
        guard isOurs, !isEnding.exchange(true, ordering: .sequentiallyConsistent) else { return }
        // A peer that keeps OpenSSL busy would keep the thread inside.
        for shut in Array(loops.withLock { $0 }.values) { shut() }
        for _ in 0..<1_000 where inside.load(ordering: .sequentiallyConsistent) > 0 {
            ccurl_pause(1)
        }
    }
}
