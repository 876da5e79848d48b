// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// What this process found when it began and has changed for itself since. A program that takes its
/// place (``ReplacingProgram``) gets all of it back.
package enum ProcessStart {
    private struct Found: Sendable {
        /// The signals that were blocked.
        let mask: sigset_t
        /// The signals that were ignored.
        let ignored: Set<Int32>
        /// The standard streams that were closed.
        let closedStreams: [Int32]
    }

    private static let found = Locked<Found?>(nil)

    /// The numbers of signals. Those that the C library keeps for itself can be neither read nor
    /// changed.
    private static let signals: ClosedRange<Int32> = 1...64

    /// Notes the state of the process. Call it first, before there is a second thread; the second
    /// call does nothing.
    package static func note() {
        var mask = sigset_t()
        _ = unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
        let now = Found(
            mask: mask, ignored: Set(signals.filter(isIgnored)),
            closedStreams: (0...2).filter { fcntl($0, F_GETFD) == -1 && errno == EBADF })
        found.withLock { found in if found == nil { found = now } }
    }

    /// Runs `start`, which replaces this process, with the signals and the standard streams as they
    /// were found. If it returns, this process goes on as before, but for the standard streams that
    /// end with the next program.
    static func puttingBack<R, E: Error>(_ start: () throws(E) -> R) throws(E) -> R {
        guard let found = found.withLock({ $0 }) else { return try start() }
        // The kernel resets handlers by itself; what is ignored stays so.
        let changed = signals.filter { isIgnored($0) != found.ignored.contains($0) }
        for number in changed { setIgnored(found.ignored.contains(number), signal: number) }
        for stream in found.closedStreams { _ = fcntl(stream, F_SETFD, FD_CLOEXEC) }
        var mask = found.mask
        var before = sigset_t()
        _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, &before)
        defer {
            _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
            for number in changed { setIgnored(!found.ignored.contains(number), signal: number) }
        }
        return try start()
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler, to: Int.self) == ignoring
    }

    private static func setIgnored(_ isIgnored: Bool, signal number: Int32) {
        _ = signal(number, isIgnored ? SIG_IGN : SIG_DFL)
    }

    /// The value of SIG_IGN, a macro that cannot be compared.
    private static let ignoring = 1
}
