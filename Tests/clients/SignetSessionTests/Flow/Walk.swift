// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

/// A flow and what its driver knows: the numbers of the actions.
struct Walk {
    private(set) var flow: AuthFlow
    /// The numbers of all actions so far.
    private(set) var begun: [AuthFlow.Generation] = []
    /// The number of the last action which may have brought a session.
    private(set) var session: AuthFlow.Generation
    private var lastBegun: String?
    let persons: Persons

    init(
        _ configuration: AuthFlow.Configuration = AuthFlow.Configuration(profile: .required),
        _ persons: Persons = .anna, through path: [EventKind] = []
    ) {
        flow = AuthFlow(configuration)
        session = Self.stranger
        self.persons = persons
        for kind in path { handle(kind) }
    }

    var situation: Situation { Situation(flow, lastBegun: lastBegun) }

    /// Passes an event as a driver does, or with another number.
    @discardableResult
    mutating func handle(
        _ kind: EventKind, numbered number: AuthFlow.Generation? = nil
    ) -> [AuthFlow.Effect] {
        let event = kind.event(
            persons, answering: number ?? begun.last ?? Self.stranger, of: number ?? session)
        return event.map { handle($0) } ?? []
    }

    @discardableResult
    mutating func handle(_ event: AuthFlow.Event) -> [AuthFlow.Effect] {
        let effects = flow.handle(event)
        for case .start(let action, let generation) in effects {
            begun.append(generation)
            lastBegun = action.word
            if ["readStore", "unlock", "keepSession"].contains(action.word) {
                session = generation
            }
        }
        return effects
    }

    /// The first number of another flow.
    static let stranger: AuthFlow.Generation = {
        var flow = AuthFlow()
        for case .start(_, let generation) in flow.handle(.asked(.launch)) { return generation }
        fatalError("A launch begins an action.")
    }()
}

extension AuthFlow.Effect {
    /// The word of the table.
    var word: String {
        switch self {
        case .start(let action, _): "start:\(action.word)"
        case .abandon: "abandon"
        case .clearLocal(let revoking): revoking ? "clear+revoke" : "clear"
        case .lockStore: "lockStore"
        case .refreshProfile: "refreshProfile"
        case .publish: "publish"
        case .refused(.busy): "busy"
        case .refused(.notHere): "notHere"
        }
    }
}

extension AuthFlow.Action {
    /// The word of the table.
    var word: String {
        switch self {
        case .readStore: "readStore"
        case .unlock: "unlock"
        case .sendCode: "sendCode"
        case .verify: "verify"
        case .signIn: "signIn"
        case .keepSession: "keepSession"
        case .migrate: "migrate"
        case .loadProfile: "loadProfile"
        case .saveProfile: "saveProfile"
        case .deleteAccount: "deleteAccount"
        }
    }
}
