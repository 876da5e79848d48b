// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

@Suite("Late answers")
struct LateAnswerTests {
    /// Two abandoned launches come first, so that each situation has older numbers.
    private static let givenUp: [EventKind] = [.launch, .cancel, .launch, .cancel]

    @Test("An answer with another number changes nothing", arguments: Situation.allCases)
    func answers(situation: Situation) {
        let walk = Walk(through: Self.givenUp + situation.path)
        #expect(walk.situation == situation)
        let old = walk.flow.isBusy ? Array(walk.begun.dropLast()) : walk.begun
        #expect(old.count >= 2)
        for number in old + future(after: walk) {
            for answer in EventKind.answers {
                var later = walk
                #expect(later.handle(answer, numbered: number) == [], "\(answer) \(number)")
                #expect(later.flow == walk.flow, "\(answer) \(number)")
            }
        }
    }

    @Test(
        "Reports about an earlier session change nothing", arguments: Situation.allCases)
    func sessions(situation: Situation) {
        guard situation.path.starts(with: Situation.guest.path) else { return }
        let earlier = Walk(through: [.launch, .storeProfile])
        #expect(earlier.situation == .signedIn)
        var walk = earlier
        for kind in [.signOut] + situation.path.dropFirst(2) { walk.handle(kind) }
        #expect(walk.situation == situation)
        for change in EventKind.changes {
            var later = walk
            #expect(later.handle(change, numbered: earlier.session) == [], "\(change)")
            #expect(later.flow == walk.flow, "\(change)")
        }
    }

    @Test("A cancelled sign-in does not sign in when its answer arrives")
    func cancelledSignIn() throws {
        var walk = Walk(through: Situation.authenticating.path)
        let number = try #require(walk.begun.last)
        #expect(walk.handle(.cancel) == [.abandon(number), .publish(.guest)])
        #expect(walk.handle(.signedIn, numbered: number) == [])
        #expect(walk.flow.state == .guest)
    }

    @Test("An answer with the right number to another question changes nothing")
    func otherQuestion() {
        var walk = Walk(through: Situation.sendingCode.path)
        let before = walk.flow
        #expect(walk.handle(.signedIn) == [])
        #expect(walk.flow == before)
    }

    /// Numbers that this flow has not reached yet.
    private func future(after walk: Walk) -> [AuthFlow.Generation] {
        var later = walk
        for kind in [EventKind.signOut, .sendCode, .cancel, .sendCode] { later.handle(kind) }
        return later.begun.filter { !walk.begun.contains($0) }
    }
}
