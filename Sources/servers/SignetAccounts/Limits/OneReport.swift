// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Reports once that clients have no address, however many requests there are.
final class OneReport: Sendable {
    private let report: @Sendable (AccountError) -> Void
    private let isDone = Locked(false)

    init(_ report: @escaping @Sendable (AccountError) -> Void) { self.report = report }

    func reportOnce() {
        let wasDone = isDone.withLock { isDone in
            defer { isDone = true }
            return isDone
        }
        guard !wasDone else { return }
        report(
            AccountError(
                .noClientAddress,
                "Requests have no client address, as at a Unix socket: all clients share "
                    + "\(LimitRow.factorWithoutAddress) times the limit of one. Read the address that "
                    + "your proxy forwards (TrustedProxies)."))
    }
}
