// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Keeps a person signed in: stores the tokens, gives a fresh access token for each request, and
/// knows who is signed in.
///
/// ```swift
/// let manager = try SessionManager(store: vault, service: "idp.example", backend: server)
/// // At each start: four answers that cannot be confused.
/// switch await manager.start() {
/// case .signedIn(let user): print("welcome back", user.id)
/// case .locked: print("unlock the vault, and the session is there")
/// case .unavailable(let error): print("nothing was removed:", error.code)
/// case .signedOut, .checking: try await manager.adopt(server.grant(of: response))
/// }
/// // For each request: a fresh token, stored before you get it. Printing it shows nothing.
/// let token = try await manager.accessToken()
/// ```
///
/// The backend exchanges refresh tokens: ``OAuthBackend`` for a provider, `SupabaseAuth`, or your
/// own. `response` is what the provider's token endpoint, or the server, sent after a sign-in.
///
/// Use one manager per account and program; several programs and processes may share its item of
/// the store. Only one process at a time exchanges a refresh token, and all processes use its
/// result. A new token is in the store before any caller gets it. Only the server's refusal or
/// ``signOut(_:)`` removes a session. A locked or damaged store, a failing network or a wrong clock
/// never does.
///
/// **Not** checked: the tokens, which the server checks with each request. **Not** supported: a
/// store on a network file system, where locks do not work.
public actor SessionManager {
    // The files SessionManager+… in the order to read them:
    // 1. Exchange: a refresh token is spent, once for all callers and processes.
    // 2. Record: what an exchange writes into the store, before and after.
    // 3. SigningOut and Draining: the two ends.
    //
    // A method whose comment begins with "In order" runs inside ``inOrder(_:)``.

    let store: any SecureStore
    let item: ItemKey
    let backend: any SessionBackend
    let options: SessionOptions
    let clock: TimeSource
    nonisolated let announcements = Announcements(
        SessionState.checking, event: SessionEvent.state)

    /// The session in hand, while the store is open.
    var sessionInHand: StoredSession?
    /// The running exchange, which all callers share.
    var flight: Flight?
    /// All exchanges that have not ended: a call for another session may run beside ``flight``.
    var exchanges = Exchanges()
    /// A session that the server gave, and that is not in the store yet.
    var unsaved: UnsavedSuccessor?
    /// The id of the session that has ended here, while the store may still have it.
    var endedID: [UInt8]?
    /// The id of the session of a sign-out here that has not reached the server yet.
    var signingOutID: [UInt8]?
    /// How long no exchange is tried after a failure.
    var pause = RefreshPause()
    private var handedOutTokens = HandedOutTokens()
    /// The work that ``inOrder(_:)`` took last.
    private var lastInOrder: Task<Void, Never>?
    /// Listens to the store's changes.
    private var watcher: Task<Void, Never>?
    private var scheduledRefresh: Task<Void, Never>?

    /// Makes a manager. Reads nothing yet.
    ///
    /// - Parameters:
    ///   - store: stores the session.
    ///   - service: the item's service in the store, such as the server's name.
    ///   - account: the item's account: a different name for each person, if several are signed in
    ///     side by side.
    ///   - backend: the server that exchanges tokens.
    ///   - options: when tokens are exchanged, and how long to wait.
    ///   - clock: the source of the time; tests pass a `ManualClock`'s.
    /// - Throws: `invalidOption`.
    public init(
        store: any SecureStore, service: String, account: String = "session",
        backend: any SessionBackend, options: SessionOptions = SessionOptions(),
        clock: TimeSource = .system
    ) throws(SessionError) {
        try options.check()
        self.store = store
        item = .token(service: service, account: account)
        self.backend = backend
        self.options = options
        self.clock = clock
    }

    deinit {
        watcher?.cancel()
        scheduledRefresh?.cancel()
        announcements.finish()
    }

    /// The state that is known now. Does not read the store.
    public nonisolated var state: SessionState { announcements.current }

    /// When the access token in hand expires, by this machine's clock; nil without a token. Only
    /// for display: ``accessToken()`` exchanges the token in time.
    public var expiry: NumericDate? { sessionInHand?.expiry }

    /// Whether the session in hand can give no token any more: its access token has expired, and
    /// there is no refresh token. The session stays until a sign-out or the next sign-in.
    package var hasExpired: Bool {
        sessionInHand.map { $0.refreshToken == nil && !$0.isValid(at: clock.now()) } ?? false
    }

    /// Events from now on, beginning with the state. Each listener gets all events, in order; a
    /// listener that falls behind gets only the newest 256.
    public nonisolated func events() -> AsyncStream<SessionEvent> { announcements.stream() }

    /// Reads the store. Call this first, and again after an unlock.
    ///
    /// - Returns: signed in, signed out, locked or unavailable. ``accessToken()`` exchanges an
    ///   expired access token later: this call does not wait for a network.
    @discardableResult
    public func start() async -> SessionState {
        watch()
        await readInOrder()
        return state
    }

    /// Stores the result of a sign-in, replacing any session. Finishes even if the task is
    /// cancelled.
    ///
    /// - Throws: `locked`, `unavailable`: the store has not confirmed the write. The state is then
    ///   read from the store again.
    public func adopt(_ grant: SessionGrant) async throws(SessionError) {
        watch()
        let session = StoredSession(grant, at: clock.now())
        let failure = await inOrder { manager -> StoreError? in
            do throws(StoreError) {
                let item = NewItem(key: manager.item, value: try session.value())
                try await manager.store.put([item])
            } catch {
                await manager.readStore()
                return error
            }
            manager.pause.end()
            manager.takeOver(session)
            return nil
        }
        if let failure { throw SessionError(failure) }
    }

    /// An access token that is valid by this machine's clock.
    ///
    /// The token is exchanged first if it is near its end. If the exchange fails temporarily, the
    /// present token is returned as long as it has not expired.
    ///
    /// - Throws: `signedOut`, `expired`, `locked`; `refused`, once, when the server ends the
    ///   session; why the exchange failed, with `retryAfter` during the pause after a failure;
    ///   `drained` after ``drain()``; `cancelled` if the caller is, while the exchange goes on for
    ///   all other callers.
    public func accessToken() async throws(SessionError) -> AccessToken {
        let session = try await currentSession()
        guard session.isDue(at: clock.now(), lead: options.lead) else { return handOut(session) }
        do {
            _ = try await refreshedSession(session, isForced: false)
        } catch {
            // Returns a token only of the session that is signed in now.
            let tokenMayServe = error.isTemporary || [.expired, .drained].contains(error.code)
            guard tokenMayServe, let sessionInHand, sessionInHand.id == session.id,
                sessionInHand.isValid(at: clock.now())
            else { throw error }
            return handOut(sessionInHand)
        }
        // A sign-out, a lock or another sign-in may have come since.
        return handOut(try await currentSession())
    }

    /// A new access token, to try once after a server answered 401.
    ///
    /// - Returns: nil if the server gave the same token again, or if the session has ended or
    ///   another person has signed in since: that person's token is not for this request.
    /// - Throws: the errors of ``accessToken()``.
    public func afterUnauthorized(
        _ used: AccessToken
    ) async throws(SessionError) -> AccessToken? {
        let session = try await currentSession()
        guard handedOutTokens.mayHold(used, of: session) else { return nil }
        if session.accessToken != used { return handOut(session) }
        let next = try await refreshedSession(session, isForced: true)
        let isSameSession = next.id == session.id && sessionInHand?.id == session.id
        guard isSameSession, next.accessToken != used else { return nil }
        return handOut(next)
    }

    /// An access token of the same session, in hand and different from `used`; nil if there is
    /// none.
    func otherInHand(than used: AccessToken) async throws(SessionError) -> AccessToken? {
        let session = try await currentSession()
        guard handedOutTokens.mayHold(used, of: session), session.accessToken != used else {
            return nil
        }
        return handOut(session)
    }

    /// The access token of a session, which is remembered for ``afterUnauthorized(_:)``.
    private func handOut(_ session: StoredSession) -> AccessToken {
        handedOutTokens.remember(session)
        return session.accessToken
    }

    // MARK: State

    /// Runs work with the store in order, so that the store's answers are known in the order of the
    /// work. A turn never spans a call to the server.
    func inOrder<R: Sendable>(
        _ body: @escaping @Sendable (isolated SessionManager) async -> R
    ) async -> R {
        let previous = lastInOrder
        // A separate task: work that has begun is finished even if its caller is cancelled.
        let task = Task {
            await previous?.value
            return await body(self)
        }
        lastInOrder = Task { _ = await task.value }
        return await task.value
    }

    /// The session in hand, or the store's.
    func currentSession() async throws(SessionError) -> StoredSession {
        watch()
        if sessionInHand == nil { await readInOrder() }
        if let sessionInHand { return sessionInHand }
        switch state {
        case .locked: throw SessionError(.locked, "The store of the session is locked: unlock it.")
        case .unavailable(let error): throw SessionError(error)
        default: throw SessionError(.signedOut, "There is no session: sign in.")
        }
    }

    /// Takes the state from the store.
    func readInOrder() async { await inOrder { await $0.readStore() } }

    /// In order: takes the state from the store.
    func readStore() async {
        do {
            guard let entry = try await store.entry(item) else {
                return becomeSignedOut(Self.signedOutReason(after: state))
            }
            let stored = try StoredSession(entry.value)
            guard let endedID, stored.id == endedID else { return takeOver(stored) }
            // After a failure `endedID` stays, and the next read tries again.
            _ = await remove(stored, at: entry.item.revision)
        } catch {
            takeOverFailure(error)
        }
    }

    /// In order: takes over the session in the store.
    func takeOver(_ session: StoredSession) {
        let hasNewTokens =
            sessionInHand.map { $0.id == session.id && !$0.hasSameTokens(as: session) } ?? false
        sessionInHand = session
        endedID = nil
        announcements.publish(.signedIn(session.user))
        if hasNewTokens { announcements.announce(.refreshed) }
        scheduleRefresh()
    }

    /// Takes over that there is no session in the store.
    func becomeSignedOut(_ reason: SignedOutReason) {
        sessionInHand = nil
        endedID = nil
        scheduledRefresh?.cancel()
        announcements.publish(.signedOut(reason))
    }

    /// Takes over that the store is unavailable. Clears the memory, except for a successor that
    /// only this process has.
    func takeOverFailure(_ error: StoreError) {
        // These errors say nothing about the session in hand.
        let isBrief = [.busy, .timedOut, .cancelled].contains(error.code)
        if isBrief, sessionInHand != nil { return }
        sessionInHand = nil
        announcements.publish(error.kind == .locked ? .locked : .unavailable(error))
        scheduleRefresh()
    }

    /// In order: removes a session that has ended here; the next read of the store tries again.
    func remove(_ session: StoredSession, at revision: ItemRevision) async -> StoreError? {
        do {
            try await store.replace(nil, for: item, details: nil, ifRevision: revision)
        } catch {
            if error.code != .conflict { return error }
        }
        endedID = nil
        return nil
    }

    private static func signedOutReason(after state: SessionState) -> SignedOutReason {
        switch state {
        case .signedOut(let reason): reason
        case .signedIn: .removedElsewhere
        default: .noSession
        }
    }

    // MARK: Tasks that run beside calls

    /// Follows changes of the store, also by other processes.
    private func watch() {
        guard watcher == nil else { return }
        let changes = store.changes()
        let item = item
        watcher = Task { [weak self] in
            for await change in changes where change.concerns(item) {
                guard let self else { return }
                await self.readInOrder()
            }
        }
    }

    func cancelScheduledRefresh() { scheduledRefresh?.cancel() }

    /// Exchanges the token ahead of need; reads an unreadable store again.
    func scheduleRefresh() {
        cancelScheduledRefresh()
        // The clock is read before the wait is computed, so that no time passes unseen in between.
        let begun = clock.elapsed()
        guard options.refreshesAhead, !exchanges.isDrained, let wait = nextWait() else { return }
        let clock = clock
        scheduledRefresh = Task { [weak self] in
            await clock.sleep(for: begun + wait - clock.elapsed())
            guard !Task.isCancelled else { return }
            await self?.refreshIfDue()
        }
    }

    /// How long until the next look at the session; nil if nothing is to be done.
    private func nextWait() -> Duration? {
        guard let sessionInHand else {
            if case .signedOut = state { return nil }
            // The store could not be read.
            return options.maximumPause
        }
        guard sessionInHand.refreshToken != nil else { return nil }
        let rest = sessionInHand.timeUntilDue(at: clock.now(), lead: options.lead)
        // The time of day is in whole seconds.
        let own = rest > .zero ? rest + .seconds(1) : .zero
        return max(own, pause.remaining(of: sessionInHand.id, at: clock.elapsed()) ?? .zero)
    }

    private func refreshIfDue() async {
        guard let sessionInHand else { return await readInOrder() }
        guard sessionInHand.isDue(at: clock.now(), lead: options.lead) else {
            return scheduleRefresh()
        }
        // A failure is announced to the listeners, and starts a pause and the next wait.
        _ = try? await refreshedSession(sessionInHand, isForced: false)
        // The call may have joined an exchange whose token was due again on arrival, for example
        // after a suspend: then nothing else would look again.
        if !Task.isCancelled, let next = self.sessionInHand,
            next.isDue(at: clock.now(), lead: options.lead)
        {
            scheduleRefresh()
        }
    }
}

extension SessionManager: Redacted {}

extension StoreChange {
    fileprivate func concerns(_ item: ItemKey) -> Bool {
        switch self {
        case .set(let key), .removed(let key): key == item
        case .cleared(let service, _): service.utf8.elementsEqual(item.service.utf8)
        case .changedElsewhere, .unlocked, .locked: true
        }
    }
}
