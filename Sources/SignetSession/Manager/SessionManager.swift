// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Keeps one person signed in: the tokens in a store, a fresh one for each request, and the answer
/// to who is signed in.
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
    nonisolated let announcements = SessionAnnouncements()

    /// The session in hand, while the store is open.
    var held: StoredSession?
    /// Counts what was written here: what was read before is late.
    var epoch = 0
    private var lastRead = 0
    private var lastReadUsed = 0
    /// The exchange under way, which all callers share.
    var flight: Task<Result<StoredSession, SessionError>, Never>?
    /// What the server gave for a token, and the store did not take.
    var unsaved: (parent: RefreshToken, session: StoredSession)?
    /// A session that is over here, while the store may still have it.
    var leaving: StoredSession?
    var pause = RefreshPause()
    private var watcher: Task<Void, Never>?
    private var keeper: Task<Void, Never>?

    /// A manager; nothing is read yet.
    ///
    /// - Parameters:
    ///   - service: the item's service in the store, such as the server's name.
    ///   - account: the item's account: a name for each of several people side by side.
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

    /// Keeps what the server gave at a sign-in, in place of what was there.
    ///
    /// - Throws: `locked`, `unavailable`: nothing was kept, and the state is what it was.
    public func adopt(_ grant: SessionGrant) async throws(SessionError) {
        watch()
        let session = StoredSession(grant, after: nil, at: clock.now())
        do throws(StoreError) {
            try await store.put([NewItem(key: item, value: session.value())])
        } catch {
            throw SessionError(error)
        }
        epoch += 1
        leaving = nil
        unsaved = nil
        pause.end()
        become(session)
    }

    /// An access token that is good, as far as the clock says.
    ///
    /// It is exchanged first where it is near its end. When that fails for a while, one that has
    /// not expired does.
    ///
    /// - Throws: `signedOut`, `expired`, `locked`; `refused`, once, when the server ends the
    ///   session; what hindered the exchange, with `retryAfter` in the pause after a failure;
    ///   `cancelled`, at once, while the exchange goes on for the others.
    public func accessToken() async throws(SessionError) -> AccessToken {
        let session = try await session()
        guard session.isDue(at: clock.now(), lead: options.lead) else {
            return session.accessToken
        }
        do throws(SessionError) {
            return try await exchanged(session, isForced: false).accessToken
        } catch {
            guard error.isTemporary || error.code == .expired, session.isValid(at: clock.now())
            else { throw error }
            return session.accessToken
        }
    }

    /// Another access token after a server answered 401 to one; to be tried once.
    ///
    /// - Returns: nil when the server gave the same one again.
    /// - Throws: as ``accessToken()``.
    public func afterUnauthorized(
        _ used: AccessToken
    ) async throws(SessionError) -> AccessToken? {
        let session = try await session()
        if session.accessToken != used { return session.accessToken }
        let next = try await exchanged(session, isForced: true).accessToken
        return next == used ? nil : next
    }

    // MARK: State

    /// The session in hand, else the store's.
    func session() async throws(SessionError) -> StoredSession {
        if let held { return held }
        await load()
        if let held { return held }
        switch state {
        case .locked: throw SessionError(.locked, "The store of the session is locked: unlock it.")
        case .unavailable(let error): throw SessionError(error)
        default: throw SessionError(.signedOut, "There is no session: sign in.")
        }
    }

    /// Takes the state from the store, unless something newer is known by then.
    func load() async {
        lastRead += 1
        let (asked, number) = (epoch, lastRead)
        let answer: Result<(StoredSession, ItemRevision)?, StoreError>
        do throws(StoreError) {
            let entry = try await store.entry(item)
            answer = .success(
                try entry.map { entry throws(StoreError) in
                    (try StoredSession(entry.value), entry.item.revision)
                })
        } catch {
            answer = .failure(error)
        }
        guard asked == epoch, number > lastReadUsed else { return }
        lastReadUsed = number
        switch answer {
        case .success((let session, let revision)?):
            guard let leaving, leaving.hasSameTokens(as: session) else { return become(session) }
            await removeLeft(at: revision)
        case .success(nil): end(Self.reason(after: state))
        case .failure(let error): close(error)
        }
    }

    func become(_ session: StoredSession) {
        let isNew = held.map { !$0.hasSameTokens(as: session) } ?? false
        held = session
        announcements.become(.signedIn(session.user))
        if isNew { announcements.tell(.refreshed) }
        keep()
    }

    func end(_ reason: SignedOutReason) {
        unsaved = nil
        forget()
        announcements.become(.signedOut(reason))
    }

    /// The session is out of reach, and what is in memory goes: but not what the server has given
    /// and only this process has.
    func close(_ error: StoreError) {
        guard error.code != .cancelled else { return }
        forget()
        announcements.become(error.answer == .locked ? .locked : .unavailable(error))
    }

    private func forget() {
        held = nil
        keeper?.cancel()
    }

    /// Removes a session that is over, if the store still has that one.
    func removeLeft(at revision: ItemRevision) async {
        do throws(StoreError) {
            try await store.replace(nil, for: item, details: nil, ifRevision: revision)
            leaving = nil
        } catch {
            // The next look at the store finds it, or another one.
        }
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

    /// Exchanges the token ahead of need.
    func keep() {
        keeper?.cancel()
        guard options.refreshesAhead, let held, held.refreshToken != nil else { return }
        let rest = held.dueIn(at: clock.now(), lead: options.lead)
        // The time of day is in whole seconds.
        let own = rest > .zero ? rest + .seconds(1) : .zero
        let wait = max(own, pause.remaining(at: clock.elapsed()) ?? .zero)
        let clock = clock
        keeper = Task { [weak self] in
            await clock.sleep(for: wait)
            guard !Task.isCancelled else { return }
            await self?.exchangeAhead()
        }
    }

    private func exchangeAhead() async {
        guard let held else { return }
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
