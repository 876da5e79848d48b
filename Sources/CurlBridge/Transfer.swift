// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Curl

    internal import SystemBridge

    /// One exchange as both sides see it: whoever waits, and the thread. It ends once, and whoever waits is told at that moment, whatever
    /// libcurl does then.
    final class Transfer: Sendable {
        typealias Outcome = Result<CurlAnswer, CurlFailure>

        private struct State {
            var waiter: CheckedContinuation<Outcome, Never>?
            var outcome: Outcome?
            var loop: TransferLoop?
        }

        let request: CurlRequest
        let deadline: ContinuousClock.Instant
        private let state = Locked(State())

        init(_ request: CurlRequest) {
            self.request = request
            deadline = ContinuousClock.now.advanced(by: request.timeout)
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

        /// The first outcome counts.
        func end(_ outcome: Outcome) {
            let before = state.withLock { state -> State? in
                guard state.outcome == nil else { return nil }
                let before = state
                state = State(outcome: outcome)
                return before
            }
            before?.waiter?.resume(returning: outcome)
        }

        /// Ends it and tells the thread to let go of the connection.
        func cancel() {
            let loop = state.withLock { $0.loop }
            end(.failure(CurlFailure(.cancelled)))
            loop?.drop(self)
        }
    }

#endif
