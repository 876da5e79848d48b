// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Keeps one person signed in: it stores the tokens, gives a fresh one for each request, and knows
/// who is signed in.
///
/// ```swift
/// let server = OAuthBackend(endpoint) { _ in subject }
/// let manager = try SessionManager(store: vault, service: "idp.example", backend: server)
///
/// // At each start: four answers, and none of them is taken for another.
/// switch await manager.start() {
/// case .signedIn(let user): print("welcome back", user.id)
/// case .locked: print("unlock the vault, and the session is there")
/// case .unavailable(let error): print("nothing was removed:", error.code)
/// case .signedOut, .checking: try await manager.adopt(server.grant(of: response))
/// }
/// ```
///
/// For each request:
///
/// ```swift
/// let token = try await manager.accessToken()
/// send("Bearer \(token.exposedText)")
/// ```
///
/// One manager per account and program; several programs and processes may share its item of the
/// store. One of them at a time exchanges a refresh token, the others take over what it brought,
/// and a new token is in the store before anyone gets it. Only the server's word or
/// ``signOut(_:)`` removes a session: a locked or damaged store, a network that fails and a clock
/// that is wrong never do.
///
/// **Not** checked: the tokens. They are the server's, which looks at them with each request. Nor
/// is the store's folder on a network file system supported: locks do not hold there.
public actor SessionManager {
    let store: any SecureStore
    let item: ItemKey
    let backend: any SessionBackend
    let options: SessionOptions
    let clock: TimeSource
    nonisolated let announcements = Announcements(SessionState.checking) {
        SessionEvent.state($0)
    }

    /// The session in hand, while the store is open.
    var held: StoredSession?
    /// The exchange under way, which all callers share.
    var flight: Flight?
    /// What the server gave for a session, and the store did not take.
    var unsaved: (parent: StoredSession, next: StoredSession)?
    /// A session that is over here, while the store may still have it.
    var leaving: [UInt8]?
    /// The session of a sign-out here that has not told the server yet.
    var signingOut: [UInt8]?
    var pause = RefreshPause()
    /// Which session the tokens were of that were handed out last.
    private var issued: [(token: AccessToken, id: [UInt8])] = []
    /// Which session the first token was of that is no longer among them.
    private var firstForgotten: [UInt8]?
    private var lastTurn: Task<Void, Never>?
    private var watcher: Task<Void, Never>?
    private var keeper: Task<Void, Never>?

    /// A manager; nothing is read yet.
    ///
    /// - Parameters:
    ///   - store: where the session is kept.
    ///   - service: the item's service in the store, such as the server's name.
    ///   - account: the item's account: a name for each of several people side by side.
    ///   - backend: the server that exchanges tokens.
    ///   - options: when tokens are exchanged.
    ///   - clock: the time; a test passes that of a `ManualClock`.
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
        keeper?.cancel()
        announcements.finish()
    }

    /// What is known now.
    public nonisolated var state: SessionState { announcements.current }

    /// When the access token in hand ends, by this machine's clock; nil without one in hand. For
    /// showing: ``accessToken()`` exchanges it in time.
    public var expiry: NumericDate? { held?.expiry }

    /// What happens from now on, the state first. Each listener gets all of it, in order; of what
    /// it does not take, the newest 256 are kept.
    public nonisolated func events() -> AsyncStream<SessionEvent> { announcements.stream() }

    /// Looks at the store: what a program calls first, and again after an unlock.
    ///
    /// - Returns: signed in, signed out, locked or unavailable. An access token that has expired is
    ///   exchanged later, by ``accessToken()``: this call does not wait for a network.
    @discardableResult
    public func start() async -> SessionState {
        watch()
        await load()
        return state
    }

    /// Keeps what the server gave at a sign-in, in place of what was there; also when the task is
    /// cancelled meanwhile.
    ///
    /// - Throws: `locked`, `unavailable`: the store has not said that it was kept, and the state is
    ///   what the store has.
    public func adopt(_ grant: SessionGrant) async throws(SessionError) {
        watch()
        let session = StoredSession(grant, at: clock.now())
        let failure = await inTurn { manager -> StoreError? in
            do throws(StoreError) {
                let item = NewItem(key: manager.item, value: try session.value())
                try await manager.store.put([item])
            } catch {
                await manager.read()
                return error
            }
            manager.pause.end()
            manager.become(session)
            return nil
        }
        if let failure { throw SessionError(failure) }
    }

    /// An access token that is good, as far as the clock says.
    ///
    /// It is exchanged first where it is near its end. When that fails for a while, one that has
    /// not expired does.
    ///
    /// - Throws: `signedOut`, `expired`, `locked`; `refused`, once, when the server ends the
    ///   session; what hindered the exchange, with `retryAfter` in the pause after a failure;
    ///   `cancelled` while the exchange goes on for the others.
    public func accessToken() async throws(SessionError) -> AccessToken {
        let session = try await session()
        guard session.isDue(at: clock.now(), lead: options.lead) else { return issue(session) }
        do throws(SessionError) {
            _ = try await exchanged(session, isForced: false)
        } catch {
            // Of the session that is signed in now, and of no other.
            guard error.isTemporary || error.code == .expired, let held, held.id == session.id,
                held.isValid(at: clock.now())
            else { throw error }
            return issue(held)
        }
        // A sign-out, a lock or another sign-in may have come since.
        return issue(try await self.session())
    }

    /// Another access token after a server answered 401 to one; to be tried once.
    ///
    /// - Returns: nil when the server gave the same one again, and when the session has ended or
    ///   another person has signed in since: their token is not for that request.
    /// - Throws: as ``accessToken()``.
    public func afterUnauthorized(
        _ used: AccessToken
    ) async throws(SessionError) -> AccessToken? {
        let session = try await session()
        guard mayBe(used, of: session) else { return nil }
        if session.accessToken != used { return issue(session) }
        let next = try await exchanged(session, isForced: true)
        guard next.id == session.id, held?.id == session.id, next.accessToken != used else {
            return nil
        }
        return issue(next)
    }

    /// A different access token of the same session that is already at hand, or nil.
    func otherInHand(than used: AccessToken) async throws(SessionError) -> AccessToken? {
        let session = try await session()
        guard mayBe(used, of: session), session.accessToken != used else { return nil }
        return issue(session)
    }

    private func issue(_ session: StoredSession) -> AccessToken {
        if issued.last?.token != session.accessToken {
            issued.append((session.accessToken, session.id))
            if issued.count > 8 { firstForgotten = firstForgotten ?? issued.first?.id }
            issued = issued.suffix(8)
        }
        return session.accessToken
    }

    /// Whether a token is of this session. One that is not known may be, unless one of another
    /// session has been forgotten: this session may be another person's.
    private func mayBe(_ token: AccessToken, of session: StoredSession) -> Bool {
        guard let known = issued.last(where: { $0.token == token })?.id ?? firstForgotten else {
            return true
        }
        return known == session.id
    }

    // MARK: State

    /// Runs one piece of work with the store after the other, so that what the store answers is
    /// known in the order in which it was done. Never across a call of the server's.
    func inTurn<R: Sendable>(
        _ body: @escaping @Sendable (isolated SessionManager) async -> R
    ) async -> R {
        let previous = lastTurn
        // A task of its own: what has begun is finished, also when its caller is cancelled.
        let turn = Task {
            await previous?.value
            return await body(self)
        }
        lastTurn = Task { _ = await turn.value }
        return await turn.value
    }

    /// The session in hand, else the store's.
    func session() async throws(SessionError) -> StoredSession {
        watch()
        if held == nil { await load() }
        if let held { return held }
        switch state {
        case .locked: throw SessionError(.locked, "The store of the session is locked: unlock it.")
        case .unavailable(let error): throw SessionError(error)
        default: throw SessionError(.signedOut, "There is no session: sign in.")
        }
    }

    /// Takes the state from the store.
    func load() async { await inTurn { await $0.read() } }

    /// In a turn: takes the state from the store.
    func read() async {
        do throws(StoreError) {
            let entry = try await store.entry(item)
            let stored = try entry.map { entry throws(StoreError) in try StoredSession(entry.value)
            }
            guard let stored, let entry else { return end(Self.reason(after: state)) }
            guard let leaving, stored.id == leaving else { return become(stored) }
            _ = await remove(stored, at: entry.item.revision)
        } catch {
            close(error)
        }
    }

    /// In a turn: what is in the store now.
    func become(_ session: StoredSession) {
        let isNew = held.map { $0.id == session.id && !$0.hasSameTokens(as: session) } ?? false
        held = session
        leaving = nil
        announcements.become(.signedIn(session.user))
        if isNew { announcements.tell(.refreshed) }
        keep()
    }

    /// There is no session in the store.
    func end(_ reason: SignedOutReason) {
        held = nil
        leaving = nil
        keeper?.cancel()
        announcements.become(.signedOut(reason))
    }

    /// The session is out of reach, and what is in memory goes: but not what the server has given
    /// and only this process has.
    func close(_ error: StoreError) {
        // No answer about the session in hand.
        let isBrief = [.busy, .timedOut, .cancelled].contains(error.code)
        if isBrief, held != nil { return }
        held = nil
        announcements.become(error.answer == .locked ? .locked : .unavailable(error))
        keep()
    }

    /// In a turn: removes a session that is over here; the next look at the store tries again.
    func remove(_ session: StoredSession, at revision: ItemRevision) async -> StoreError? {
        do throws(StoreError) {
            try await store.replace(nil, for: item, details: nil, ifRevision: revision)
        } catch {
            if error.code != .conflict { return error }
        }
        leaving = nil
        return nil
    }

    private static func reason(after state: SessionState) -> SignedOutReason {
        switch state {
        case .signedOut(let reason): reason
        case .signedIn: .removedElsewhere
        default: .noSession
        }
    }

    // MARK: What runs beside

    /// Follows what others do to the store.
    private func watch() {
        guard watcher == nil else { return }
        let changes = store.changes()
        let item = item
        watcher = Task { [weak self] in
            for await change in changes where change.concerns(item) {
                guard let self else { return }
                await self.load()
            }
        }
    }

    /// Exchanges the token ahead of need; looks again at a store that could not be read.
    func keep() {
        keeper?.cancel()
        guard options.refreshesAhead, let wait = nextWait() else { return }
        let clock = clock
        keeper = Task { [weak self] in
            await clock.sleep(for: wait)
            guard !Task.isCancelled else { return }
            await self?.look()
        }
    }

    private func nextWait() -> Duration? {
        guard let held else {
            if case .signedOut = state { return nil }
            return options.maximumPause
        }
        guard held.refreshToken != nil else { return nil }
        let rest = held.dueIn(at: clock.now(), lead: options.lead)
        // The time of day is in whole seconds.
        let own = rest > .zero ? rest + .seconds(1) : .zero
        return max(own, pause.remaining(at: clock.elapsed()) ?? .zero)
    }

    private func look() async {
        guard let held else { return await load() }
        guard held.isDue(at: clock.now(), lead: options.lead) else { return keep() }
        // What fails is told to the listeners, and begins a pause and the next wait.
        _ = try? await exchanged(held, isForced: false)
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
