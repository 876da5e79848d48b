// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// One exchange as both sides see it: the caller, who waits, and the thread. It ends once, and
/// the caller is told at that moment, whatever libcurl does then.
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

    /// Who is told; false when it is over, and has been told.
    func attach(_ waiter: CheckedContinuation<Outcome, Never>) -> Bool {
        let early = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.waiter = waiter }
            return state.outcome
        }
        if let early { waiter.resume(returning: early) }
        return early == nil
    }

    /// Where it is under way; false when it is over.
    func begin(on loop: TransferLoop) -> Bool {
        state.withLock { state in
            guard state.outcome == nil else { return false }
            state.loop = loop
            return true
        }
    }

    /// The first outcome counts. Nothing goes over its connections from then on, also where the
    /// thread is busy with them.
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

    /// Ends it and tells the thread to let go of the connection.
    func giveUp(_ reason: CurlFailure.Reason) {
        let loop = state.withLock { $0.loop }
        end(.failure(CurlFailure(reason)))
        loop?.drop(self)
    }

    /// Ends it when its time has passed, whatever the thread is busy with, unless this task is
    /// cancelled before.
    func giveUpLate() async {
        // A day is as good as for ever.
        await TimeSource.system.passLimit(min(request.timeout, .seconds(86_400)))
        if !Task.isCancelled { giveUp(.timedOut) }
    }
}
