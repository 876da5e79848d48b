// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// How a fetch begins and ends.
extension KeySetState {
    mutating func begin(_ trigger: KeySetEvent.Trigger, at now: Duration, _ step: Step) {
        let flight = Flight(id: makeID(), startedAt: now, trigger: trigger)
        self.flight = flight
        let isForUnknownKey = trigger == .unknownKey
        if isForUnknownKey { budget.takeForUnknownKey(at: now) }
        var event = event(.refreshStarted)
        event.trigger = trigger
        event.staleness = staleness(at: now)
        event.heldBackCount = heldBackCount
        step.events.append(event)
        heldBackCount = 0
        // The keys may have moved after a failure, so the metadata are fetched again.
        let known = lastFailure == nil ? metadata.flatMap { $0.isGood(at: now) ? $0 : nil } : nil
        step.launch = Launch(
            flightID: flight.id, metadata: known, lacking: isForUnknownKey ? held?.snapshot : nil)
    }

    /// How far the keys in hand are past their lifetime; nil if they are not.
    private func staleness(at now: Duration) -> Duration? {
        guard let held else { return nil }
        let staleness = now - held.requestedAt - held.lifetime
        return staleness >= .zero ? staleness : nil
    }

    mutating func attach(_ task: Task<Void, Never>, to flightID: UInt64) {
        if flight?.id == flightID { flight?.task = task }
    }

    /// The task of the fetch that is under way.
    var task: Task<Void, Never>? { flight?.task }

    /// Takes over the result of a fetch; returns the waiting callers with their answers.
    mutating func complete(
        _ flightID: UInt64, _ result: Result<KeyFetcher.Fetched, KeySourceError>, at now: Duration
    ) -> (answers: [(CheckedContinuation<Answer, Never>, Answer)], step: Step) {
        let step = Step()
        guard let flight, flight.id == flightID else { return ([], step) }
        self.flight = nil
        var event: KeySetEvent
        switch result {
        case .success(let fetched): event = install(fetched)
        case .failure(let error):
            lastFailure = error
            budget.failed(at: now)
            isStalenessTold = false
            event = self.event(.refreshFailed)
            event.error = error
            event.staleness = staleness(at: now)
        }
        event.trigger = flight.trigger
        event.duration = now - flight.startedAt
        event.waitingCount = flight.waiters.count
        step.events.append(event)
        var answers: [(CheckedContinuation<Answer, Never>, Answer)] = []
        for (id, waiter) in flight.waiters {
            if isStillOpen(waiter.demand, after: flight, result) {
                if let refusal = askAgain(id, waiter, at: now, step) {
                    answers.append((waiter.continuation, .failure(refusal)))
                }
            } else {
                answers.append(
                    (waiter.continuation, answer(to: waiter.demand, result, at: now, step)))
            }
        }
        return (answers, step)
    }

    /// Whether a caller with an unknown key joined a fetch that began for another reason and
    /// brought nothing new. That fetch did not check whether the keys have moved.
    private func isStillOpen(
        _ demand: Demand, after flight: Flight, _ result: Result<KeyFetcher.Fetched, KeySourceError>
    ) -> Bool {
        guard flight.trigger != .unknownKey, case .success = result, case .newer(let seen) = demand
        else {
            return false
        }
        return held.map { $0.snapshot.generation <= seen } ?? false
    }

    /// Lets a caller wait for its own kind of fetch; returns the reason if none can start now.
    private mutating func askAgain(
        _ id: UInt64, _ waiter: Waiter, at now: Duration, _ step: Step
    ) -> KeySourceError? {
        if flight == nil {
            if let refusal = refusal(of: waiter.demand, at: now, step) { return refusal }
            begin(.unknownKey, at: now, step)
        }
        flight?.waiters[id] = waiter
        return nil
    }

    private mutating func answer(
        to demand: Demand, _ result: Result<KeyFetcher.Fetched, KeySourceError>, at now: Duration,
        _ step: Step
    ) -> Answer {
        switch result {
        case .success(let fetched):
            guard let held else { return .failure(Self.cancelled) }
            // Whether there are newer keys elsewhere is unknown.
            if case .newer(let seen) = demand, held.snapshot.generation <= seen,
                let doubt = fetched.doubt
            {
                return .failure(doubt)
            }
            // However long the fetch took, its keys serve every waiting caller.
            return .success(held.snapshot)
        case .failure(let error):
            if case .usable = demand, let snapshot = usable(at: now, step) {
                return .success(snapshot)
            }
            return .failure(error)
        }
    }

    private mutating func install(_ fetched: KeyFetcher.Fetched) -> KeySetEvent {
        let earlier = held?.snapshot
        let snapshot: KeySnapshot
        if let earlier, earlier.holdsSame(as: fetched.keys) {
            snapshot = earlier
        } else {
            snapshot = KeySnapshot(fetched.keys, generation: (earlier?.generation ?? 0) &+ 1)
        }
        held = Held(
            snapshot: snapshot, requestedAt: fetched.requestedAt, lifetime: fetched.lifetime,
            refreshAge: fetched.lifetime * options.refreshAheadShare)
        metadata = fetched.metadata
        lastFailure = nil
        budget.succeeded()
        var event = event(.refreshed)
        event.lifetime = fetched.lifetime
        event.skipped = snapshot.keys.skipped
        event.addedKeyIDs = snapshot.keyIDs(notIn: earlier)
        event.removedKeyIDs = earlier?.keyIDs(notIn: snapshot) ?? []
        return event
    }
}
