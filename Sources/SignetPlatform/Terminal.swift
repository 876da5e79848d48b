// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary
internal import Synchronization

/// Asks a person at the terminal.
package enum Terminal {
    /// Whether this process has a terminal that a person can be asked at.
    package static var isPresent: Bool {
        do throws(SystemFailure) {
            let terminal = try FileDescriptor.open(device, O_RDWR)
            return isatty(terminal.number) == 1
        } catch {
            return false
        }
    }

    /// Asks for a passphrase with the echo off, and reads one line of it.
    ///
    /// The terminal is the process's own (`/dev/tty`), so standard input and output may be files or
    /// pipes. Without one the call fails: a passphrase is never read from a pipe by accident. The
    /// echo comes back on every way out: after an error, and before a signal that ends (Ctrl-C) or
    /// stops (Ctrl-Z) the process takes its course. What was typed before the prompt stood there is
    /// thrown away.
    ///
    /// - Parameters:
    ///   - maximumByteCount: A longer line is refused (`EMSGSIZE`), never cut.
    ///   - device: Another terminal than the process's own; tests name a pseudo-terminal.
    /// - Returns: The line's bytes as they were typed, without the line end; possibly none. No
    ///   Unicode normalisation.
    /// - Throws: `ENXIO` without a terminal, `EINTR` after a signal that the process survived,
    ///   `ENODATA` after Ctrl-D on an empty line.
    package static func readPassphrase(
        prompt: String, maximumByteCount: Int = 1024, device: String = Terminal.device
    ) throws(SystemFailure) -> CleansedBuffer {
        try read(prompt, isShown: false, maximumByteCount, device)
    }

    /// Asks a question whose answer is not secret: the person sees what they type. The rest is as
    /// for a passphrase.
    package static func readAnswer(
        prompt: String, device: String = Terminal.device
    ) throws(SystemFailure) -> [UInt8] {
        let line = try read(prompt, isShown: true, 1024, device)
        return line.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    private static func read(
        _ prompt: String, isShown: Bool, _ maximumByteCount: Int, _ device: String
    ) throws(SystemFailure) -> CleansedBuffer {
        // One prompt at a time: two would fight over the terminal's settings and the signal
        // handlers.
        try oneAtATime.withLock { _ throws(SystemFailure) -> CleansedBuffer in
            let terminal = try openTerminal(device)
            while true {
                switch try ask(terminal, prompt, isShown, maximumByteCount) {
                case .line(let line):
                    return line
                case .signal(let number):
                    // The settings are back. Ending signals end the process here, unless it chose
                    // to survive them.
                    raise(number)
                    guard number == SIGTSTP else {
                        throw SystemFailure(
                            operation: operation, errno: EINTR, reason: "it was interrupted")
                    }
                }
            }
        }
    }

    /// The process's own terminal.
    package static let device = "/dev/tty"

    private static let operation = "read a passphrase from the terminal"
    private static let oneAtATime = Mutex<Void>(())

    private enum Answer: ~Copyable {
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
            terminal = try FileDescriptor.open(device, O_RDWR)
        } catch {
            throw absent
        }
        guard isatty(terminal.number) == 1 else { throw absent }
        return terminal
    }

    private static func ask(
        _ terminal: borrowing FileDescriptor, _ prompt: String, _ isShown: Bool,
        _ maximumByteCount: Int
    ) throws(SystemFailure) -> Answer {
        // The watch stands before the echo goes off and after it is back: no signal can leave the
        // terminal silent.
        let signals = try SignalWatch()
        // The line end that the person typed was not shown either, and what comes next is to start
        // on a line.
        defer { if !isShown { try? terminal.write([UInt8(ascii: "\n")].span, operation) } }
        var answer = try withEcho(isShown, on: terminal.number, operation) {
            () throws(SystemFailure) -> Answer in
            try terminal.write(Array(prompt.utf8).span, operation)
            return try readLine(terminal, signals, maximumByteCount)
        }
        // A signal that came together with the line's end is not swallowed.
        if let late = signals.next() { answer = .signal(late) }
        return answer
    }

    private static func readLine(
        _ terminal: borrowing FileDescriptor, _ signals: borrowing SignalWatch,
        _ maximumByteCount: Int
    ) throws(SystemFailure) -> Answer {
        // Room for the longest line, its end, and one more byte that tells a longer one. The
        // terminal's own line buffer holds 4095 bytes.
        let limit = min(max(maximumByteCount, 1), 4094)
        var line = CleansedBuffer(capacity: limit + 2)
        while true {
            if let signal = try signals.wait(forInputOn: terminal.number, operation) {
                return .signal(signal)
            }
            guard try terminal.read(into: &line, operation) > 0 else {
                if line.count > 0 { return .line(line) }
                throw SystemFailure(
                    operation: operation, errno: ENODATA, reason: "nothing was typed")
            }
            let end = line.withBytes { bytes in
                bytes.indices.first { bytes[$0] == UInt8(ascii: "\n") }
            }
            guard end ?? line.count <= limit else {
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
