// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The result of a sign-out.
public struct SignOutReport: Sendable, Equatable {
    /// Why the session is still in the store; nil if it is gone, or was to stay. A later start
    /// finds a session that is still in the store.
    public let storeError: StoreError?
    /// Why the server may not know of the sign-out; nil if it does.
    public let serverError: SessionError?

    /// Whether store and server have done everything that was requested.
    public var isComplete: Bool { storeError == nil && serverError == nil }
}

extension SessionManager {
    /// Ends sessions. For ``SignOutScope/this`` and ``SignOutScope/all`` the session here is
    /// removed first, whatever the server then answers. ``SignOutScope/others`` leaves it. A
    /// sign-out goes on if the task is cancelled.
    ///
    /// The session here is the session in hand, or the store's if none is in hand. A session that
    /// another program has stored since then stays. A server that requires an unexpired access
    /// token may refuse: the report says so.
    ///
    /// - Returns: the parts that failed. If a session was in hand, the state is signed out even if
    ///   the store could not remove it; each later read of the store tries again.
    @discardableResult
    public func signOut(_ scope: SignOutScope = .this) async -> SignOutReport {
        await Task { await self.endHere(scope) { _ in } }.value
    }

    /// Ends sessions: removes the session here, waits for a running exchange, and tells the server
    /// of the newest tokens.
    ///
    /// - Parameters:
    ///   - tellsServer: whether to tell the server.
    ///   - isGone: called once, before the server is told: when the session here is gone, or with
    ///     the reason why the store still has it.
    func endHere(
        _ scope: SignOutScope, tellsServer: Bool = true,
        isGone: @Sendable (StoreError?) -> Void
    ) async -> SignOutReport {
        if sessionInHand == nil { await readInOrder() }
        guard var session = sessionInHand else {
            let report = await reportNothing(scope)
            isGone(report.storeError)
            return report
        }
        var storeError: StoreError?
        if scope != .others {
            // The session ends at once, so that no caller gets a token in the meantime.
            becomeSignedOut(.signedOutHere)
            endedID = session.id
            signingOutID = session.id
            (session, storeError) = await inOrder { [session] in await $0.removeOwn(session) }
            signingOutID = session.id
        }
        isGone(storeError)
        // The server must hear of the tokens that a running exchange brings.
        if let flight, flight.id == session.id { _ = await flight.task.value }
        let newest = unsaved.flatMap { $0.next.id == session.id ? $0.next : nil } ?? session
        if scope != .others {
            unsaved = nil
            signingOutID = nil
        }
        guard tellsServer else { return SignOutReport(storeError: storeError, serverError: nil) }
        let tokens = SessionTokens(
            accessToken: newest.accessToken, refreshToken: newest.refreshToken)
        return SignOutReport(
            storeError: storeError, serverError: await tellServer(scope, of: tokens))
    }

    /// Ends a session at the server that was never stored here.
    package func discard(_ grant: SessionGrant) async {
        _ = await tellServer(
            .this,
            of: SessionTokens(accessToken: grant.accessToken, refreshToken: grant.refreshToken))
    }

    /// The report of a sign-out for which no session was in hand or in the store.
    private func reportNothing(_ scope: SignOutScope) async -> SignOutReport {
        switch state {
        case .locked, .unavailable:
            let error = SessionError(.unavailable, "The store did not say whose session it has.")
            let readError = await inOrder { manager -> StoreError? in
                do throws(StoreError) {
                    _ = try await manager.store.entry(manager.item)
                    return nil
                } catch {
                    return error
                }
            }
            return SignOutReport(storeError: readError, serverError: error)
        default:
            let error = SessionError(.signedOut, "There was no session whose server could be told.")
            return SignOutReport(storeError: nil, serverError: scope == .this ? nil : error)
        }
    }

    /// In order: removes the session that was in hand, or that a sign-in here has stored before
    /// this turn. A session that another program has stored stays.
    private func removeOwn(_ session: StoredSession) async -> (StoredSession, StoreError?) {
        var own = sessionInHand ?? session
        becomeSignedOut(.signedOutHere)
        endedID = own.id
        do {
            // Ends at last if another program writes the session again and again.
            for _ in 0..<4 {
                guard let entry = try await store.entry(item) else {
                    becomeSignedOut(.signedOutHere)
                    return (own, nil)
                }
                let stored = try StoredSession(entry.value)
                guard stored.id == own.id else {
                    takeOver(stored)
                    return (own, nil)
                }
                own = stored
                if let failure = await remove(stored, at: entry.item.revision) {
                    return (own, failure)
                }
                // The next read says whether the session is gone, or was written in the meantime.
                endedID = own.id
            }
        } catch {
            return (own, error)
        }
        return (own, StoreError(.conflict, "Another program kept writing the session."))
    }

    /// Tells the server of a sign-out.
    ///
    /// - Returns: why the server may not know of it; nil if it does.
    @discardableResult
    func tellServer(_ scope: SignOutScope, of tokens: SessionTokens) async -> SessionError? {
        do throws(SessionError) {
            try await callServer(within: options.requestTimeout) {
                [backend] () async throws(SessionError) in
                try await backend.signOut(tokens, scope: scope)
            }
            return nil
        } catch {
            return error
        }
    }
}
