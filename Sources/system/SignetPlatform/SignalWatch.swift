// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary
internal import Synchronization

/// Makes the signals that end or stop a process waitable until ``end()``, or as long as this value
/// lives; then the previous handlers are back. A process has one watch at a time.
///
/// A signal that the process ignored before (nohup) stays ignored.
struct SignalWatch: ~Copyable {
    private let reading: FileDescriptor
    private let writing: FileDescriptor
    /// Nil once the previous handlers are back.
    private let before: Mutex<[(signal: Int32, action: sigaction)]?>

    init() throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .last("make a pipe") }
        reading = FileDescriptor.owning(ends[0])
        writing = FileDescriptor.owning(ends[1])
        for end in ends {
            // Neither end blocks: a handler that waits for room in a full pipe would hang the
            // process.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        signalPipe.store(ends[1], ordering: .sequentiallyConsistent)

        var replaced: [(signal: Int32, action: sigaction)] = []
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
            var old = sigaction()
            // Asked before anything is changed, so an ignored signal is never noted.
            guard unsafe sigaction(signal, nil, &old) == 0,
                unsafe unsafeBitCast(old.__sigaction_handler, to: Int.self) != ignored
            else { continue }
            var watched = sigaction()
            unsafe watched.__sigaction_handler.sa_handler = noteSignal
            // Calls that a library does not repeat by itself are not interrupted.
            watched.sa_flags = SA_RESTART
            if unsafe sigaction(signal, &watched, nil) == 0 { replaced.append((signal, old)) }
        }
        before = Mutex(replaced)
    }

    deinit { end() }

    /// Puts the previous handlers back. Signals that came before can still be read.
    func end() {
        before.withLock { all in
            guard let replaced = all else { return }
            for (signal, action) in replaced {
                var old = action
                _ = unsafe sigaction(signal, &old, nil)
            }
            signalPipe.store(-1, ordering: .sequentiallyConsistent)
            // A handler that runs on another thread may still write to the pipe, whose number must
            // not belong to another file by then.
            while runningHandlers.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
            all = nil
        }
    }

    /// A signal that has come; nil if there is none.
    func next() -> Int32? {
        var signal: UInt8 = 0
        while unsafe read(reading.number, &signal, 1) == 1 {
            if signal != wakeUp { return Int32(signal) }
        }
        return nil
    }

    /// Waits until a signal has come, or ``wake()`` was called.
    func wait() {
        var source = pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)
        _ = retrying { unsafe poll(&source, 1, -1) }
    }

    /// Ends the wait of another thread.
    func wake() {
        var mark = wakeUp
        _ = unsafe write(writing.number, &mark, 1)
    }

    /// Waits until there is input to read, or a signal came. Returns the signal's number; nil for
    /// input.
    func wait(forInputOn descriptor: Int32, operation: String) throws(SystemFailure) -> Int32? {
        while true {
            var sources = [
                pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let ready = unsafe poll(&sources, nfds_t(sources.count), -1)
            // A signal interrupts the wait; the next round reads what it wrote.
            guard ready >= 0 || errno == EINTR else { throw .last(operation) }
            guard ready > 0 else { continue }
            if let signal = next() { return signal }
            if sources[1].revents != 0 { return nil }
        }
    }
}

/// Where the handler writes; without a watch -1, where nothing can be written. Atomic, because a
/// handler may use nothing else; set before the first handler is installed, so the handler never
/// runs its initialiser.
private let signalPipe = Atomic<Int32>(-1)

/// How many handlers run at the moment.
private let runningHandlers = Atomic<Int>(0)

/// No signal has this number.
private let wakeUp: UInt8 = 0

/// The value of SIG_IGN, a macro that cannot be imported.
private let ignored = 1

private func noteSignal(_ signal: Int32) {
    let before = errno
    runningHandlers.add(1, ordering: .sequentiallyConsistent)
    var number = UInt8(truncatingIfNeeded: signal)
    _ = unsafe write(signalPipe.load(ordering: .sequentiallyConsistent), &number, 1)
    runningHandlers.subtract(1, ordering: .sequentiallyConsistent)
    errno = before
}
