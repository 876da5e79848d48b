// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Holds signals back from this thread.
enum SignalMask {
    /// Runs `body`. Signals that come meanwhile act after it, unless another thread takes them.
    static func withoutSignals<R: ~Copyable, E: Error>(
        _ body: () throws(E) -> R
    ) throws(E) -> R {
        var all = sigset_t()
        var before = sigset_t()
        _ = unsafe sigfillset(&all)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }
}
