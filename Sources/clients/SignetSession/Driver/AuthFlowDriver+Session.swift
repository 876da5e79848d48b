// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Work on the session, in the order of the flow's effects.
extension AuthFlowDriver {
    /// Keeps a sign-in's session for the flow, or ends it at the server if the flow has moved on.
    func receiveGrant(
        _ grant: SessionGrant, by generation: AuthFlow.Generation
    ) -> [AuthFlow.Effect] {
        let known = client.user(of: SessionUser(id: grant.userID, profile: grant.profile))
        let answer = known.map { AuthFlow.Answer.signedIn($0.user) } ?? .failed(.signInFailed)
        let effects = flow.handle(.answered(answer, generation))
        let isKept = effects.contains {
            if case .start(.keepSession, _) = $0 { true } else { false }
        }
        if isKept { self.grant = grant } else { discard(grant) }
        return effects
    }

    /// Follows the session of the last action for as long as it is the flow's.
    func listen() {
        listener?.cancel()
        listener = nil
        guard let generation = flow.session else { return }
        listener = Task { [manager, inbox, client] in
            for await event in manager.events() {
                guard let change = Self.change(of: event, client: client) else { continue }
                inbox.yield(.event(.session(change, generation)))
            }
        }
    }

    private static func change(
        of event: SessionEvent, client: any AuthFlowClient
    ) -> AuthFlow.SessionChange? {
        switch event {
        case .refreshed: .tokenRefreshed
        case .refreshFailed(let error): error.isTemporary ? .offline : nil
        case .state(.signedIn(let session)):
            client.user(of: session).map { .userUpdated($0.user) }
        case .state(.signedOut(.endedByServer)): .ended
        case .state(.signedOut): .signedOut
        case .state(.locked): .locked
        case .state(.unavailable), .state(.checking): nil
        }
    }

    /// Removes the local data. The server is told in parallel, without waiting.
    func clear(revoking: Bool) async {
        listener?.cancel()
        listener = nil
        await waitForEarlierActions()
        if let grant { discard(grant) }
        grant = nil
        let manager = manager
        // Goes on as soon as the local data are gone, while the task tells the server.
        notCleared = await withCheckedContinuation { continuation in
            Task {
                _ = await manager.endHere(.this, tellsServer: revoking) {
                    continuation.resume(returning: $0)
                }
            }
        }
    }

    /// Locks the store, after earlier actions have ended.
    func lock() async {
        listener?.cancel()
        listener = nil
        await waitForEarlierActions()
        await client.lockStore()
    }

    /// Waits until earlier actions have ended their writing or unlocking.
    private func waitForEarlierActions() async {
        storeAction?.cancel()
        await storeAction?.value
        storeAction = nil
    }

    private func discard(_ grant: SessionGrant) {
        let manager = manager
        Task { await manager.discard(grant) }
    }
}
