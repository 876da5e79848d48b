// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// Lets one caller in after the other, in the order in which they came, without holding a thread.
final class TransactionTurns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        // The number of the next one to be let in, and of the next one to come.
        var first: UInt64 = 0
        var next: UInt64 = 0
    }

    private let state = Locked(State())

    /// Waits for the turn, which is given back with ``give()``.
    ///
    /// - Throws: `cancelled` when the task is cancelled before its turn.
    func take() async throws(AccountError) {
        let number = state.withLock { state -> UInt64 in
            defer { state.next &+= 1 }
            return state.next
        }
        let isMine = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(number, continuation)
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: false)
        }
        guard isMine else { throw .cancelledTransaction }
    }

    /// Lets the next one in.
    func give() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            while state.first < state.next, !state.waiting.isEmpty {
                defer { state.first &+= 1 }
                if let next = state.waiting.removeValue(forKey: state.first) { return next }
            }
            state.isTaken = false
            return nil
        }
        next?.resume(returning: true)
    }

    private func enter(_ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>) {
        let answer = state.withLock { state -> Bool? in
            // Asked under the lock, which the handler of a later cancellation takes as well.
            guard !Task.isCancelled else { return false }
            guard state.isTaken else {
                state.isTaken = true
                return true
            }
            state.waiting[number] = continuation
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }
}

extension AccountError {
    static var cancelledTransaction: AccountError {
        AccountError(.cancelled, "The task was cancelled; nothing was written.")
    }
}
