// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary
internal import Synchronization

/// Removes an unfinished file when INT, TERM, HUP, QUIT, ALRM, USR1, USR2, XCPU or PWR ends the
/// process, as long as this value lives. The process still dies of the signal.
///
/// A signal that is ignored (nohup), or that has a handler, is left alone.
struct SignalRemoval: ~Copyable {
    private let replaced: [Int32]

    /// - Returns: nil if another file is guarded already: a process guards one.
    init?(of name: String, in folder: Int32) {
        guard
            isGuarding.compareExchange(
                expected: false, desired: true, ordering: .sequentiallyConsistent
            ).exchanged
        else { return nil }
        guardedFolder.store(folder, ordering: .sequentiallyConsistent)
        guardedName.store(
            unsafe UInt(bitPattern: strdup(name.cPath)), ordering: .sequentiallyConsistent)
        var replaced: [Int32] = []
        for signal in [
            SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGPWR,
        ] {
            var old = sigaction()
            guard unsafe sigaction(signal, nil, &old) == 0,
                unsafe unsafeBitCast(old.__sigaction_handler, to: Int.self) == defaultAction
            else { continue }
            var guarded = sigaction()
            unsafe guarded.__sigaction_handler.sa_handler = removeAndEnd
            // The default action is back before the handler runs.
            guarded.sa_flags = Int32(bitPattern: SA_RESETHAND)
            if unsafe sigaction(signal, &guarded, nil) == 0 { replaced.append(signal) }
        }
        self.replaced = replaced
    }

    deinit {
        for signal in replaced {
            var old = sigaction()
            _ = unsafe sigaction(signal, &old, nil)
        }
        let name = guardedName.exchange(0, ordering: .sequentiallyConsistent)
        // A handler that runs on another thread reads the name: the process ends, and the memory
        // with it.
        if runningRemovals.load(ordering: .sequentiallyConsistent) == 0 {
            unsafe free(UnsafeMutableRawPointer(bitPattern: name))
        }
        isGuarding.store(false, ordering: .sequentiallyConsistent)
    }
}

// Atomic, because a handler may use nothing else.
private let isGuarding = Atomic<Bool>(false)
private let guardedFolder = Atomic<Int32>(-1)
/// The address of the name as C takes it; 0 for none.
private let guardedName = Atomic<UInt>(0)
private let runningRemovals = Atomic<Int>(0)

/// The value of SIG_DFL, a macro that cannot be imported.
private let defaultAction = 0

private func removeAndEnd(_ signal: Int32) {
    runningRemovals.add(1, ordering: .sequentiallyConsistent)
    let address = guardedName.load(ordering: .sequentiallyConsistent)
    if let name = unsafe UnsafePointer<CChar>(bitPattern: address) {
        _ = unsafe unlinkat(guardedFolder.load(ordering: .sequentiallyConsistent), name, 0)
    }
    // Held back while the handler runs; then the process dies of it.
    raise(signal)
}
