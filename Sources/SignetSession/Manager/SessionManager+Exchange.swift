// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SessionManager {
    /// What an exchange brings, which all callers share; `cancelled` at once when the caller is.
    func exchanged(
        _ used: StoredSession, isForced: Bool
    ) async throws(SessionError) -> StoredSession {
        if flight == nil {
            if let failure = pause.failure(at: clock.elapsed()) { throw failure }
            flight = Task { await self.exchange(used, isForced: isForced) }
        }
        guard let flight else { throw .cancelledHere }
        let (answers, answer) = AsyncStream<Result<StoredSession, SessionError>>.makeStream()
        Task {
            answer.yield(await flight.value)
            answer.finish()
        }
        for await result in answers { return try result.get() }
        throw .cancelledHere
    }

    /// The one exchange of this process, while no other process has one. It is not its callers':
    /// a token that the server has given must reach the store.
    private func exchange(
        _ used: StoredSession, isForced: Bool
    ) async -> Result<StoredSession, SessionError> {
        let result = await alone { await self.exchangeAlone(used, isForced: isForced) }
        flight = nil
        if case .failure(let error) = result, error.isTemporary, held != nil {
            pause.begin(after: error, at: clock.elapsed(), options)
            announcements.tell(.refreshFailed(error))
            keep()
        }
        return result
    }

    private func alone(
        _ body: () async -> Result<StoredSession, SessionError>
    ) async -> Result<StoredSession, SessionError> {
        do {
            return try await store.withExclusiveAccess(
                to: item, within: options.requestTimeout, body)
        } catch {
            let failure = (error as? StoreError).map { SessionError($0) }
            return .failure(
                failure ?? SessionError(.unavailable, "The session could not be locked."))
        }
    }

    private func exchangeAlone(
        _ used: StoredSession, isForced: Bool
    ) async -> Result<StoredSession, SessionError> {
        let stored: StoredSession
        let revision: ItemRevision
        do throws(StoreError) {
            guard let entry = try await store.entry(item) else { return gone() }
            stored = try StoredSession(entry.value)
            revision = entry.item.revision
        } catch {
            close(error)
            return .failure(SessionError(error))
        }
        guard leaving == nil else { return gone() }
        // Another process, or a sign-in, was faster.
        if isFresh(stored, after: used, isForced: isForced) {
            become(stored)
            return .success(stored)
        }
        guard let token = stored.refreshToken else {
            return .failure(SessionError(.expired, "There is no refresh token: sign in again."))
        }
        do throws(SessionError) {
            let next = try await successor(of: stored, by: token)
            return await keep(next, inPlaceOf: revision)
        } catch {
            if error.code == .refused { await endByServer(stored, at: revision) }
            return .failure(error)
        }
    }

    private func isFresh(
        _ stored: StoredSession, after used: StoredSession, isForced: Bool
    ) -> Bool {
        if isForced { return stored.accessToken != used.accessToken }
        return !stored.isDue(at: clock.now(), lead: options.lead)
    }

    /// What the server gives for a token, or gave before when the store did not take it.
    private func successor(
        of stored: StoredSession, by token: RefreshToken
    ) async throws(SessionError) -> StoredSession {
        if let unsaved, unsaved.parent == token { return unsaved.session }
        let next = StoredSession(try await ask(token), after: stored, at: clock.now())
        unsaved = (token, next)
        return next
    }

    /// Into the store first; then everyone may have it.
    private func keep(
        _ next: StoredSession, inPlaceOf revision: ItemRevision
    ) async -> Result<StoredSession, SessionError> {
        guard leaving == nil else { return gone() }
        do throws(StoreError) {
            let value = try next.value()
            try await store.replace(value, for: item, details: nil, ifRevision: revision)
        } catch {
            guard error.code == .conflict else { return .failure(SessionError(error)) }
            // A sign-in or a sign-out came between.
            await load()
            return held.map { .success($0) } ?? gone()
        }
        unsaved = nil
        guard leaving == nil else { return gone() }
        epoch += 1
        pause.end()
        become(next)
        return .success(next)
    }

    /// Removes the session, if it is still the one that the server refused.
    private func endByServer(_ stored: StoredSession, at revision: ItemRevision) async {
        do throws(StoreError) {
            try await store.replace(nil, for: item, details: nil, ifRevision: revision)
        } catch {
            guard error.code != .conflict else { return await load() }
            leaving = stored
        }
        epoch += 1
        end(.endedByServer)
    }

    private func gone() -> Result<StoredSession, SessionError> {
        if case .signedIn = state { end(.removedElsewhere) }
        return .failure(SessionError(.signedOut, "The session was removed: sign in."))
    }

    /// One call of the server's, which ends with its time.
    private func ask(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        try await within(options.requestTimeout) { [backend] () async throws(SessionError) in
            try await backend.refresh(token)
        }
    }

    func within<Answer: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws(SessionError) -> Answer
    ) async throws(SessionError) -> Answer {
        let call = Task { () async -> Result<Answer, SessionError> in
            do throws(SessionError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        let clock = clock
        let alarm = Task {
            await clock.sleep(for: limit)
            call.cancel()
        }
        defer { alarm.cancel() }
        do throws(SessionError) {
            return try await call.value.get()
        } catch {
            // Nobody else cancels it.
            guard error.code == .cancelled else { throw error }
            throw SessionError(.timedOut, "The server did not answer within \(limit).")
        }
    }
}

extension SessionError {
    static var cancelledHere: SessionError {
        SessionError(.cancelled, "The call was cancelled; the exchange goes on for the others.")
    }
}
