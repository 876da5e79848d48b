// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The state of a ``RemoteKeySet``, and all its decisions. Used only inside its lock. Work for
/// outside the lock is returned as a ``Step``.
struct KeySetState: Sendable {
    typealias Outcome = Result<KeySnapshot, KeySourceError>

    /// A caller's request.
    enum Demand: Sendable {
        case usable
        /// Keys of a later generation, for a token that came before any fetch with a number higher
        /// than `arrival`.
        case newer(than: UInt64, for: StaleKeyReason, arrival: UInt64)
        case fetchedNow
    }

    /// The work to do once the lock is free. A class, so an empty step costs nothing to pass
    /// around.
    final class Step {
        var events: [KeySetEvent] = []
        var launch: Launch?
        /// The callers that wait no longer.
        var resumptions: [Resumption] = []
    }

    struct Resumption {
        let continuation: CheckedContinuation<Outcome, Never>
        let outcome: Outcome
    }

    /// A fetch to start.
    struct Launch: Sendable {
        let flightID: UInt64
        let metadata: KeyFetcher.KnownMetadata?
        /// The keys that lacked the key of a token, if a token is the reason.
        let lacking: KeySnapshot?
    }

    struct Held {
        var snapshot: KeySnapshot
        var requestedAt: Duration
        /// How long the keys had been in a cache at `requestedAt`.
        var cacheAge: Duration
        /// The number of the fetch that brought the keys, if it made sure of their place. For a
        /// token that came or was issued before this fetch, the issuer has no newer keys.
        var settledBy: UInt64?
        var lifetime: Duration
        /// From this age on a refresh is due.
        var refreshAge: Duration

        /// Whether the issuer has no newer keys for a token with this number of arrival.
        func settles(_ arrival: UInt64) -> Bool { settledBy.map { $0 > arrival } ?? false }
    }

    struct Waiter {
        let demand: Demand
        let continuation: CheckedContinuation<Outcome, Never>
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
    /// The error of the last fetch; nil if it succeeded.
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
    /// - Parameter startsFetch: whether a fetch also begins if there are no keys. A caller that
    ///   goes on to ``serve(_:id:continuation:at:)`` passes false, and gets the result of the
    ///   fetch that begins there.
    mutating func use(at now: Duration, startsFetch: Bool) -> (
        snapshot: KeySnapshot?, step: Step?
    ) {
        if let held {
            let age = now - held.requestedAt
            if age >= .zero, age < held.refreshAge { return (held.snapshot, nil) }
        }
        return useSlowly(at: now, startsFetch: startsFetch)
    }

    @inline(never)
    private mutating func useSlowly(
        at now: Duration, startsFetch: Bool
    ) -> (snapshot: KeySnapshot?, step: Step?) {
        noticeClock(at: now)
        let step = Step()
        let snapshot = usable(at: now, into: step)
        let isDue = held.map { now - $0.requestedAt >= $0.refreshAge } ?? true
        if isDue, flight == nil, snapshot != nil || startsFetch,
            budget.pauseAfterFailure(at: now) == nil
        {
            beginFetch(snapshot == nil ? .noKeys : .age, for: nil, at: now, into: step)
        }
        return (snapshot, step)
    }

    /// The keys that may be served now: fresh keys, or keys past their lifetime for as long as the
    /// options allow. A refresh runs in the background, so after a quiet night no caller waits for
    /// an issuer that hangs.
    mutating func usable(at now: Duration, into step: Step) -> KeySnapshot? {
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

    /// A clock that has gone back says nothing about ages: keys become due for a refresh, their
    /// remaining time begins now, and pauses are cut to their full length. Callers read the clock
    /// before they take the lock, so a small difference is not a jump.
    mutating func noticeClock(at now: Duration) {
        let tolerance = Duration.seconds(1)
        budget.noticeClock(at: now, tolerance: tolerance)
        if let held, now + tolerance < held.requestedAt {
            self.held?.requestedAt = now - held.refreshAge
        }
    }

    /// How old the keys of `snapshot` are, including their time in a cache. Nil if newer keys are
    /// in hand, if the issuer may publish its keys elsewhere by now, or if the clock has gone back.
    func age(of snapshot: KeySnapshot, at now: Duration) -> Duration? {
        guard let held, held.snapshot.generation == snapshot.generation,
            held.settledBy != nil, now >= held.requestedAt
        else { return nil }
        return now - held.requestedAt + held.cacheAge
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
