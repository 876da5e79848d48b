// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// How a fetch of keys begins and ends. This file only decides, under the lock of `RemoteKeySet`:
///
/// 1. `startFetch` notes the fetch, the *flight*, and asks for a task that runs it (`Launch`).
/// 2. `attach` keeps the task, which fetches outside of the lock.
/// 3. `finishFetch` puts the fetched keys in hand, or notes the failure, and gives each waiting
///    caller its outcome: keys or an error.
///
/// `DeferredWork` collects what `RemoteKeySet` does after the lock: report, start, resume.
extension KeySetState {
    /// Makes the fetch that callers share, and the work that starts it.
    ///
    /// - Parameter reason: why a token needs newer keys; nil if no token does.
    mutating func startFetch(
        _ trigger: KeySetEvent.Trigger, for reason: StaleKeyReason?, at now: Duration,
        into work: DeferredWork
    ) {
        let id = makeID()
        flight = Flight(id: id, startedAt: now, trigger: trigger)
        if let reason { budget.takeFetch(for: reason, at: now) }
        var event = makeEvent(.refreshStarted)
        event.trigger = trigger
        event.staleness = inHand?.staleness(at: now)
        event.heldBackCount = heldBackCount
        work.events.append(event)
        heldBackCount = 0
        // The metadata say where the keys are. After a failure they are fetched again, because the
        // keys may have moved.
        let isMetadataUsable = lastFailure == nil && metadata?.isGood(at: now) == true
        work.launch = Launch(
            flightID: id, metadata: isMetadataUsable ? metadata : nil,
            lacking: reason == nil ? nil : inHand?.snapshot)
    }

    /// Keeps the task of the fetch that is under way, so that it can be cancelled. Drops the task
    /// of a fetch that has ended in the meantime.
    mutating func attach(_ task: Task<Void, Never>, to flightID: UInt64) {
        if flight?.id == flightID { flight?.task = task }
    }

    /// The task of the fetch that is under way.
    var task: Task<Void, Never>? { flight?.task }

    /// Takes over the result of a fetch, and resumes the callers that it serves.
    mutating func finishFetch(
        _ flightID: UInt64, result: Result<KeyFetcher.Fetched, KeySourceError>, at now: Duration
    ) -> DeferredWork {
        let work = DeferredWork()
        guard let ended = flight, ended.id == flightID else { return work }
        flight = nil
        var event =
            switch result {
            case .success(let fetched): installKeys(fetched, by: flightID)
            case .failure(let error): recordFailure(error, at: now)
            }
        event.trigger = ended.trigger
        event.duration = now - ended.startedAt
        event.waitingCount = ended.waiters.count
        work.events.append(event)
        for (id, waiter) in ended.waiters {
            if mustAskAgain(waiter.demand, after: result) {
                waitForFetch(waiter, id: id, at: now, into: work)
            } else {
                work.resume(
                    waiter.continuation,
                    with: outcome(of: result, for: waiter.demand, at: now, into: work))
            }
        }
        return work
    }

    /// Puts fetched keys in hand. The same keys keep their snapshot with its generation.
    private mutating func installKeys(
        _ fetched: KeyFetcher.Fetched, by flightID: UInt64
    ) -> KeySetEvent {
        let earlier = inHand?.snapshot
        let snapshot: KeySnapshot
        if let earlier, earlier.holdsSame(as: fetched.keys) {
            snapshot = earlier
        } else {
            snapshot = KeySnapshot(fetched.keys, generation: (earlier?.generation ?? 0) &+ 1)
        }
        inHand = KeysInHand(
            snapshot: snapshot, requestedAt: fetched.requestedAt, cacheAge: fetched.cacheAge,
            place: fetched.isAtPublishedPlace ? .confirmed(by: flightID) : .unconfirmed,
            lifetime: fetched.lifetime,
            // Before the end of the lifetime, so that no caller has to wait.
            refreshAge: fetched.lifetime * options.refreshAheadShare)
        metadata = fetched.metadata
        lastFailure = nil
        budget.recordSuccess()
        var event = makeEvent(.refreshed)
        event.lifetime = fetched.lifetime
        event.skipped = snapshot.keys.skipped
        if snapshot.generation != earlier?.generation {
            event.addedKeyIDs = snapshot.keyIDs(notIn: earlier)
            event.removedKeyIDs = earlier?.keyIDs(notIn: snapshot) ?? []
        }
        return event
    }

    /// Begins the pause after a failed fetch. The keys in hand stay.
    private mutating func recordFailure(_ error: KeySourceError, at now: Duration) -> KeySetEvent {
        lastFailure = error
        budget.recordFailure(at: now)
        isStalenessReported = false
        var event = makeEvent(.refreshFailed)
        event.error = error
        event.staleness = inHand?.staleness(at: now)
        return event
    }

    /// Whether a caller must ask again after a fetch that brought no newer keys. Such a fetch
    /// decides nothing about a token that came after it began. It also decides nothing if it did
    /// not check whether the keys have moved.
    private func mustAskAgain(
        _ demand: Demand, after result: Result<KeyFetcher.Fetched, KeySourceError>
    ) -> Bool {
        // Every other demand takes what the fetch brought.
        guard case .newer(let seen, _, let arrival) = demand else { return false }
        // A failure or a doubt is the caller's answer.
        guard case .success(let fetched) = result, fetched.doubt == nil else { return false }
        guard let inHand, inHand.snapshot.generation <= seen else { return false }
        return !inHand.areConfirmed(after: arrival)
    }

    /// What a caller gets from a fetch that has ended.
    private mutating func outcome(
        of result: Result<KeyFetcher.Fetched, KeySourceError>, for demand: Demand,
        at now: Duration, into work: DeferredWork
    ) -> Outcome {
        switch result {
        case .success(let fetched):
            // Cannot fail: a successful fetch has put its keys in hand.
            guard let inHand else { return .failure(Self.cancelled) }
            // Whether there are newer keys elsewhere is unknown.
            if case .newer(let seen, _, _) = demand, inHand.snapshot.generation <= seen,
                let doubt = fetched.doubt
            {
                return .failure(doubt)
            }
            // However long the fetch took, its keys serve every waiting caller.
            return .success(inHand.snapshot)
        case .failure(let error):
            if case .usable = demand, let snapshot = usableKeys(at: now, reportingTo: work) {
                return .success(snapshot)
            }
            return .failure(error)
        }
    }
}
