// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetBase
internal import SignetPlatform
internal import Synchronization

/// Shows the progress of long work: a single line that is rewritten at a terminal, or a line every
/// second elsewhere.
final class ProgressLine: Sendable {
    private struct State {
        var shown: ContinuousClock.Instant?
        var isOpen = false
    }

    private let what: String
    private let isTerminal: Bool
    private let isOn: Bool
    private let state = Mutex(State())

    init(_ what: String, isForced: Bool) {
        self.what = what
        isTerminal = isatty(STDERR_FILENO) == 1
        isOn = isForced || isTerminal
    }

    /// Shows the progress, unless it was shown a moment ago. The last step is always shown, except
    /// at a terminal if no step was shown before it.
    func show(_ done: Int, of total: Int) {
        guard isOn else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(1)
            if let shown = state.shown, done < total, now - shown < pause { return }
            // Work that takes no time needs no progress line.
            if isTerminal, state.shown == nil, done == total { return }
            state.shown = now
            let text = "signet: \(what): \(done) of \(total)"
            state.isOpen = isTerminal
            write(isTerminal ? "\r\(text)\u{1b}[K" : "\(text)\n")
        }
    }

    /// Ends the line, so that further output begins on a new line.
    func finish() {
        state.withLock { state in
            if state.isOpen { write("\n") }
            state.isOpen = false
        }
    }

    // There is no place to report if this fails.
    private func write(_ text: String) { try? Output.write(Array(text.utf8).span, to: .errors) }
}
