// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Callers that need more than the keys in hand.
extension KeySetState {
    /// Resumes the caller at once, or keeps its continuation for the running or next fetch.
    mutating func serve(
        _ demand: Demand, id: UInt64, continuation: CheckedContinuation<Outcome, Never>,
        at now: Duration
    ) -> Step {
        let step = Step()
        // `cancel` takes the same lock, so a caller cancelled from here on finds its continuation.
        guard !Task.isCancelled else {
            step.resumptions.append(
                Resumption(continuation: continuation, outcome: .failure(Self.cancelled)))
            return step
        }
        noticeClock(at: now)
        if let snapshot = snapshot(satisfying: demand, at: now, into: step) {
            step.resumptions.append(
                Resumption(continuation: continuation, outcome: .success(snapshot)))
            return step
        }
        if flight == nil {
            if let refusal = refusal(of: demand, at: now, into: step) {
                step.resumptions.append(
                    Resumption(continuation: continuation, outcome: .failure(refusal)))
                return step
            }
            beginFetch(demand.trigger, for: demand.reason, at: now, into: step)
        }
        flight?.waiters[id] = Waiter(demand: demand, continuation: continuation)
        return step
    }

    private mutating func snapshot(
        satisfying demand: Demand, at now: Duration, into step: Step
    ) -> KeySnapshot? {
        switch demand {
        case .usable: return usable(at: now, into: step)
        case .newer(let generation, _, let arrival):
            guard let snapshot = usable(at: now, into: step), let held,
                snapshot.generation > generation || held.settles(arrival)
            else { return nil }
            return snapshot
        case .fetchedNow: return nil
        }
    }

    /// Why no fetch may begin now.
    mutating func refusal(
        of demand: Demand, at now: Duration, into step: Step
    ) -> KeySourceError? {
        switch demand {
        case .fetchedNow: return nil
        case .usable: return refusalAfterFailure(at: now)
        case .newer(_, let reason, _):
            guard
                let refusal = refusalAfterFailure(at: now) ?? refusal(for: reason, at: now)
            else { return nil }
            heldBackCount += 1
            if heldBackCount == 1 {
                var event = event(.keyHeldBack)
                event.trigger = reason.trigger
                event.heldBackCount = heldBackCount
                step.events.append(event)
            }
            return refusal
        }
    }

    private func refusalAfterFailure(at now: Duration) -> KeySourceError? {
        guard let lastFailure, let seconds = budget.pauseAfterFailure(at: now)?.wholeSecondsUp
        else { return nil }
        return KeySourceError(
            .coolingDown, retryAfterSeconds: Int(seconds), underlying: lastFailure,
            "The last fetch has failed (\(lastFailure.code)); the next one is tried in \(seconds) s."
        )
    }

    private func refusal(for reason: StaleKeyReason, at now: Duration) -> KeySourceError? {
        guard let seconds = budget.pause(for: reason, at: now)?.wholeSecondsUp else { return nil }
        let what: ErrorMessage =
            switch reason {
            case .unknownKey: "No key in hand has the token's \"kid\""
            case .replacedKey: "The key in hand that the token names does not verify it"
            }
        return KeySourceError(
            .keyHeldBack, retryAfterSeconds: options.refusesHeldBackKeys ? nil : Int(seconds),
            "\(what), and the next fetch for such a key is allowed in \(seconds) s.")
    }

    /// Removes and returns the continuation of a caller that stops waiting; nil if the caller has
    /// its answer.
    mutating func cancel(id: UInt64) -> CheckedContinuation<Outcome, Never>? {
        flight?.waiters.removeValue(forKey: id)?.continuation
    }

    var waitingCount: Int { flight?.waiters.count ?? 0 }

    mutating func makeID() -> UInt64 {
        lastID &+= 1
        return lastID
    }
}

extension KeySetState.Demand {
    fileprivate var trigger: KeySetEvent.Trigger {
        switch self {
        case .usable: .noKeys
        case .newer(_, let reason, _): reason.trigger
        case .fetchedNow: .request
        }
    }

    fileprivate var reason: StaleKeyReason? {
        guard case .newer(_, let reason, _) = self else { return nil }
        return reason
    }
}
