// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Runs an ``AuthFlow`` over a ``SessionManager``: what a person asks for goes in, and the flow as
/// it stands comes out, to be shown.
///
/// ```swift
/// let driver = AuthFlowDriver(manager: manager, client: client)
/// await driver.ask(.launch)
/// for await flow in driver.flows() { print(flow.route, flow.failure?.rawValue ?? "") }
/// ```
///
/// Events are handled one after the other. What takes time runs beside them, and its answer is an
/// event again. A session that comes for a sign-in that was given up is not kept, and ended at the
/// server. Signing out clears what is here first, and waits for no server: a program that ends
/// right after it may not have told it (``SessionManager/signOut(_:)`` waits, and reports).
public actor AuthFlowDriver {
    enum Message: Sendable {
        case event(AuthFlow.Event)
        case asked(AuthFlow.Intent, CheckedContinuation<AuthFlow.Refusal?, Never>)
        /// A sign-in brought a session, which is not kept yet.
        case brought(SessionGrant, AuthFlow.Generation)
    }

    /// For access tokens, and for a sign-out that waits for the server: the flow follows it.
    public nonisolated let manager: SessionManager
    let client: any AuthFlowClient
    let legacy: LegacyMigration?
    nonisolated let announcements: Announcements<AuthFlow, AuthFlow>
    let inbox: AsyncStream<Message>.Continuation
    private let messages: AsyncStream<Message>
    private var loop: Task<Void, Never>?

    var flow: AuthFlow
    /// What runs, by the numbers of its actions.
    var running: [AuthFlow.Generation: Task<Void, Never>] = [:]
    /// What a sign-in brought that is not kept yet.
    var grant: SessionGrant?
    /// The listener to the manager's session.
    var listener: Task<Void, Never>?
    /// What writes or unlocks: what removes or locks comes after it.
    var lasting: Task<Void, Never>?

    /// Why the last sign-out left the session in the store, which was locked or failed: the next
    /// launch or unlocking finds it there. Nil when it is gone.
    public internal(set) var notCleared: StoreError?

    /// A driver before its launch. Ask for `.launch` first.
    ///
    /// - Parameters:
    ///   - configuration: what the application's sign-in has.
    ///   - manager: only the driver starts it and adopts sessions.
    ///   - client: does what the flow asks for.
    ///   - legacy: where an app had local users before it had accounts.
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

    /// The flow as it stands.
    public nonisolated var current: AuthFlow { announcements.current }

    /// The flow as it stands, and then each time that it changes. Of what a listener does not take,
    /// the newest 256 are kept.
    public nonisolated func flows() -> AsyncStream<AuthFlow> { announcements.stream() }

    /// Asks for something. It has begun when this returns, and the flow says how it goes on.
    ///
    /// - Returns: why it is not done, where it is not.
    @discardableResult
    public func ask(_ intent: AuthFlow.Intent) async -> AuthFlow.Refusal? {
        if loop == nil {
            // Weak: a driver that goes takes its loop along.
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
            if Self.isOfSession(event) { listen() }
        case .brought(let grant, let generation):
            running[generation] = nil
            _ = await perform(taken(grant, by: generation))
        case .asked(let intent, let continuation):
            continuation.resume(returning: await perform(flow.handle(.asked(intent))))
        }
    }

    /// Whether from now on the manager's session is the flow's.
    private static func isOfSession(_ event: AuthFlow.Event) -> Bool {
        switch event {
        case .answered(.kept, _), .answered(.store(.signedIn), _): true
        default: false
        }
    }

    /// In order. Nothing else is handled meanwhile.
    private func perform(_ effects: [AuthFlow.Effect]) async -> AuthFlow.Refusal? {
        var refusal: AuthFlow.Refusal?
        for effect in effects {
            switch effect {
            case .start(let action, let generation): start(action, generation)
            case .abandon(let generation): running.removeValue(forKey: generation)?.cancel()
            case .clearLocal(let revoking): await clear(revoking: revoking)
            case .lockStore: await lock()
            case .refreshProfile(let user): refreshProfile(of: user)
            case .publish: announcements.become(flow)
            case .refused(let reason): refusal = reason
            }
        }
        return refusal
    }
}
