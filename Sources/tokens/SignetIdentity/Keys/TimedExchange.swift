// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// An exchange with a time limit that does not depend on the transport. An exchange that exceeds
/// the limit is cancelled, and a late answer is dropped.
///
/// Not a task group, which would wait for a transport that ignores its cancellation.
package final class TimedExchange: Sendable {
    package typealias Outcome = Result<TransportResponse, TransportFailure>

    private struct State {
        var outcome: Outcome?
        var continuation: CheckedContinuation<Outcome, Never>?
    }

    private let state = Locked(State())

    private init() {}

    /// The outcome of whichever ends first: the exchange, its time limit, or the caller's task.
    package static func outcome(
        of request: TransportRequest, over transport: any IdentityTransport, clock: TimeSource
    ) async -> Outcome {
        let race = TimedExchange()
        let exchange = Task.detached {
            race.finish(
                await Outcome(of: { () async throws(TransportFailure) in
                    try await transport.exchange(request)
                }))
        }
        let timer = Task.detached {
            await clock.passLimit(request.timeout)
            race.finish(
                .failure(TransportFailure(.timedOut, "There was no complete answer in time.")))
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation(race.attach)
        } onCancel: {
            race.finish(.failure(TransportFailure(.cancelled, "The exchange was cancelled.")))
        }
        exchange.cancel()
        timer.cancel()
        return outcome
    }

    /// Keeps the waiting caller, or resumes it at once if there is an outcome already.
    private func attach(_ continuation: CheckedContinuation<Outcome, Never>) {
        let outcome = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// The first outcome counts.
    private func finish(_ outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.continuation.take()
        }
        continuation?.resume(returning: outcome)
    }
}
