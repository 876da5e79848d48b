// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Runs an ``AuthFlow`` over a ``SessionManager``: takes a person's requests, and gives the flow's
/// present state to show.
///
/// ```swift
/// let driver = AuthFlowDriver(manager: manager, client: client)
/// await driver.ask(.launch)
/// for await flow in driver.flows() { print(flow.route, flow.failure?.rawValue ?? "") }
/// ```
///
/// Events are handled in order, each after the last is done. Slow work runs in parallel, and its
/// answer is an event too. A session from an abandoned sign-in is not kept, and is ended at the
/// server. Signing out clears the local data first and does not wait for the server: a program that
/// ends right after a sign-out may not have told the server (``SessionManager/signOut(_:)`` waits,
/// and reports).
public actor AuthFlowDriver {
    enum Message: Sendable {
        case event(AuthFlow.Event)
        case asked(AuthFlow.Intent, CheckedContinuation<AuthFlow.Refusal?, Never>)
        /// A sign-in brought a session, which is not kept yet.
        case brought(SessionGrant, AuthFlow.Generation)
    }

    /// The manager of the session. Use it for access tokens, and for a sign-out that waits for the
    /// server; the flow follows the manager.
    public nonisolated let manager: SessionManager
    let client: any AuthFlowClient
    let legacy: LegacyMigration?
    nonisolated let announcements: Announcements<AuthFlow, AuthFlow>
    let inbox: AsyncStream<Message>.Continuation
    private let messages: AsyncStream<Message>
    private var loop: Task<Void, Never>?

    var flow: AuthFlow
    /// Running tasks, by the numbers of their actions.
    var running: [AuthFlow.Generation: Task<Void, Never>] = [:]
    /// A sign-in's session that is not stored yet.
    var grant: SessionGrant?
    /// The listener to the manager's session.
    var listener: Task<Void, Never>?
    /// The task that writes or unlocks. Removing or locking waits for it.
    var storeAction: Task<Void, Never>?

    /// Why the last sign-out left the session in the store, which was locked or failed: the next
    /// launch or unlock finds the session there. Nil if the session is gone.
    public internal(set) var notCleared: StoreError?

    /// Makes a driver, before its launch. Ask for `.launch` first.
    ///
    /// - Parameters:
    ///   - configuration: the features of the application's sign-in.
    ///   - manager: only the driver may start it and adopt sessions.
    ///   - client: the app's server, providers and lock.
    ///   - legacy: moves the data of local users, for an app that had them before it had accounts.
    public init(
        _ configuration: AuthFlow.Configuration = AuthFlow.Configuration(),
        manager: SessionManager, client: some AuthFlowClient, legacy: LegacyMigration? = nil
    ) {
        let flow = AuthFlow(configuration)
        self.flow = flow
        self.manager = manager
        self.client = client
        self.legacy = legacy
        announcements = Announcements(flow) { $0 }
        (messages, inbox) = AsyncStream<Message>.makeStream()
    }

    deinit {
        inbox.finish()
        listener?.cancel()
        for task in running.values { task.cancel() }
        announcements.finish()
    }

    /// The flow's present state.
    public nonisolated var current: AuthFlow { announcements.current }

    /// The flow's present state, and then each change. A listener that falls behind gets only the
    /// newest 256 states.
    public nonisolated func flows() -> AsyncStream<AuthFlow> { announcements.stream() }

    /// Makes a request. The work has begun when this returns, and the flow shows its progress.
    ///
    /// - Returns: the reason if the request was refused; nil otherwise.
    @discardableResult
    public func ask(_ intent: AuthFlow.Intent) async -> AuthFlow.Refusal? {
        if loop == nil {
            // Weak: the loop ends with the driver.
            loop = Task { [weak self, messages] in
                for await message in messages { await self?.handle(message) }
            }
        }
        return await withCheckedContinuation { inbox.yield(.asked(intent, $0)) }
    }

    private func handle(_ message: Message) async {
        switch message {
        case .event(let event):
            if case .answered(_, let generation) = event { running[generation] = nil }
            _ = await perform(flow.handle(event))
            if Self.bringsSession(event) { listen() }
        case .brought(let grant, let generation):
            running[generation] = nil
            _ = await perform(receiveGrant(grant, by: generation))
        case .asked(let intent, let continuation):
            continuation.resume(returning: await perform(flow.handle(.asked(intent))))
        }
    }

    /// Whether the manager's session now belongs to the flow.
    private static func bringsSession(_ event: AuthFlow.Event) -> Bool {
        switch event {
        case .answered(.kept, _), .answered(.store(.signedIn), _): true
        default: false
        }
    }

    /// Performs effects in order. No other message is handled meanwhile.
    private func perform(_ effects: [AuthFlow.Effect]) async -> AuthFlow.Refusal? {
        var refusal: AuthFlow.Refusal?
        for effect in effects {
            switch effect {
            case .start(let action, let generation): start(action, generation: generation)
            case .abandon(let generation): running.removeValue(forKey: generation)?.cancel()
            case .clearLocal(let revoking): await clear(revoking: revoking)
            case .lockStore: await lock()
            case .refreshProfile(let user): refreshProfile(of: user)
            case .publish: announcements.publish(flow)
            case .refused(let reason): refusal = reason
            }
        }
        return refusal
    }
}
