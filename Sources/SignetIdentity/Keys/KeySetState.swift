// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// What a ``RemoteKeySet`` knows, and every decision that it takes. Touched inside of its lock only; whatever is to be done outside of the lock
/// comes out as a ``Step``.
struct KeySetState: Sendable {
    typealias Answer = Result<KeySnapshot, KeySourceError>

    /// What a caller asks for.
    enum Demand: Sendable {
        case usable
        case newer(than: UInt64)
        case fetchedNow
    }

    /// What is to be done once the lock is free.
    struct Step: Sendable {
        /// For a caller that need not wait.
        var answer: Answer?
        var events: [KeySetEvent] = []
        var launch: Launch?
    }

    /// A fetch to be started.
    struct Launch: Sendable {
        let flightID: UInt64
        let metadata: KeyFetcher.KnownMetadata?
    }

    private struct Held {
        var snapshot: KeySnapshot
        var requestedAt: Duration
        var lifetime: Duration
        /// From this age on a refresh is due.
        var refreshAge: Duration
    }

    struct Waiter {
        let demand: Demand
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct Flight {
        let id: UInt64
        let startedAt: Duration
        let trigger: KeySetEvent.Trigger
        var waiters: [UInt64: Waiter] = [:]
        var task: Task<Void, Never>?
    }

    private let issuer: String
    private let cooldown: Duration
    private let maximumStaleness: Duration
    private let refreshAheadShare: Double

    private var held: Held?
    private var metadata: KeyFetcher.KnownMetadata?
    private var flight: Flight?
    private var lastAttempt: Duration?
    /// Of the last fetch; nil when it was a good one.
    private var lastFailure: KeySourceError?
    private var heldBackCount = 0
    private var isStalenessTold = false
    private var lastID: UInt64 = 0

    init(issuer: String, options: KeySetOptions) {
        self.issuer = issuer
        cooldown = options.cooldown
        maximumStaleness = options.maximumStaleness
        refreshAheadShare = options.refreshAheadShare
    }

    // MARK: Using keys

    /// The keys in hand. Most calls end in the first lines.
    ///
    /// - Parameter isOnlyLooking: the caller will not come back to ``wait(_:id:_:at:)``, which begins a fetch where there are no keys and answers
    ///   its caller with that fetch's own outcome.
    mutating func use(at now: Duration, isOnlyLooking: Bool) -> (snapshot: KeySnapshot?, step: Step?) {
        if let held {
            let age = now - held.requestedAt
            if age >= .zero, age < held.refreshAge { return (held.snapshot, nil) }
        }
        return useSlowly(at: now, isOnlyLooking)
    }

    @inline(never)
    private mutating func useSlowly(
        at now: Duration, _ isOnlyLooking: Bool
    ) -> (snapshot: KeySnapshot?, step: Step?) {
        noticeClock(at: now)
        var step = Step()
        let snapshot = usable(at: now, &step)
        let isDue = held.map { now - $0.requestedAt >= $0.refreshAge } ?? true
        if isDue, flight == nil, snapshot != nil || isOnlyLooking,
            lastFailure == nil || !isCoolingDown(at: now)
        {
            begin(snapshot == nil ? .noKeys : .age, at: now, &step)
        }
        return (snapshot, step)
    }

    /// What may be served now: keys inside their lifetime, or those past it while fetching fails.
    private mutating func usable(at now: Duration, _ step: inout Step) -> KeySnapshot? {
        guard let held else { return nil }
        let staleness = now - held.requestedAt - held.lifetime
        if staleness < .zero { return held.snapshot }
        guard let lastFailure, staleness < maximumStaleness else { return nil }
        if !isStalenessTold {
            isStalenessTold = true
            var event = event(.staleKeysServed)
            event.error = lastFailure
            event.staleness = staleness
            step.events.append(event)
        }
        return held.snapshot
    }

    // MARK: Waiting for keys

    /// Answers at once, or keeps the continuation for the fetch that is under way or begins.
    mutating func wait(
        _ demand: Demand, id: UInt64, _ continuation: CheckedContinuation<Answer, Never>, at now: Duration
    ) -> Step {
        var step = Step()
        // Whoever is cancelled after this finds its continuation in here: it takes the same lock.
        guard !Task.isCancelled else {
            step.answer = .failure(Self.cancelled)
            return step
        }
        noticeClock(at: now)
        if let snapshot = satisfying(demand, at: now, &step) {
            step.answer = .success(snapshot)
            return step
        }
        if flight == nil {
            if let refusal = refusal(of: demand, at: now, &step) {
                step.answer = .failure(refusal)
                return step
            }
            begin(demand.trigger, at: now, &step)
        }
        flight?.waiters[id] = Waiter(demand: demand, continuation: continuation)
        return step
    }

    private mutating func satisfying(
        _ demand: Demand, at now: Duration, _ step: inout Step
    ) -> KeySnapshot? {
        switch demand {
        case .usable: return usable(at: now, &step)
        case .newer(let generation):
            guard let snapshot = usable(at: now, &step), snapshot.generation > generation else { return nil }
            return snapshot
        case .fetchedNow: return nil
        }
    }

    /// Why no fetch may begin now.
    private mutating func refusal(
        of demand: Demand, at now: Duration, _ step: inout Step
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

    mutating func makeID() -> UInt64 {
        lastID &+= 1
        return lastID
    }

    // MARK: Fetching

    private mutating func begin(_ trigger: KeySetEvent.Trigger, at now: Duration, _ step: inout Step) {
        let flight = Flight(id: makeID(), startedAt: now, trigger: trigger)
        self.flight = flight
        lastAttempt = now
        var event = event(.refreshStarted)
        event.trigger = trigger
        event.heldBackCount = heldBackCount
        step.events.append(event)
        heldBackCount = 0
        // After a failure the keys may have moved: the metadata are fetched again.
        let known = lastFailure == nil ? metadata.flatMap { $0.isGood(at: now) ? $0 : nil } : nil
        step.launch = Launch(flightID: flight.id, metadata: known)
    }

    mutating func attach(_ task: Task<Void, Never>, to flightID: UInt64) {
        if flight?.id == flightID { flight?.task = task }
    }

    /// The task of the fetch that is under way.
    var task: Task<Void, Never>? { flight?.task }

    /// Takes over what a fetch brought; returns who waits for it, each with its answer.
    mutating func complete(
        _ flightID: UInt64, _ result: Result<KeyFetcher.Fetched, KeySourceError>, at now: Duration
    ) -> (answers: [(CheckedContinuation<Answer, Never>, Answer)], events: [KeySetEvent]) {
        guard let flight, flight.id == flightID else { return ([], []) }
        self.flight = nil
        var step = Step()
        var event: KeySetEvent
        switch result {
        case .success(let fetched): event = install(fetched)
        case .failure(let error):
            lastFailure = error
            isStalenessTold = false
            event = self.event(.refreshFailed)
            event.error = error
            if let held, now - held.requestedAt >= held.lifetime {
                event.staleness = now - held.requestedAt - held.lifetime
            }
        }
        event.trigger = flight.trigger
        event.duration = now - flight.startedAt
        event.waitingCount = flight.waiters.count
        step.events.append(event)
        var answers: [(CheckedContinuation<Answer, Never>, Answer)] = []
        for waiter in flight.waiters.values {
            answers.append((waiter.continuation, answer(to: waiter.demand, result, at: now, &step)))
        }
        return (answers, step.events)
    }

    private mutating func answer(
        to demand: Demand, _ result: Result<KeyFetcher.Fetched, KeySourceError>, at now: Duration,
        _ step: inout Step
    ) -> Answer {
        switch result {
        case .success:
            // However long it took: what came just now is good for whoever waited for it.
            if let held { return .success(held.snapshot) }
            return .failure(Self.cancelled)
        case .failure(let error):
            if case .usable = demand, let snapshot = usable(at: now, &step) { return .success(snapshot) }
            return .failure(error)
        }
    }

    private mutating func install(_ fetched: KeyFetcher.Fetched) -> KeySetEvent {
        let earlier = held?.snapshot
        let snapshot: KeySnapshot
        if let earlier, earlier.holdsSame(as: fetched.keys) {
            snapshot = earlier
        } else {
            snapshot = KeySnapshot(
                keys: fetched.keys.keys, generation: (earlier?.generation ?? 0) &+ 1,
                issuers: fetched.keys.issuers)
        }
        held = Held(
            snapshot: snapshot, requestedAt: fetched.requestedAt, lifetime: fetched.lifetime,
            refreshAge: fetched.lifetime * refreshAheadShare)
        metadata = fetched.metadata
        lastFailure = nil
        var event = event(.refreshed)
        event.lifetime = fetched.lifetime
        event.skipped = snapshot.keys.skipped
        event.addedKeyIDs = snapshot.keyIDs(notIn: earlier)
        event.removedKeyIDs = earlier?.keyIDs(notIn: snapshot) ?? []
        return event
    }

    // MARK: Time

    private func isCoolingDown(at now: Duration) -> Bool {
        guard let lastAttempt else { return false }
        return now - lastAttempt < cooldown
    }

    /// A clock that has gone back says nothing about the age of anything: the keys become due for a refresh, their remaining time begins
    /// now, and no cooldown is left. Callers read the clock before they take the lock, so a little is no jump.
    private mutating func noticeClock(at now: Duration) {
        let tolerance = Duration.seconds(1)
        if let attempt = lastAttempt, now + tolerance < attempt { lastAttempt = nil }
        if let held, now + tolerance < held.requestedAt { self.held?.requestedAt = now - held.refreshAge }
    }

    private func event(_ kind: KeySetEvent.Kind) -> KeySetEvent {
        var event = KeySetEvent(issuer: issuer, kind: kind)
        event.generation = held?.snapshot.generation ?? 0
        event.keyCount = held?.snapshot.keys.keys.count ?? 0
        return event
    }

    static var cancelled: KeySourceError {
        KeySourceError(.cancelled, "The task was cancelled while it waited.")
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
