// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetBase
internal import SignetPlatform

/// Shows the progress of long work on standard error: in a line of a terminal, or in a line every
/// second where a person asks for it (`--progress`). Otherwise it does nothing.
///
/// Work shows its steps and needs no thread: while a step lasts, nothing is rewritten. Texts of
/// secrets, and their names, are in no line.
final class ProgressLine: Sendable {
    /// Nil where nothing is shown.
    private let meter: Locked<ProgressMeter>?
    private let form: ProgressMeter.Form

    /// - Parameters:
    ///   - what: what is being done, for example `verifying`.
    ///   - isForced: whether there are lines without a terminal, too.
    ///   - isOff: whether the terminal has the work's own output.
    init(
        _ what: String, counting unit: ProgressMeter.Unit, isForced: Bool = false,
        isOff: Bool = false
    ) {
        // An answer in a test's own process, a pipe and a file have no line.
        let isTerminal =
            CapturedStreams.current == nil && isatty(STDERR_FILENO) == 1
            && TerminalStyle.isCapable { ProcessEnvironment.path($0) }
        form = isTerminal ? .terminal : .lines
        guard isTerminal && !isOff || isForced else {
            meter = nil
            return
        }
        meter = Locked(
            ProgressMeter(what, counting: unit, in: form, startingAt: Self.elapsed()))
    }

    /// Shows the progress, unless it was shown a moment ago.
    ///
    /// - Parameter total: nil where it is not known.
    func show(_ done: Int, of total: Int?) {
        guard let meter else { return }
        switch meter.withLock({ $0.step(done, of: total, at: Self.elapsed) }) {
        case .show(let text) where form == .terminal: Self.rewrite(text)
        case .show(let text): Output.errorLine(text)
        case .erase: Self.erase()
        case nil: break
        }
    }

    /// Erases the line. Call it however the work ends.
    func finish() { Self.erase() }

    // MARK: The terminal

    /// Whether the terminal shows a line. A process has one line at most.
    private static let isShown = Locked(false)

    /// Erases the line if there is one: before anything else is written to the terminal. No prompt
    /// comes while there is a line, because commands ask before they begin.
    static func erase() {
        isShown.withLock { isShown in
            if isShown, isInForeground { write("\r\u{1b}[K") }
            isShown = false
        }
    }

    private static func rewrite(_ text: String) {
        guard isInForeground else { return }
        isShown.withLock { isShown in
            write("\r\(text)\u{1b}[K")
            isShown = true
        }
    }

    /// A job in the background would write into another program's screen, or be stopped (`tostop`).
    private static var isInForeground: Bool { tcgetpgrp(STDERR_FILENO) == getpgrp() }

    // There is no place to report if this fails.
    private static func write(_ text: String) {
        try? StandardStreams.write(Array(text.utf8).span, to: .errors)
    }

    private static func elapsed() -> Duration { CommandClock.current.elapsed() }
}
