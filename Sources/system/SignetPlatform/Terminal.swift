// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary
internal import Synchronization

/// Asks a person at the terminal.
package enum Terminal {
    /// Whether this process has a terminal.
    package static var isPresent: Bool {
        do throws(SystemFailure) {
            let terminal = try FileDescriptor.open(device, flags: O_RDWR)
            return isatty(terminal.number) == 1
        } catch {
            return false
        }
    }

    /// Asks for a passphrase without echo, and reads one line.
    ///
    /// It uses the process's own terminal (`/dev/tty`), so standard input and output may be files
    /// or pipes. Without a terminal the call fails: it never reads a passphrase from a pipe by
    /// accident. The echo is always restored: after an error, and before a signal that ends
    /// (Ctrl-C) or stops (Ctrl-Z) the process. Input typed before the prompt is discarded.
    ///
    /// - Parameters:
    ///   - maximumByteCount: A longer line is rejected (`EMSGSIZE`), never cut.
    ///   - device: The terminal to use in place of the process's own; tests name a pseudo-terminal.
    /// - Returns: The line's bytes as typed, without the line end; possibly none. No Unicode
    ///   normalisation.
    /// - Throws: `ENXIO` without a terminal, `EINTR` after a signal that the process survived,
    ///   `ENODATA` after Ctrl-D on an empty line.
    package static func readPassphrase(
        prompt: String, maximumByteCount: Int = 1024, device: String = Terminal.device
    ) throws(SystemFailure) -> CleansedBuffer {
        try read(prompt, isShown: false, maximumByteCount: maximumByteCount, device: device)
    }

    /// Asks a question whose answer is not secret: what is typed is shown. Otherwise as for a
    /// passphrase.
    package static func readReply(
        prompt: String, device: String = Terminal.device
    ) throws(SystemFailure) -> [UInt8] {
        let line = try read(prompt, isShown: true, maximumByteCount: 1024, device: device)
        return line.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    private static func read(
        _ prompt: String, isShown: Bool, maximumByteCount: Int, device: String
    ) throws(SystemFailure) -> CleansedBuffer {
        // One prompt at a time: two would conflict over the terminal's settings and the signal
        // handlers.
        try oneAtATime.withLock { _ throws(SystemFailure) -> CleansedBuffer in
            let terminal = try openTerminal(device)
            while true {
                switch try ask(
                    terminal, prompt: prompt, isShown: isShown, maximumByteCount: maximumByteCount)
                {
                case .line(let line):
                    return line
                case .signal(let number):
                    // The settings are restored. Ending signals end the process here, unless it
                    // survives them.
                    act(number)
                    guard number == SIGTSTP else {
                        throw SystemFailure(
                            operation: operation, errno: EINTR, reason: "it was interrupted")
                    }
                }
            }
        }
    }

    /// Lets a signal act in this thread. Dispatch's threads block signals, and there it would wait
    /// until the thread ends.
    private static func act(_ number: Int32) {
        var signals = sigset_t()
        _ = unsafe sigemptyset(&signals)
        _ = unsafe sigaddset(&signals, number)
        var before = sigset_t()
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        raise(number)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// The process's own terminal.
    package static let device = "/dev/tty"

    private static let operation = "read a passphrase from the terminal"
    private static let oneAtATime = Mutex<Void>(())

    private enum Input: ~Copyable {
        case line(CleansedBuffer)
        case signal(Int32)
    }

    private static func openTerminal(_ device: String) throws(SystemFailure) -> FileDescriptor {
        let absent = SystemFailure(
            operation: operation, errno: ENXIO,
            reason:
                "this process has no terminal; give the passphrase in a file or through a descriptor"
        )
        let terminal: FileDescriptor
        do throws(SystemFailure) {
            terminal = try FileDescriptor.open(device, flags: O_RDWR)
        } catch {
            throw absent
        }
        guard isatty(terminal.number) == 1 else { throw absent }
        return terminal
    }

    /// Shows the prompt, reads a line or a signal, and restores the settings of the terminal.
    private static func ask(
        _ terminal: borrowing FileDescriptor, prompt: String, isShown: Bool, maximumByteCount: Int
    ) throws(SystemFailure) -> Input {
        // The watch begins before the echo goes off and ends after it is back: no signal can leave
        // the terminal silent.
        let signals = try SignalWatch()
        // The typed line end was not shown either, and later output should start on a new line.
        defer {
            if !isShown { try? terminal.write([UInt8(ascii: "\n")].span, operation: operation) }
        }
        var input = try withEcho(isShown, on: terminal.number, operation: operation) {
            () throws(SystemFailure) -> Input in
            try terminal.write(Array(prompt.utf8).span, operation: operation)
            return try readLine(terminal, signals: signals, maximumByteCount: maximumByteCount)
        }
        // A signal that came together with the line's end is not swallowed.
        signals.end()
        if let late = signals.next() { input = .signal(late) }
        return input
    }

    private static func readLine(
        _ terminal: borrowing FileDescriptor, signals: borrowing SignalWatch, maximumByteCount: Int
    ) throws(SystemFailure) -> Input {
        // Room for the longest line, its end, and one more byte that reveals a longer line. The
        // terminal's own line buffer holds 4,095 bytes.
        let limit = min(max(maximumByteCount, 1), 4094)
        var line = CleansedBuffer(capacity: limit + 2)
        while true {
            if let signal = try signals.wait(forInputOn: terminal.number, operation: operation) {
                return .signal(signal)
            }
            guard try terminal.read(into: &line, operation: operation) > 0 else {
                if line.count > 0 { return .line(line) }
                throw SystemFailure(
                    operation: operation, errno: ENODATA, reason: "nothing was typed")
            }
            let end = line.withBytes { bytes in
                bytes.indices.first { bytes[$0] == UInt8(ascii: "\n") }
            }
            let lineByteCount = end ?? line.count
            guard lineByteCount <= limit else {
                throw SystemFailure(
                    operation: operation, errno: EMSGSIZE,
                    reason: "it is longer than \(limit) bytes")
            }
            if let end {
                line.truncate(to: end)
                return .line(line)
            }
        }
    }
}
