// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The state of a client from its launch to a signed-in person, as a pure reducer.
///
/// ```swift
/// var flow = AuthFlow()
/// for effect in flow.handle(.asked(.launch)) {
///     guard case .start(.readStore, let generation) = effect else { continue }
///     _ = flow.handle(.answered(.store(.signedOut), generation))
/// }
/// print(flow.route == .signIn)
/// ```
///
/// A flow has no clock, no store and no network: ``handle(_:)`` takes an event and returns the
/// effects that a driver must perform, in order. At most one action is in flight, with a
/// ``Generation``. An answer with another generation has no effect, nor has the session manager's
/// report about another session. ``State/signedIn(_:)`` comes only after the session was stored, an
/// old local user id was migrated and, if required, a profile was found.
///
/// **Not** checked: tokens, codes and addresses, which the driver and the server check. A flow
/// holds no token or code, and printing it shows no address or user id.
public struct AuthFlow: Sendable, Equatable {
    // The files AuthFlow+… in the order to read them:
    // 1. Event, State, Effect: what comes in, what is kept, what a driver must do.
    // 2. Asked, Answered, Changed: the transitions, one file for each kind of event.
    // 3. Views, Configuration: what screens read, and what an app chooses.
    // 4. Identity, Input, Numbers: the values in all of these.
    //
    // The states, from the launch to a signed-in person. A step in brackets is only for some.
    //
    //   checking --+-- no session --> guest --> [codeSent] --> [authenticating] --> keeping --+
    //              |                                                                          |
    //              +-- session ---------------------------------------------------------------+
    //              |                                                                          |
    //              +-- locked store --> locked (unlock: as from checking)                     |
    //              +-- unreadable store --> unavailable (retry: back to checking)             |
    //                                                                                         |
    //        signedIn <-- [needsProfile] <-- [loadingProfile] <-- [migrating] <---------------+
    //
    // A sign-out leads from every state to guest, and a lock from every state that has or may have
    // a session to locked.

    /// The app's requirements for a sign-in.
    public let configuration: Configuration
    /// The client's state.
    public internal(set) var state = State.checking
    /// Why the last action failed, or why the session ended; nil again after the next step.
    public internal(set) var failure: Failure?
    /// The action in flight.
    var flight: Flight?
    /// The action that brought the session. Its number is on all of the manager's reports about it.
    var session: Generation?
    private var latest = Generation(0)

    /// Makes a flow before its launch: ``State/checking``, with nothing in flight.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Whether an action is in flight, to keep a button from being pressed twice.
    public var isBusy: Bool { flight != nil }

    /// Takes an event, and returns what to do, in this order.
    ///
    /// ``Effect/publish(_:)`` comes last, exactly when ``state``, ``isBusy`` or ``failure`` changed.
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

// The steps of all transitions.
extension AuthFlow {
    /// The part of an action that the flow keeps: never its code or its profile.
    struct Flight: Sendable, Equatable {
        let kind: Action.Kind
        let generation: Generation
        let destination: Destination?
    }

    /// Puts an action in flight, with the next number.
    mutating func start(_ action: Action) -> [Effect] {
        latest = latest.next
        flight = Flight(kind: action.kind, generation: latest, destination: action.destination)
        failure = nil
        return [.start(action, latest)]
    }

    /// Goes to a state, with nothing in flight. Has no effects of its own.
    mutating func endAction(in state: State, because failure: Failure? = nil) -> [Effect] {
        flight = nil
        self.state = state
        self.failure = failure
        return []
    }

    /// Stops the action in flight, whose answer then has no effect.
    mutating func abandon() -> [Effect] {
        guard let flight else { return [] }
        self.flight = nil
        return [.abandon(flight.generation)]
    }

    /// Ends the session, the only way out of it: local data are removed first, whatever the server
    /// says.
    mutating func end(revoking: Bool, because failure: Failure? = nil) -> [Effect] {
        session = nil
        let effects = [.clearLocal(revoking: revoking)] + abandon()
        return effects + endAction(in: .guest, because: failure)
    }
}
