// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What happens to a caller that needs more than the keys in hand: a *demand* comes in, and the
/// caller's continuation is resumed now, or kept for the end of a fetch.
///
/// | Demand | Served by the keys in hand | Otherwise a fetch |
/// |---|---|---|
/// | `usable` | if fresh, or not stale for too long | unless one failed just now |
/// | `newer` | if newer than the token's, or known to be the newest | within the budget as well |
/// | `fetchedNow` | never | always |
///
/// If no fetch is allowed, the caller gets an error with the seconds to wait. The *flight* is the
/// running fetch. A ``DeferredWork`` is what to do after the lock around this state is released:
/// resuming callers and reporting events.
extension KeySetState {
    /// Resumes the caller at once, or keeps its continuation for the running or next fetch.
    mutating func serve(
        _ demand: Demand, id: UInt64, continuation: CheckedContinuation<Outcome, Never>,
        at now: Duration
    ) -> DeferredWork {
        let work = DeferredWork()
        // A caller that is cancelled later is served by `cancel`, which takes the same lock and
        // finds the continuation that is kept here.
        guard !Task.isCancelled else {
            work.resume(continuation, with: .failure(Self.cancelled))
            return work
        }
        noticeClock(at: now)
        if let snapshot = snapshotInHand(satisfying: demand, at: now, into: work) {
            work.resume(continuation, with: .success(snapshot))
        } else {
            let waiter = Waiter(demand: demand, continuation: continuation)
            waitForFetch(waiter, id: id, at: now, into: work)
        }
        return work
    }

    /// The keys in hand if they serve the demand without a fetch.
    private mutating func snapshotInHand(
        satisfying demand: Demand, at now: Duration, into work: DeferredWork
    ) -> KeySnapshot? {
        switch demand {
        case .usable: return usableKeys(at: now, reportingTo: work)
        case .newer(let generation, _, let arrival):
            guard let snapshot = usableKeys(at: now, reportingTo: work), let inHand,
                snapshot.generation > generation || inHand.areConfirmed(after: arrival)
            else { return nil }
            return snapshot
        case .fetchedNow: return nil
        }
    }

    /// Lets a caller wait for the fetch that is under way, or for one that starts now. Resumes the
    /// caller with the reason if none may start.
    mutating func waitForFetch(
        _ waiter: Waiter, id: UInt64, at now: Duration, into work: DeferredWork
    ) {
        if flight == nil {
            if let refusal = refusal(of: waiter.demand, at: now) {
                countHeldBack(waiter.demand, into: work)
                work.resume(waiter.continuation, with: .failure(refusal))
                return
            }
            startFetch(waiter.demand.trigger, for: waiter.demand.reason, at: now, into: work)
        }
        flight?.waiters[id] = waiter
    }

    /// Why no fetch may start now; nil if one may.
    private func refusal(of demand: Demand, at now: Duration) -> KeySourceError? {
        switch demand {
        case .fetchedNow: nil
        case .usable: refusalAfterFailure(at: now)
        case .newer(_, let reason, _):
            refusalAfterFailure(at: now) ?? refusalForToken(because: reason, at: now)
        }
    }

    /// Counts a caller that got no fetch for its token, and reports the first since the last fetch.
    private mutating func countHeldBack(_ demand: Demand, into work: DeferredWork) {
        guard let reason = demand.reason else { return }
        heldBackCount += 1
        guard heldBackCount == 1 else { return }
        var event = makeEvent(.keyHeldBack)
        event.trigger = reason.trigger
        event.heldBackCount = heldBackCount
        work.events.append(event)
    }

    /// The refusal during the pause after a failed fetch; nil if there is no pause.
    private func refusalAfterFailure(at now: Duration) -> KeySourceError? {
        guard let lastFailure, let seconds = budget.pauseAfterFailure(at: now)?.wholeSecondsUp
        else { return nil }
        return KeySourceError(
            .coolingDown, retryAfterSeconds: Int(seconds), underlying: lastFailure,
            "The last fetch has failed (\(lastFailure.code)); the next one is tried in \(seconds) s."
        )
    }

    /// The refusal while tokens have used up the budget of fetches for this reason; nil if the
    /// budget allows a fetch.
    private func refusalForToken(
        because reason: StaleKeyReason, at now: Duration
    ) -> KeySourceError? {
        guard let seconds = budget.pause(for: reason, at: now)?.wholeSecondsUp else { return nil }
        let cause: ErrorMessage =
            switch reason {
            case .unknownKey: "No key in hand has the token's \"kid\""
            case .replacedKey: "The key in hand that the token names does not verify it"
            }
        return KeySourceError(
            .keyHeldBack, retryAfterSeconds: options.refusesHeldBackKeys ? nil : Int(seconds),
            "\(cause), and the next fetch for such a key is allowed in \(seconds) s.")
    }

    /// Removes and returns the continuation of a caller that stops waiting; nil if the caller has
    /// its answer.
    mutating func cancel(id: UInt64) -> CheckedContinuation<Outcome, Never>? {
        flight?.waiters.removeValue(forKey: id)?.continuation
    }

    var waitingCount: Int { flight?.waiters.count ?? 0 }

    /// The next number of a fetch, a caller or a token's arrival: higher than all before it.
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
