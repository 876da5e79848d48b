// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// How a fetch begins and ends.
extension KeySetState {
    /// - Parameter reason: why a token needs newer keys; nil if no token does.
    mutating func beginFetch(
        _ trigger: KeySetEvent.Trigger, for reason: StaleKeyReason?, at now: Duration,
        into step: Step
    ) {
        let flight = Flight(id: makeID(), startedAt: now, trigger: trigger)
        self.flight = flight
        if let reason { budget.take(for: reason, at: now) }
        var event = event(.refreshStarted)
        event.trigger = trigger
        event.staleness = staleness(at: now)
        event.heldBackCount = heldBackCount
        step.events.append(event)
        heldBackCount = 0
        // The keys may have moved after a failure, so the metadata are fetched again.
        let known = lastFailure == nil ? metadata.flatMap { $0.isGood(at: now) ? $0 : nil } : nil
        step.launch = Launch(
            flightID: flight.id, metadata: known, lacking: reason == nil ? nil : held?.snapshot)
    }

    /// How long the keys in hand are past their lifetime; nil if they are not.
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

    /// Takes over the result of a fetch, and resumes the callers that it serves.
    mutating func finishFetch(
        _ flightID: UInt64, result: Result<KeyFetcher.Fetched, KeySourceError>, at now: Duration
    ) -> Step {
        let step = Step()
        guard let flight, flight.id == flightID else { return step }
        self.flight = nil
        var event: KeySetEvent
        switch result {
        case .success(let fetched): event = install(fetched, by: flightID)
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
        for (id, waiter) in flight.waiters {
            let outcome: Outcome
            if let reason = reasonToAskAgain(waiter.demand, after: result) {
                guard let refusal = askAgain(id, waiter: waiter, for: reason, at: now, into: step)
                else { continue }
                outcome = .failure(refusal)
            } else {
                outcome = self.outcome(to: waiter.demand, result: result, at: now, into: step)
            }
            step.resumptions.append(
                Resumption(continuation: waiter.continuation, outcome: outcome))
        }
        return step
    }

    /// Why a caller must ask again after a fetch that brought nothing new. Such a fetch settles
    /// nothing if it began before the caller's token came, or did not check whether the keys have
    /// moved.
    private func reasonToAskAgain(
        _ demand: Demand, after result: Result<KeyFetcher.Fetched, KeySourceError>
    ) -> StaleKeyReason? {
        guard case .success(let fetched) = result, fetched.doubt == nil, let held,
            case .newer(let seen, let reason, let arrival) = demand,
            held.snapshot.generation <= seen, !held.settles(arrival)
        else { return nil }
        return reason
    }

    /// Lets a caller wait for another fetch; returns the error if none can start now.
    private mutating func askAgain(
        _ id: UInt64, waiter: Waiter, for reason: StaleKeyReason, at now: Duration, into step: Step
    ) -> KeySourceError? {
        if flight == nil {
            if let refusal = refusal(of: waiter.demand, at: now, into: step) { return refusal }
            beginFetch(reason.trigger, for: reason, at: now, into: step)
        }
        flight?.waiters[id] = waiter
        return nil
    }

    private mutating func outcome(
        to demand: Demand, result: Result<KeyFetcher.Fetched, KeySourceError>, at now: Duration,
        into step: Step
    ) -> Outcome {
        switch result {
        case .success(let fetched):
            guard let held else { return .failure(Self.cancelled) }
            // Whether there are newer keys elsewhere is unknown.
            if case .newer(let seen, _, _) = demand, held.snapshot.generation <= seen,
                let doubt = fetched.doubt
            {
                return .failure(doubt)
            }
            // However long the fetch took, its keys serve every waiting caller.
            return .success(held.snapshot)
        case .failure(let error):
            if case .usable = demand, let snapshot = usable(at: now, into: step) {
                return .success(snapshot)
            }
            return .failure(error)
        }
    }

    private mutating func install(
        _ fetched: KeyFetcher.Fetched, by flightID: UInt64
    ) -> KeySetEvent {
        let earlier = held?.snapshot
        let snapshot: KeySnapshot
        if let earlier, earlier.holdsSame(as: fetched.keys) {
            snapshot = earlier
        } else {
            snapshot = KeySnapshot(fetched.keys, generation: (earlier?.generation ?? 0) &+ 1)
        }
        held = Held(
            snapshot: snapshot, requestedAt: fetched.requestedAt, cacheAge: fetched.cacheAge,
            settledBy: fetched.isAtPublishedPlace ? flightID : nil, lifetime: fetched.lifetime,
            refreshAge: fetched.lifetime * options.refreshAheadShare)
        metadata = fetched.metadata
        lastFailure = nil
        budget.succeeded()
        var event = event(.refreshed)
        event.lifetime = fetched.lifetime
        event.skipped = snapshot.keys.skipped
        if snapshot.generation != earlier?.generation {
            event.addedKeyIDs = snapshot.keyIDs(notIn: earlier)
            event.removedKeyIDs = earlier?.keyIDs(notIn: snapshot) ?? []
        }
        return event
    }
}
