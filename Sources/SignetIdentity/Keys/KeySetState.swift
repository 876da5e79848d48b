// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// What a ``RemoteKeySet`` knows, and every decision that it takes. Touched inside of its lock
/// only; whatever is to be done outside of the lock comes out as a ``Step``.
struct KeySetState: Sendable {
    typealias Answer = Result<KeySnapshot, KeySourceError>

    /// A caller's request.
    enum Demand: Sendable {
        case usable
        case newer(than: UInt64)
        case fetchedNow
    }

    /// What is to be done once the lock is free. A class, so that nothing of it is moved about when
    /// there is none.
    final class Step {
        /// For a caller that need not wait.
        var answer: Answer?
        var events: [KeySetEvent] = []
        var launch: Launch?
    }

    /// A fetch to be started.
    struct Launch: Sendable {
        let flightID: UInt64
        let metadata: KeyFetcher.KnownMetadata?
        /// The keys in which a `kid` was not found, where that is why.
        let lacking: KeySnapshot?
    }

    struct Held {
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

    struct Flight {
        let id: UInt64
        let startedAt: Duration
        let trigger: KeySetEvent.Trigger
        var waiters: [UInt64: Waiter] = [:]
        var task: Task<Void, Never>?
    }

    let issuer: String
    let options: KeySetOptions

    var held: Held?
    var metadata: KeyFetcher.KnownMetadata?
    var flight: Flight?
    var budget: FetchBudget
    /// Of the last fetch; nil when it was a good one.
    var lastFailure: KeySourceError?
    var heldBackCount = 0
    var isStalenessTold = false
    var lastID: UInt64 = 0

    init(issuer: String, options: KeySetOptions) {
        self.issuer = issuer
        budget = FetchBudget(cooldown: options.cooldown)
        self.options = options
    }

    /// The keys in hand. Most calls end in the first lines.
    ///
    /// - Parameter startsFetch: whether a fetch begins where there are no keys too. A caller that
    ///   goes on to ``wait(_:id:_:at:)`` leaves that to it, and gets that fetch's own outcome.
    mutating func use(at now: Duration, startsFetch: Bool) -> (
        snapshot: KeySnapshot?, step: Step?
    ) {
        if let held {
            let age = now - held.requestedAt
            if age >= .zero, age < held.refreshAge { return (held.snapshot, nil) }
        }
        return useSlowly(at: now, startsFetch)
    }

    @inline(never)
    private mutating func useSlowly(
        at now: Duration, _ startsFetch: Bool
    ) -> (snapshot: KeySnapshot?, step: Step?) {
        noticeClock(at: now)
        let step = Step()
        let snapshot = usable(at: now, step)
        let isDue = held.map { now - $0.requestedAt >= $0.refreshAge } ?? true
        if isDue, flight == nil, snapshot != nil || startsFetch,
            budget.pauseAfterFailure(at: now) == nil
        {
            begin(snapshot == nil ? .noKeys : .age, at: now, step)
        }
        return (snapshot, step)
    }

    /// What may be served now: keys inside their lifetime, or those past it for as long as options
    /// allow. A refresh runs beside them: after a quiet night no caller waits for an issuer that
    /// hangs.
    mutating func usable(at now: Duration, _ step: Step) -> KeySnapshot? {
        guard let held else { return nil }
        let staleness = now - held.requestedAt - held.lifetime
        if staleness < .zero { return held.snapshot }
        guard staleness < options.maximumStaleness else { return nil }
        if let lastFailure, !isStalenessTold {
            isStalenessTold = true
            var event = event(.staleKeysServed)
            event.error = lastFailure
            event.staleness = staleness
            step.events.append(event)
        }
        return held.snapshot
    }

    /// A clock that has gone back says nothing about the age of anything: the keys become due for a
    /// refresh, their remaining time begins now, and no pause is longer than it would be from now
    /// on. Callers read the clock before they take the lock, so a small difference is not a jump.
    mutating func noticeClock(at now: Duration) {
        let tolerance = Duration.seconds(1)
        budget.noticeClock(at: now, tolerance: tolerance)
        if let held, now + tolerance < held.requestedAt {
            self.held?.requestedAt = now - held.refreshAge
        }
    }

    func event(_ kind: KeySetEvent.Kind) -> KeySetEvent {
        var event = KeySetEvent(issuer: issuer, kind: kind)
        event.generation = held?.snapshot.generation ?? 0
        event.keyCount = held?.snapshot.keys.keys.count ?? 0
        return event
    }

    static var cancelled: KeySourceError {
        KeySourceError(.cancelled, "The task was cancelled while it waited.")
    }
}
