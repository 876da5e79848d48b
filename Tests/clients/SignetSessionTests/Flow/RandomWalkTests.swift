// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import TestSupport
import Testing

@Suite("Random walks through the sign-in states")
struct RandomWalkTests {
    private static let configurations = [false, true].flatMap { allowsGuests in
        [AuthFlow.ProfileRule.none, .optional, .required].map {
            AuthFlow.Configuration(allowsGuests: allowsGuests, profile: $0)
        }
    }

    @Test("The invariants hold over 108,000 events", arguments: configurations)
    func invariants(configuration: AuthFlow.Configuration) {
        var generator = SeededGenerator(seed: 18)
        var seen: Set<Situation> = []
        for _ in 0..<180 {
            var observed = Observed(configuration)
            for _ in 0..<100 {
                observed.step(&generator)
                seen.insert(observed.walk.situation)
            }
        }
        let withoutProfile: Set<Situation> =
            configuration.profile == .required
            ? [] : [.loadingProfile, .profileUnknown, .needsProfile, .savingProfile]
        #expect(seen == Set(Situation.allCases).subtracting(withoutProfile))
    }
}

/// A walk, and what a driver sees of it without looking into the flow.
private struct Observed {
    private(set) var walk: Walk
    private var inFlight: AuthFlow.Generation?
    private var migrationIsPending = false

    init(_ configuration: AuthFlow.Configuration) { walk = Walk(configuration) }

    mutating func step(_ generator: inout SeededGenerator) {
        guard let kind = kind(&generator) else { return }
        let isLate = Int.random(in: 0..<5, using: &generator) == 0
        let number = isLate ? walk.begun.randomElement(using: &generator) : nil
        let before = walk
        let effects = walk.handle(kind, numbered: number)
        follow(kind, effects, isAnswer: isAnswer(kind, number, before), before)
        check(kind, effects, before)
        if number == nil { checkSession(kind, before) }
    }

    /// What leads on from a situation, by the table.
    private static let leaving = TransitionTable.read().cells
        .filter { $0.key.situation != $0.value.next && $0.key.event != .signOut }
        .reduce(into: [Situation: [EventKind]]()) { leaving, cell in
            leaving[cell.key.situation, default: []].append(cell.key.event)
        }
        .mapValues { $0.sorted { $0.rawValue < $1.rawValue } }

    /// Half of the time one that leads on, so that the walk progresses.
    private func kind(_ generator: inout SeededGenerator) -> EventKind? {
        guard Bool.random(using: &generator) else {
            return EventKind.allCases.randomElement(using: &generator)
        }
        return Self.leaving[walk.situation]?.randomElement(using: &generator)
    }

    private func isAnswer(
        _ kind: EventKind, _ number: AuthFlow.Generation?, _ before: Walk
    ) -> Bool {
        EventKind.answers.contains(kind) && inFlight != nil
            && (number ?? before.begun.last) == inFlight && before.flow != walk.flow
    }

    /// Never two actions in flight: one begins when there is none, after its answer, or after it
    /// was abandoned.
    private mutating func follow(
        _ kind: EventKind, _ effects: [AuthFlow.Effect], isAnswer: Bool, _ before: Walk
    ) {
        if isAnswer {
            inFlight = nil
            if kind == .storeLegacy || kind == .keptLegacy { migrationIsPending = true }
            if kind == .migrated { migrationIsPending = false }
        }
        for effect in effects {
            switch effect {
            case .start(_, let generation):
                #expect(inFlight == nil, "\(kind) in \(before.situation)")
                #expect(!before.begun.contains(generation))
                inFlight = generation
            case .abandon(let generation):
                #expect(inFlight == generation)
                inFlight = nil
            case .clearLocal:
                migrationIsPending = false
            case .publish(.locked):
                migrationIsPending = false
            case .publish(.signedIn):
                #expect(!migrationIsPending || kind == .userReplaced)
            default: break
            }
        }
        // Another user has not claimed the records, and never takes them over.
        if kind == .userReplaced && before.flow != walk.flow && walk.situation != before.situation {
            migrationIsPending = false
        }
        #expect((inFlight != nil) == walk.flow.isBusy)
    }

    private func check(_ kind: EventKind, _ effects: [AuthFlow.Effect], _ before: Walk) {
        let flow = walk.flow
        let isSignedIn = if case .signedIn = flow.state { true } else { false }
        #expect((flow.simple == .authenticated) == isSignedIn)
        #expect((flow.userID != nil) == isSignedIn)
        #expect((flow.user != nil) == isSignedIn)
        #expect((flow.onboarding == .done) == isSignedIn)
        #expect(!(isSignedIn && migrationIsPending))

        // A situation that only its answer can leave always gets one.
        switch flow.state {
        case .keeping, .authenticating: #expect(flow.isBusy)
        default: break
        }

        let isSeen =
            flow.state != before.flow.state || flow.isBusy != before.flow.isBusy
            || flow.failure != before.flow.failure
        #expect(effects.filter { $0.word == "publish" }.count == (isSeen ? 1 : 0))
        if isSeen { #expect(effects.last == .publish(flow.state)) }
        if effects.contains(.refused(.busy)) || effects.contains(.refused(.notHere)) {
            #expect(effects.count == 1)
            #expect(flow == before.flow)
        }
        if effects.contains(.refused(.busy)) { #expect(before.flow.isBusy) }

        switch kind {
        case .signOut:
            #expect(flow.state == .guest && !flow.isBusy && flow.failure == nil)
            #expect(effects.first?.word.hasPrefix("clear") == true)
        case .lock:
            #expect(flow.state == .locked || flow.simple == .unauthenticated)
        case .offline:
            #expect(flow.state == before.flow.state)
        case .cancel:
            #expect(!flow.isBusy)
        default: break
        }
        if before.flow.simple != .unauthenticated && flow.simple == .unauthenticated {
            #expect(effects.first?.word.hasPrefix("clear") == true)
        }
    }

    /// A report from the manager about this session ends it, whichever action brought it.
    private func checkSession(_ kind: EventKind, _ before: Walk) {
        switch before.flow.state {
        case .keeping, .migrating, .loadingProfile, .needsProfile, .signedIn: break
        default: return
        }
        switch kind {
        case .sessionEnded:
            #expect(walk.flow.state == .guest)
            #expect(walk.flow.failure == .sessionEnded)
        case .sessionSignedOut: #expect(walk.flow.state == .guest)
        case .sessionLocked: #expect(walk.flow.state == .locked)
        case .offline: #expect(walk.flow.failure == .offline)
        default: break
        }
    }
}
