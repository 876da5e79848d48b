// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A separate, detached thread that receives none of the process's signals: for work that would
/// hold up a thread of Swift's own.
public enum SystemThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread, which ends with it.
    ///
    /// - Returns: whether the thread was started; without memory, or at a limit of the system, it
    ///   is not, and `body` is not run.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let work = unsafe Unmanaged.passRetained(Work(body))
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                var all = sigset_t()
                unsafe sigfillset(&all)
                _ = unsafe pthread_sigmask(SIG_SETMASK, &all, nil)
                if let argument = unsafe argument {
                    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            unsafe work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// The number of processors that are online; 1 if the system does not say.
    public static var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
}
