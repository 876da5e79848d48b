// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary
internal import Synchronization

/// Makes the signals that end or stop a process waitable for as long as this value lives; then the
/// previous handlers are back. One at a time in a process.
struct SignalWatch: ~Copyable {
    private let reading: FileDescriptor
    private let writing: FileDescriptor
    private let before: [(signal: Int32, action: sigaction)]

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
            var watched = sigaction()
            unsafe watched.__sigaction_handler.sa_handler = noteSignal
            var old = sigaction()
            guard unsafe sigaction(signal, &watched, &old) == 0 else { continue }
            // An ignored signal (nohup) stays ignored.
            if unsafe unsafeBitCast(old.__sigaction_handler, to: Int.self) == ignored {
                _ = unsafe sigaction(signal, &old, nil)
            } else {
                replaced.append((signal, old))
            }
        }
        before = replaced
    }

    deinit {
        for (signal, action) in before {
            var old = action
            _ = unsafe sigaction(signal, &old, nil)
        }
        signalPipe.store(-1, ordering: .sequentiallyConsistent)
    }

    /// The number of a signal that has come; nil if there is none.
    func next() -> Int32? {
        var signal: UInt8 = 0
        return unsafe read(reading.number, &signal, 1) == 1 ? Int32(signal) : nil
    }

    /// Waits until there is input to read, or a signal came: then its number.
    func wait(forInputOn descriptor: Int32, _ operation: String) throws(SystemFailure) -> Int32? {
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

/// Where the handler writes. Atomic, because a handler may use nothing else; set before the first
/// handler is installed, so the handler never runs its initialiser.
private let signalPipe = Atomic<Int32>(-1)

/// The value of SIG_IGN, a macro that cannot be imported.
private let ignored = 1

private func noteSignal(_ signal: Int32) {
    let before = errno
    var number = UInt8(truncatingIfNeeded: signal)
    _ = unsafe write(signalPipe.load(ordering: .sequentiallyConsistent), &number, 1)
    errno = before
}
