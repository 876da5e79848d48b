// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// An exchange, shared by the caller, who waits for it, and the thread. It ends once. The caller
/// gets the outcome at that moment, whatever libcurl is still doing.
final class Transfer: Sendable {
    typealias Outcome = Result<CurlAnswer, CurlFailure>

    private struct State {
        var waiter: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var loop: TransferLoop?
    }

    let request: CurlRequest
    let sockets: TransferSockets
    private let state = Locked(State())

    init(_ request: CurlRequest) {
        self.request = request
        sockets = TransferSockets(request.reach)
    }

    var isOver: Bool { state.withLock { $0.outcome != nil } }

    /// Sets the caller to tell. If the exchange is already over, tells it at once and returns
    /// false.
    func attach(_ waiter: CheckedContinuation<Outcome, Never>) -> Bool {
        let early = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.waiter = waiter }
            return state.outcome
        }
        if let early { waiter.resume(returning: early) }
        return early == nil
    }

    /// Records which loop runs the exchange; false if it is already over.
    func recordLoop(_ loop: TransferLoop) -> Bool {
        state.withLock { state in
            guard state.outcome == nil else { return false }
            state.loop = loop
            return true
        }
    }

    /// Ends the exchange with an outcome, of which the first counts. From then on nothing goes over
    /// its connections, even if the thread is busy with them.
    func end(_ outcome: Outcome) {
        let before = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            let before = state
            state = State(outcome: outcome)
            return before
        }
        guard before != nil else { return }
        sockets.shut()
        before?.waiter?.resume(returning: outcome)
    }

    /// Ends the exchange and tells the thread to drop the connection.
    func giveUp(_ reason: CurlFailure.Reason) {
        let loop = state.withLock { $0.loop }
        end(.failure(CurlFailure(reason)))
        loop?.drop(self)
    }

    /// Ends the exchange when its time is over, whatever the thread is busy with, unless this task
    /// is cancelled first.
    func giveUpWhenTimeIsOver() async {
        // A day is as good as forever.
        await TimeSource.system.passLimit(min(request.timeout, .seconds(86_400)))
        if !Task.isCancelled { giveUp(.timedOut) }
    }
}
