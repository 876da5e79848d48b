// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetPlatform
internal import Synchronization

/// How far long work is: one line that is written over at a terminal, a line a second elsewhere.
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

    /// Shows it, unless that was done a moment ago. The last step is always shown, a lone step at a
    /// terminal is not.
    func show(_ done: Int, of total: Int) {
        guard isOn else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(1)
            if let shown = state.shown, done < total, now - shown < pause { return }
            // Work that takes no time needs no words.
            if isTerminal, state.shown == nil, done == total { return }
            state.shown = now
            let text = "signet: \(what): \(done) of \(total)"
            state.isOpen = isTerminal
            write(isTerminal ? "\r\(text)\u{1b}[K" : "\(text)\n")
        }
    }

    /// Ends the line, so that what is written next has one of its own.
    func finish() {
        state.withLock { state in
            if state.isOpen { write("\n") }
            state.isOpen = false
        }
    }

    // A failure cannot be reported anywhere.
    private func write(_ text: String) { try? Output.write(Array(text.utf8).span, to: .errors) }
}
