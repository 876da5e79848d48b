// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

// An exchange spends a session's refresh token for the session's successor, which has new tokens:
//
// 1. A caller joins the running exchange or begins one (`refreshedSession`).
// 2. The exchange waits until no other process exchanges (`runExchange`).
// 3. It reads the store: another process may have been faster (`exchangeExclusively`).
// 4. It writes into the store that an exchange has begun (`recordBegin`).
// 5. It asks the server (`successor`). From then on the old refresh token is spent.
// 6. It writes the successor into the store (`saveSuccessor`), and only then hands it out. If that
//    fails, the successor stays in memory as `unsaved`, and the next exchange skips steps 4 and 5.
extension SessionManager {
    /// An exchange for a session.
    struct Flight {
        /// The session's.
        let id: [UInt8]
        let task: Exchanges.Work
    }

    /// A successor that the server gave, and that is not in the store yet.
    struct UnsavedSuccessor {
        /// The session whose refresh token was spent.
        let parent: StoredSession
        let next: StoredSession
    }

    /// The result of an exchange, which all callers share; `cancelled` at once if the caller is
    /// cancelled.
    func refreshedSession(
        _ used: StoredSession, isForced: Bool
    ) async throws(SessionError) -> StoredSession {
        if flight?.id != used.id {
            let failure: SessionError? =
                exchanges.isDrained
                ? .drained : pause.failure(of: used.id, at: clock.elapsed())
            if let failure {
                // Another process may have succeeded.
                await readInOrder()
                if let sessionInHand, isFresh(sessionInHand, after: used, isForced: isForced) {
                    return sessionInHand
                }
                throw failure
            }
            flight = Flight(id: used.id, task: beginExchange(of: used, isForced: isForced))
        }
        guard let result = await flight?.task.valueUnlessCancelled else { throw .cancelledHere }
        return try result.get()
    }

    /// Exchanges while no other process does, and starts a pause after a failure. An exchange
    /// belongs to no caller: a token that the server has given must reach the store.
    func runExchange(
        _ used: StoredSession, isForced: Bool, number: Int
    ) async -> Result<StoredSession, SessionError> {
        let result = await withExclusiveItem {
            await self.markingExclusive(number) {
                await self.exchangeExclusively(used, isForced: isForced)
            }
        }
        if flight?.id == used.id { flight = nil }
        let isStillInHand = sessionInHand?.id == used.id
        if case .failure(let error) = result, isStillInHand,
            ![.expired, .drained].contains(error.code)
        {
            // The server may have asked to wait, which has begun a pause already.
            if pause.remaining(of: used.id, at: clock.elapsed()) == nil {
                pause.start(afterFailure: error, of: used.id, at: clock.elapsed(), options: options)
            }
            announcements.announce(.refreshFailed(error))
            scheduleRefresh()
        }
        return result
    }

    /// Runs `body` while no other process has access to the item.
    private func withExclusiveItem(
        _ body: () async -> Result<StoredSession, SessionError>
    ) async -> Result<StoredSession, SessionError> {
        do {
            return try await store.withExclusiveAccess(
                to: item, within: options.requestTimeout, body)
        } catch {
            // Only a drain cancels an exchange, and only while the exchange waits.
            if exchanges.isDrained, (error as? StoreError)?.code == .cancelled {
                return .failure(.drained)
            }
            let failure = (error as? StoreError).map { SessionError($0) }
            return .failure(
                failure
                    ?? SessionError(
                        .unavailable, underlying: error, "The session could not be locked."))
        }
    }

    /// Reads what the store has, and exchanges its token unless another process or call was faster.
    private func exchangeExclusively(
        _ used: StoredSession, isForced: Bool
    ) async -> Result<StoredSession, SessionError> {
        var result: Result<StoredSession, SessionError> = .failure(.gone)
        // Two passes: an unsaved successor may have expired since, so that its own successor is
        // needed.
        for _ in 0..<2 {
            let found = await inOrder { await $0.readStoredSession() }
            guard case .success(let stored) = found else { return found }
            // A sign-in, or another process, was faster.
            if stored.id != used.id || isFresh(stored, after: used, isForced: isForced) {
                return found
            }
            do {
                if let unsaved, unsaved.parent.hasSameTokens(as: stored) {
                    result = await saveSuccessor(unsaved.next, after: stored)
                } else {
                    let token = try tokenToSpend(of: stored)
                    let begun = await inOrder { await $0.recordBegin(of: stored) }
                    // Otherwise the store has failed, or has another session: that is the result.
                    guard case .success(let own) = begun, own.hasSameTokens(as: stored) else {
                        return begun
                    }
                    let next = try await successor(of: stored, for: token)
                    result = await saveSuccessor(next, after: stored)
                }
            } catch {
                if error.code == .refused { await inOrder { await $0.endByServer(stored) } }
                return .failure(error)
            }
            guard case .success(let next) = result, !next.isValid(at: clock.now()) else { break }
        }
        return result
    }

    /// Whether the stored token serves a caller who used the earlier token: any different token if
    /// the exchange is forced, otherwise a token that is not near its end.
    private func isFresh(
        _ stored: StoredSession, after used: StoredSession, isForced: Bool
    ) -> Bool {
        if isForced { return stored.accessToken != used.accessToken }
        return !stored.isDue(at: clock.now(), lead: options.lead)
    }

    /// In order: takes over the session in the store.
    private func readStoredSession() async -> Result<StoredSession, SessionError> {
        do {
            guard let entry = try await store.entry(item) else {
                if case .signedIn = state { becomeSignedOut(.removedElsewhere) }
                return .failure(.gone)
            }
            let stored = try StoredSession(entry.value)
            guard stored.id != endedID else { return .failure(.gone) }
            takeOver(stored)
            return .success(stored)
        } catch {
            takeOverFailure(error)
            return .failure(SessionError(error))
        }
    }

    /// The refresh token, if the server may be asked now.
    private func tokenToSpend(of stored: StoredSession) throws(SessionError) -> RefreshToken {
        guard !exchanges.isDrained else { throw .drained }
        guard let token = stored.refreshToken else {
            throw SessionError(.expired, "There is no refresh token: sign in again.")
        }
        if let rest = stored.serverPause?.remaining(at: clock.now()) {
            let error = SessionError(
                .rateLimited, retryAfter: rest,
                "The server has asked this or another process to wait.")
            pause.start(for: rest, because: error, of: stored.id, at: clock.elapsed())
            throw error
        }
        return token
    }

    /// The session that follows from the server's answer to a refresh token.
    private func successor(
        of stored: StoredSession, for token: RefreshToken
    ) async throws(SessionError) -> StoredSession {
        guard !exchanges.isDrained else { throw .drained }
        // A sign-out here may have come since.
        guard endedID != stored.id, signingOutID != stored.id else { throw .gone }
        let grant: SessionGrant
        do {
            grant = try await askServer(for: token)
        } catch {
            if error.code != .refused, let wait = error.retryAfter {
                await inOrder { await $0.recordWait(wait, after: stored) }
            }
            throw error
        }
        guard grant.userID.utf8.elementsEqual(stored.user.id.utf8) else {
            throw SessionError(.invalidAnswer, "The server answered with another user's tokens.")
        }
        let next = StoredSession(grant, after: stored, at: clock.now())
        unsaved = UnsavedSuccessor(parent: stored, next: next)
        return next
    }

    /// In order: removes the session if it still has the tokens that the server refused.
    private func endByServer(_ refused: StoredSession) async {
        do {
            guard let entry = try await store.entry(item) else {
                return endRefused(refused, failure: nil)
            }
            let stored = try StoredSession(entry.value)
            guard stored.hasSameTokens(as: refused) else { return takeOver(stored) }
            let failure = await remove(stored, at: entry.item.revision)
            endRefused(refused, failure: failure)
        } catch {
            endRefused(refused, failure: error)
        }
    }

    /// Ends the session here. Notes its id if the store could not remove it, for the next read.
    private func endRefused(_ refused: StoredSession, failure: StoreError?) {
        becomeSignedOut(.endedByServer)
        if failure != nil { endedID = refused.id }
    }

    /// Exchanges a refresh token. Every error but `refused` and the temporary errors becomes
    /// `invalidAnswer`.
    private func askServer(for token: RefreshToken) async throws(SessionError) -> SessionGrant {
        do {
            return try await callServer(within: options.requestTimeout) {
                [backend] () async throws(SessionError) in try await backend.refresh(token)
            }
        } catch {
            guard error.code == .refused || error.isTemporary else {
                throw SessionError(.invalidAnswer, underlying: error, "\(messageOf: error)")
            }
            throw error
        }
    }

    /// Calls the server, and cancels the call at its time limit.
    func callServer<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        let call = Task { await Result(of: body) }
        let clock = clock
        let alarm = Task {
            await clock.passLimit(limit)
            call.cancel()
        }
        defer { alarm.cancel() }
        do throws(SessionError) {
            return try await call.value.get()
        } catch {
            // Only the alarm cancels the call.
            guard error.code == .cancelled else { throw error }
            throw SessionError(
                .timedOut, underlying: error, "The server did not answer within \(limit).")
        }
    }
}

extension SessionError {
    static var cancelledHere: SessionError {
        SessionError(.cancelled, "The call was cancelled; the exchange goes on for the others.")
    }

    static var gone: SessionError {
        SessionError(.signedOut, "The session was removed: sign in.")
    }
}
