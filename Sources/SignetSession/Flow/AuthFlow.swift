// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Where a client stands between its launch and a person who is signed in: a pure reducer.
///
/// It has no clock, no store and no network: ``handle(_:)`` takes what happened and returns what a
/// driver is to do, in order. One action is in flight at a time, and has a ``Generation``. An
/// answer with another generation changes nothing and gives no effect, and what the session manager
/// says of another session neither. ``State/signedIn(_:)`` comes only after the session was kept,
/// an old local user id was migrated and, where one is required, a profile was found.
///
/// **Not** checked: tokens, codes and addresses, which are the driver's and the server's matter. No
/// token and no code is in a flow, and printing one shows neither an address nor a user id.
public struct AuthFlow: Sendable, Equatable {
    /// What the app asks of a sign-in.
    public let configuration: Configuration
    /// Where the client stands.
    public internal(set) var state = State.checking
    /// Why the last action failed, or why the session ended; nil again with the next step.
    public internal(set) var failure: Failure?
    /// The action in flight.
    var flight: Flight?
    /// The action that brought the session, whose number is on all that the manager says of it.
    var session: Generation?
    private var latest = Generation(0)

    /// A flow before its launch: ``State/checking``, with nothing in flight.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Whether an action is in flight, so that a button is not pressed twice.
    public var isBusy: Bool { flight != nil }

    /// Takes what happened, and returns what is to be done, in this order.
    ///
    /// ``Effect/publish(_:)`` comes last, and exactly when ``state``, ``isBusy`` or ``failure`` is
    /// another than before.
    public mutating func handle(_ event: Event) -> [Effect] {
        let before = (state, isBusy, failure)
        let effects = transition(on: event)
        return (state, isBusy, failure) == before ? effects : effects + [.publish(state)]
    }

    private mutating func transition(on event: Event) -> [Effect] {
        switch event {
        case .asked(let intent):
            return asked(intent)
        case .answered(let answer, let generation):
            guard let flight, flight.generation == generation else { return [] }
            return answered(answer, to: flight)
        case .session(let change, let generation):
            guard session == generation else { return [] }
            return changed(change)
        }
    }
}

// The steps that all transitions are made of.
extension AuthFlow {
    /// What is remembered of an action: never its code or its profile.
    struct Flight: Sendable, Equatable {
        let kind: Action.Kind
        let generation: Generation
        let destination: Destination?
    }

    mutating func start(_ action: Action) -> [Effect] {
        latest = latest.next
        flight = Flight(kind: action.kind, generation: latest, destination: action.destination)
        failure = nil
        return [.start(action, latest)]
    }

    mutating func land(in state: State, because failure: Failure? = nil) -> [Effect] {
        flight = nil
        self.state = state
        self.failure = failure
        return []
    }

    mutating func abandon() -> [Effect] {
        guard let flight else { return [] }
        self.flight = nil
        return [.abandon(flight.generation)]
    }

    /// The one way out of a session: what is local goes first, whatever the server will say.
    mutating func end(revoking: Bool, because failure: Failure? = nil) -> [Effect] {
        session = nil
        let effects = [.clearLocal(revoking: revoking)] + abandon()
        return effects + land(in: .guest, because: failure)
    }
}
