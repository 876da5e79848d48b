// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// A report for a log that is made once, however often there is a reason for it.
final class OneReport: Sendable {
    private let report: @Sendable () -> Void
    private let isDone = Locked(false)

    init(_ report: @escaping @Sendable () -> Void) { self.report = report }

    func reportOnce() {
        let wasDone = isDone.withLock { isDone in
            defer { isDone = true }
            return isDone
        }
        if !wasDone { report() }
    }
}
