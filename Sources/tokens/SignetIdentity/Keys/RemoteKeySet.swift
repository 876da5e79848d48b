// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// An issuer's public keys, fetched when needed and kept current. Each key has a name, its `kid`,
/// by which a token says which key verifies it.
///
/// ```swift
/// let keys = try RemoteKeySet(issuer: "https://idp.example", transport: .curl, options: options)
/// let requests = try AccessTokenVerifier(profile, keys: .shared(keys))
/// ```
///
/// There is no timer: using the keys starts a refresh that is due, in a task of its own. All
/// callers share one fetch.
///
/// | Keys in hand | A caller gets | A fetch starts |
/// |---|---|---|
/// | fresh, by the server's `max-age` | the keys | near its end |
/// | stale, up to ``KeySetOptions/maximumStaleness`` | the keys, even after a long pause | yes |
/// | none, or staler | the result of the fetch | yes |
///
/// ``KeySetOptions/lifetimeBounds`` limits the `max-age`. A failed fetch leaves the current keys in
/// place. A successful fetch replaces all keys, so withdrawn keys are gone. A 200 without a usable
/// key is a failed fetch.
///
/// No token can make a server flood its provider:
///
/// - After failed attempts it pauses 1, 2, 4 … seconds, at most ``KeySetOptions/cooldown``.
/// - For unknown `kid`s it fetches three times in a burst, then once per cooldown.
/// - For tokens that the named or only key does not verify, because that key may have been
///   replaced, it fetches once per cooldown.
///
/// If a fetch because of a token brings nothing new, it also reads the metadata again, because the
/// keys may have moved. A fetch whose address fails reads them again too, unless it timed out.
///
/// Nothing from a token is stored here or becomes part of an address. **Not** checked: the
/// signature of a certificate, and whether the issuer meant to publish a key. Only TLS vouches for
/// them. Use a single object for the whole program, from any number of tasks.
public final class RemoteKeySet: Sendable {
    /// The location of the keys.
    public enum Location: Sendable {
        /// At `issuer` + `/.well-known/openid-configuration`, as `jwks_uri` (OpenID Connect
        /// Discovery 1.0).
        case discovery
        /// Found by discovery, for an issuer given as an address, such as
        /// ``EndpointURL/init(unencryptedInPrivateNetwork:)``. The address's text must be the
        /// issuer.
        case discoveryAt(EndpointURL)
        /// A JWK set at this address.
        case keySet(EndpointURL)
        /// A JSON object of X.509 certificates in PEM by `kid` (Firebase), at this address.
        case certificates(EndpointURL)
    }

    /// The issuer that the keys belong to.
    public let issuer: String
    private let fetcher: KeyFetcher
    private let options: KeySetOptions
    private let state: Locked<KeySetState>

    /// Makes a key set for an issuer. Fetches nothing yet: call ``refresh()`` at start to save the
    /// first caller the wait.
    ///
    /// - Throws: `invalidIdentifier` for an empty issuer, `invalidURL` for an issuer that is not a
    ///   URL if the keys are to be discovered, `outOfRange` for options outside their ranges.
    public init(
        issuer: String, location: Location = .discovery, transport: some IdentityTransport,
        options: KeySetOptions = KeySetOptions()
    ) throws(IdentityConfigurationError) {
        try options.validate()
        guard !issuer.isEmpty else {
            throw IdentityConfigurationError(.invalidIdentifier, "The issuer is empty.")
        }
        var address: EndpointURL?
        if let url = try Self.discoveryAddress(issuer, location: location) {
            // Some addresses cannot have a path added.
            _ = try url.appending(path: "/.well-known/openid-configuration")
            address = url
        }
        self.issuer = issuer
        fetcher = KeyFetcher(
            issuer: address, location: location, transport: transport, options: options)
        self.options = options
        state = Locked(KeySetState(issuer: issuer, options: options))
    }

    /// The issuer as an address; nil if its keys are not found by discovery.
    private static func discoveryAddress(
        _ issuer: String, location: Location
    ) throws(IdentityConfigurationError) -> EndpointURL? {
        switch location {
        case .discovery: return try EndpointURL(issuer)
        case .keySet, .certificates: return nil
        case .discoveryAt(let url):
            guard url.text.utf8.elementsEqual(issuer.utf8) else {
                throw IdentityConfigurationError(
                    .contradiction, "The issuer and the address where it is found differ.")
            }
            return url
        }
    }

    deinit {
        // No caller is waiting: a waiting caller would retain this object.
        state.withLock { $0.task }?.cancel()
    }

    /// The keys in hand, if they may still be used. Never waits; starts a background refresh if it
    /// is due, or if there are no keys.
    ///
    /// With fresh keys the call costs a reading of the clock and a short lock.
    public func keysInHand() -> KeySnapshot? { keysInHand(startsFetch: true) }

    /// The keys in hand, or else the result of a refresh, which all callers share.
    ///
    /// - Throws: ``KeySourceError``: why the refresh failed; `coolingDown`, at once, if a refresh
    ///   failed recently; `cancelled`, at once, if the caller's task is cancelled, while the
    ///   refresh goes on for all other callers.
    public func keys() async throws(KeySourceError) -> KeySnapshot {
        if let snapshot = keysInHand(startsFetch: false) { return snapshot }
        return try await outcome(of: .usable).get()
    }

    /// Keys that are newer than the keys that did not verify a token. Nil if a fetch that began
    /// after the token came brought no newer keys, so the issuer has no key for the token.
    ///
    /// - Parameters:
    ///   - seen: the keys that did not verify it.
    ///   - reason: determines the budget of the fetch.
    ///   - arrival: a ``numberOfArrival()`` taken after the token came; nil to take it now.
    /// - Throws: ``KeySourceError`` if it is unknown whether the issuer has newer keys:
    ///   `keyHeldBack` and `coolingDown`, at once, if asking again is not allowed yet; why the
    ///   fetch failed; `cancelled`.
    package func keys(
        newerThan seen: KeySnapshot, for reason: StaleKeyReason = .unknownKey,
        since arrival: UInt64? = nil
    ) async throws(KeySourceError) -> KeySnapshot? {
        let snapshot = try await outcome(
            of: .newer(
                than: seen.generation, for: reason, arrival: arrival ?? numberOfArrival())
        ).get()
        return snapshot.generation > seen.generation ? snapshot : nil
    }

    /// A number between the fetches that began before this call and the fetches that begin after
    /// it. A clock would not tell two close moments apart.
    func numberOfArrival() -> UInt64 { state.withLock { $0.makeID() } }

    /// Whether these keys were fetched more than a cooldown after a token was issued, so that they
    /// would hold its key. False if it is unknown.
    ///
    /// A cached copy counts as fetched when it was cached. The cooldown is for an issuer that
    /// publishes a key a little after it signs with it.
    func wasFetched(_ snapshot: KeySnapshot, longAfter tokenAge: Duration) -> Bool {
        let now = options.clock.elapsed()
        guard let age = state.withLock({ $0.knownAge(of: snapshot, at: now) }) else { return false }
        return tokenAge > age + options.cooldown
    }

    /// Fetches now, whatever the age of the keys in hand; shares a fetch that is already running.
    /// No pause holds this fetch back: call it at start or for an operator, never because of a
    /// request.
    ///
    /// - Throws: ``KeySourceError``: why the fetch failed, while the keys in hand stay;
    ///   `cancelled`.
    @discardableResult
    public func refresh() async throws(KeySourceError) -> KeySnapshot {
        try await outcome(of: .fetchedNow).get()
    }

    /// How many callers wait for the fetch that is under way.
    package var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Like ``keysInHand()``, with a choice for callers that wait.
    ///
    /// - Parameter startsFetch: whether a fetch also starts if there are no keys in hand. False for
    ///   a caller that goes on to ``keys()``, which starts it.
    func keysInHand(startsFetch: Bool) -> KeySnapshot? {
        let now = options.clock.elapsed()
        let (snapshot, work) = state.withLock { $0.keysInHand(at: now, startsFetch: startsFetch) }
        if let work { perform(work) }
        return snapshot
    }

    /// Asks the state for keys, and waits until it resumes this caller or the caller's task is
    /// cancelled. The number `id` finds the caller's continuation again.
    private func outcome(of demand: KeySetState.Demand) async -> KeySetState.Outcome {
        let id = state.withLock { $0.makeID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = options.clock.elapsed()
                perform(
                    state.withLock {
                        $0.serve(demand, id: id, continuation: continuation, at: now)
                    })
            }
        } onCancel: {
            state.withLock { $0.cancel(id: id) }?.resume(returning: .failure(KeySetState.cancelled))
        }
    }

    /// Does what the state has decided and what must not be done inside its lock: reports events,
    /// starts a fetch, resumes waiting callers.
    private func perform(_ work: KeySetState.DeferredWork) {
        for event in work.events { options.onEvent(event) }
        if let launch = work.launch { startTask(of: launch) }
        for resumption in work.resumptions {
            resumption.continuation.resume(returning: resumption.outcome)
        }
    }

    private func startTask(of launch: KeySetState.Launch) {
        // Detached: a fetch belongs to no caller, and has no caller's priority, task-local values
        // or cancellation. It does not retain this object.
        let task = Task.detached { [fetcher, weak self] in
            let result = await fetcher.fetch(launch.metadata, lacking: launch.lacking)
            self?.finishFetch(launch.flightID, result: result)
        }
        state.withLock { $0.attach(task, to: launch.flightID) }
    }

    private func finishFetch(
        _ flightID: UInt64, result: Result<KeyFetcher.Fetched, KeySourceError>
    ) {
        let now = options.clock.elapsed()
        perform(state.withLock { $0.finishFetch(flightID, result: result, at: now) })
    }
}
