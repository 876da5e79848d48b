// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension Terminal {
    /// Runs `body` while the terminal shows all or none of what is typed; its settings are always
    /// restored.
    static func withEcho<R: ~Copyable>(
        _ isShown: Bool, on terminal: Int32, operation: String,
        _ body: () throws(SystemFailure) -> R
    ) throws(SystemFailure) -> R {
        var before = termios()
        guard unsafe tcgetattr(terminal, &before) == 0 else { throw .last(operation) }

        // ICANON stays: the terminal's line editing works, and a line arrives complete. ISIG stays:
        // Ctrl-C works.
        var during = before
        during.c_lflag |= tcflag_t(ICANON | ISIG)
        during.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        if isShown { during.c_lflag |= tcflag_t(ECHO | ECHOE | ECHOK) }

        // TCSAFLUSH discards pending input: before, what was typed ahead; after, the rest of a
        // rejected line, which would otherwise reach the shell.
        defer { _ = retrying { unsafe tcsetattr(terminal, TCSAFLUSH, &before) } }
        guard retrying({ unsafe tcsetattr(terminal, TCSAFLUSH, &during) }) == 0 else {
            throw .last(operation)
        }
        return try body()
    }
}
