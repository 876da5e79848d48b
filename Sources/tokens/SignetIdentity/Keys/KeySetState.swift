// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The state of a ``RemoteKeySet``, and all its decisions. Used only inside its lock, where nothing
/// may wait: each method returns what is to be done afterwards as ``DeferredWork``.
///
/// 1. A caller first tries ``keysInHand(at:startsFetch:)``, which is usually enough.
/// 2. A caller that needs more waits: ``serve(_:id:continuation:at:)`` (`KeySetState+Waiting`)
///    joins the running fetch (the *flight*) or starts one, unless ``budget`` forbids it.
/// 3. ``finishFetch(_:result:at:)`` (`KeySetState+Fetching`) takes the keys over and resumes the
///    callers. At most one fetch runs at a time.
///
/// A *snapshot* is one fetched set of keys; its *generation* counts the different sets. All times
/// count from the same arbitrary moment, and `now` is the present one.
struct KeySetState: Sendable {
    typealias Outcome = Result<KeySnapshot, KeySourceError>

    /// A caller's request.
    enum Demand: Sendable {
        /// Keys that may be served now, or else fetched keys.
        case usable
        /// Keys of a later generation, for a token that the keys in hand do not verify. Fetches
        /// that began after the token came have numbers higher than `arrival`.
        case newer(than: UInt64, for: StaleKeyReason, arrival: UInt64)
        /// The keys of a fetch, whatever is in hand.
        case fetchedNow
    }

    /// What ``RemoteKeySet`` has to do once the lock is free, in this order: report, start a fetch,
    /// resume callers. A class, so empty work costs nothing to pass around.
    final class DeferredWork {
        var events: [KeySetEvent] = []
        var launch: Launch?
        /// The callers that wait no longer.
        var resumptions: [Resumption] = []

        func resume(_ continuation: CheckedContinuation<Outcome, Never>, with outcome: Outcome) {
            resumptions.append(Resumption(continuation: continuation, outcome: outcome))
        }
    }

    /// A caller to resume, and what it gets.
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

    /// Whether the issuer publishes its keys where the keys in hand were fetched.
    enum Place {
        /// It does: the fetch of this number has checked it.
        case confirmed(by: UInt64)
        /// Unknown: the keys may have moved.
        case unconfirmed
    }

    struct KeysInHand {
        var snapshot: KeySnapshot
        /// When their fetch began: their age counts from then.
        var requestedAt: Duration
        /// How long the keys had been in a cache at `requestedAt`.
        var cacheAge: Duration
        var place: Place
        var lifetime: Duration
        /// From this age on a refresh is due.
        var refreshAge: Duration

        /// Whether the keys come from a fetch that began after this number of arrival and confirmed
        /// their place. The issuer then has no newer keys for the token that arrived.
        func areConfirmed(after arrival: UInt64) -> Bool {
            guard case .confirmed(let fetch) = place else { return false }
            return fetch > arrival
        }

        /// How long the keys are past their lifetime; nil while they are fresh.
        func staleness(at now: Duration) -> Duration? {
            let age = now - requestedAt
            return age >= lifetime ? age - lifetime : nil
        }
    }

    /// A caller that waits for a fetch.
    struct Waiter {
        let demand: Demand
        let continuation: CheckedContinuation<Outcome, Never>
    }

    /// The fetch that is under way.
    struct Flight {
        let id: UInt64
        let startedAt: Duration
        let trigger: KeySetEvent.Trigger
        /// The callers that wait for the fetch, by the numbers that ``makeID()`` gave them.
        var waiters: [UInt64: Waiter] = [:]
        var task: Task<Void, Never>?
    }

    let issuer: String
    let options: KeySetOptions

    /// The keys of the last successful fetch.
    var inHand: KeysInHand?
    /// The metadata that named their place; nil if no discovery was needed.
    var metadata: KeyFetcher.KnownMetadata?
    /// Nil while no fetch runs.
    var flight: Flight?
    /// When the next fetch is allowed.
    var budget: FetchBudget
    /// The error of the last fetch; nil if it succeeded.
    var lastFailure: KeySourceError?
    /// How many calls got no fetch since the last fetch began.
    var heldBackCount = 0
    /// Whether `staleKeysServed` was reported since the last failure.
    var isStalenessReported = false
    /// The last number that ``makeID()`` gave.
    var lastID: UInt64 = 0

    init(issuer: String, options: KeySetOptions) {
        self.issuer = issuer
        budget = FetchBudget(cooldown: options.cooldown)
        self.options = options
    }

    /// The keys in hand, and the work of a refresh that is due. Most calls end in the first lines.
    ///
    /// - Parameter startsFetch: whether a fetch also begins if there are no keys. A caller that
    ///   goes on to ``serve(_:id:continuation:at:)`` passes false, and gets the result of the
    ///   fetch that begins there.
    mutating func keysInHand(at now: Duration, startsFetch: Bool) -> (
        snapshot: KeySnapshot?, work: DeferredWork?
    ) {
        if let inHand {
            let age = now - inHand.requestedAt
            if age >= .zero, age < inHand.refreshAge { return (inHand.snapshot, nil) }
        }
        return refreshIfDue(at: now, startsFetch: startsFetch)
    }

    /// The keys that may still be served. Starts a refresh if it is due and no pause forbids it.
    // Not inlined, so that the path of fresh keys, which every token takes, stays short.
    @inline(never)
    private mutating func refreshIfDue(
        at now: Duration, startsFetch: Bool
    ) -> (snapshot: KeySnapshot?, work: DeferredWork?) {
        noticeClock(at: now)
        let work = DeferredWork()
        let snapshot = usableKeys(at: now, reportingTo: work)
        let isDue = inHand.map { now - $0.requestedAt >= $0.refreshAge } ?? true
        let mayStart = flight == nil && budget.pauseAfterFailure(at: now) == nil
        if isDue, mayStart, snapshot != nil || startsFetch {
            startFetch(snapshot == nil ? .noKeys : .age, for: nil, at: now, into: work)
        }
        return (snapshot, work)
    }

    /// The keys that may be served now: fresh keys, or keys past their lifetime for as long as the
    /// options allow. A refresh runs in the background, so after a quiet night no caller waits for
    /// an issuer that hangs. Reports keys past their lifetime once after each failed fetch.
    mutating func usableKeys(at now: Duration, reportingTo work: DeferredWork) -> KeySnapshot? {
        guard let inHand else { return nil }
        guard let staleness = inHand.staleness(at: now) else { return inHand.snapshot }
        guard staleness < options.maximumStaleness else { return nil }
        if let lastFailure, !isStalenessReported {
            isStalenessReported = true
            var event = makeEvent(.staleKeysServed)
            event.error = lastFailure
            event.staleness = staleness
            work.events.append(event)
        }
        return inHand.snapshot
    }

    /// Notices a clock that has gone back, after which no age is known. The keys become due for a
    /// refresh, their remaining time begins now, and no pause is longer than its full length.
    /// Callers read the clock before they take the lock, so a small difference is not a jump.
    mutating func noticeClock(at now: Duration) {
        // Two callers' readings of the clock differ by less than this.
        let tolerance = Duration.seconds(1)
        budget.noticeClock(at: now, tolerance: tolerance)
        if let inHand, now + tolerance < inHand.requestedAt {
            // Keys of this age are due for a refresh.
            self.inHand?.requestedAt = now - inHand.refreshAge
        }
    }

    /// How old the keys of `snapshot` are, including their time in a cache; nil if unknown.
    func knownAge(of snapshot: KeySnapshot, at now: Duration) -> Duration? {
        // Newer keys are in hand.
        guard let inHand, inHand.snapshot.generation == snapshot.generation else { return nil }
        // The issuer may publish its keys elsewhere by now.
        guard case .confirmed = inHand.place else { return nil }
        // After the clock has gone back, ages say nothing.
        guard now >= inHand.requestedAt else { return nil }
        return now - inHand.requestedAt + inHand.cacheAge
    }

    /// An event about this issuer and the keys in hand.
    func makeEvent(_ kind: KeySetEvent.Kind) -> KeySetEvent {
        var event = KeySetEvent(issuer: issuer, kind: kind)
        event.generation = inHand?.snapshot.generation ?? 0
        event.keyCount = inHand?.snapshot.keys.keys.count ?? 0
        return event
    }

    static var cancelled: KeySourceError {
        KeySourceError(.cancelled, "The task was cancelled while it waited.")
    }
}
