// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Callers that want more than what is in hand.
extension KeySetState {
    /// Answers at once, or keeps the continuation for the fetch that is under way or begins.
    mutating func wait(
        _ demand: Demand, id: UInt64, _ continuation: CheckedContinuation<Answer, Never>, at now: Duration
    ) -> Step {
        let step = Step()
        // Whoever is cancelled after this finds its continuation in here: it takes the same lock.
        guard !Task.isCancelled else {
            step.answer = .failure(Self.cancelled)
            return step
        }
        noticeClock(at: now)
        if let snapshot = satisfying(demand, at: now, step) {
            step.answer = .success(snapshot)
            return step
        }
        if flight == nil {
            if let refusal = refusal(of: demand, at: now, step) {
                step.answer = .failure(refusal)
                return step
            }
            begin(demand.trigger, at: now, step)
        }
        flight?.waiters[id] = Waiter(demand: demand, continuation: continuation)
        return step
    }

    private mutating func satisfying(
        _ demand: Demand, at now: Duration, _ step: Step
    ) -> KeySnapshot? {
        switch demand {
        case .usable: return usable(at: now, step)
        case .newer(let generation):
            guard let snapshot = usable(at: now, step), snapshot.generation > generation else { return nil }
            return snapshot
        case .fetchedNow: return nil
        }
    }

    /// Why no fetch may begin now.
    private mutating func refusal(
        of demand: Demand, at now: Duration, _ step: Step
    ) -> KeySourceError? {
        switch demand {
        case .fetchedNow: return nil
        case .usable:
            guard let lastFailure, isCoolingDown(at: now) else { return nil }
            return KeySourceError(
                .coolingDown,
                "The last fetch has failed (\(lastFailure)); the next one is tried \(cooldown) after its start."
            )
        case .newer:
            guard isCoolingDown(at: now) else { return nil }
            heldBackCount += 1
            if heldBackCount == 1 {
                var event = event(.unknownKeyHeldBack)
                event.heldBackCount = heldBackCount
                step.events.append(event)
            }
            return KeySourceError(.coolingDown, "The keys were asked for less than \(cooldown) ago.")
        }
    }

    /// The continuation of a caller that no longer waits; nil when it has its answer.
    mutating func cancel(id: UInt64) -> CheckedContinuation<Answer, Never>? {
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
        case .newer: .unknownKey
        case .fetchedNow: .request
        }
    }
}
