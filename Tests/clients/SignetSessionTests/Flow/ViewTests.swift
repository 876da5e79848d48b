// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

@Suite("Views of the sign-in states")
struct ViewTests {
    private typealias Row = (Situation, AuthFlow.Simple, AuthFlow.Onboarding, AuthFlow.Route)

    private static let rows: [Row] = [
        (.notLaunched, .loading, .waiting, .splash),
        (.checking, .loading, .waiting, .splash),
        (.unavailable, .loading, .waiting, .storeProblem),
        (.guest, .unauthenticated, .welcome, .signIn),
        (.sendingCode, .unauthenticated, .signIn, .signIn),
        (.codeSent, .unauthenticated, .signIn, .enterCode),
        (.resendingCode, .unauthenticated, .signIn, .enterCode),
        (.verifyingCode, .unauthenticated, .signIn, .enterCode),
        (.authenticating, .unauthenticated, .signIn, .signIn),
        (.authenticatingAfterCode, .unauthenticated, .signIn, .signIn),
        (.keeping, .loading, .waiting, .splash),
        (.migrating, .loading, .waiting, .splash),
        (.migrationStopped, .loading, .waiting, .splash),
        (.loadingProfile, .loading, .waiting, .splash),
        (.profileUnknown, .loading, .waiting, .splash),
        (.needsProfile, .loading, .profile, .profile),
        (.savingProfile, .loading, .profile, .profile),
        (.signedIn, .authenticated, .done, .content),
        (.deletingAccount, .authenticated, .done, .content),
        (.locked, .loading, .waiting, .unlock),
        (.unlocking, .loading, .waiting, .unlock),
    ]

    @Test("Each situation has its state, step and screen")
    func views() {
        #expect(Set(Self.rows.map(\.0)) == Set(Situation.allCases))
        for (situation, simple, onboarding, route) in Self.rows {
            let flow = Walk(through: situation.path).flow
            #expect(flow.simple == simple, "\(situation)")
            #expect(flow.onboarding == onboarding, "\(situation)")
            #expect(flow.route == route, "\(situation)")
            #expect((flow.userID != nil) == (simple == .authenticated), "\(situation)")
        }
    }

    @Test("A guest sees the content only where guests are allowed")
    func guests() {
        let allowing = AuthFlow.Configuration(allowsGuests: true, profile: .required)
        for (situation, simple, _, route) in Self.rows {
            let flow = Walk(allowing, through: situation.path).flow
            let isGuest = situation == .guest || situation == .sendingCode
            #expect(flow.route == (isGuest ? .content : route), "\(situation)")
            #expect(flow.simple == simple, "\(situation)")
        }
    }

    @Test("A new user chooses a profile, a known one goes straight in, signing out shows welcome")
    func onboarding() {
        var walk = Walk(through: Situation.guest.path)
        var steps = [walk.flow.onboarding]
        let newcomer: [EventKind] = [
            .signIn, .signedIn, .kept, .profileAbsent, .submitProfile, .profileSaved, .signOut,
        ]
        for kind in newcomer {
            walk.handle(kind)
            steps.append(walk.flow.onboarding)
        }
        #expect(
            steps == [
                .welcome, .signIn, .waiting, .waiting, .profile, .profile, .done, .welcome,
            ])
        for kind in [EventKind.signIn, .signedIn, .kept, .profileFound] { walk.handle(kind) }
        #expect(walk.flow.onboarding == .done)
    }

    @Test("An updated user changes the shown address")
    func updatedUser() {
        var walk = Walk(through: Situation.signedIn.path)
        #expect(walk.flow.user?.contact == Persons.anna.destination)
        walk.handle(.userUpdated)
        #expect(walk.flow.userID == Persons.anna.user.id)
        #expect(walk.flow.user?.contact == nil)
    }

    @Test("The user stays while offline, and only a refresh clears that failure")
    func offline() {
        var walk = Walk(through: Situation.signedIn.path + [.offline])
        #expect(walk.flow.failure == .offline)
        #expect(walk.flow.userID != nil)
        #expect(walk.handle(.tokenRefreshed).map(\.word) == ["publish"])
        #expect(walk.flow.failure == nil)
        walk.handle(.deleteAccount)
        walk.handle(.failed)
        #expect(walk.handle(.tokenRefreshed) == [])
        #expect(walk.flow.failure == .serverFailed)
    }

    @Test("Going back, and each new step, clears the failure")
    func failures() {
        let failed = Walk(through: Situation.verifyingCode.path + [.failed])
        #expect(failed.flow.failure == .serverFailed)
        for kind in [EventKind.back, .sendCode, .verify, .signIn, .signOut] {
            var walk = failed
            walk.handle(kind)
            #expect(walk.flow.failure == nil, "\(kind)")
        }
    }

    @Test("The code is verified for the address that it was sent to")
    func bound() throws {
        let other = try #require(AuthFlow.Destination("+41795550199"))
        var walk = Walk(through: Situation.codeSent.path)
        walk.handle(.asked(.sendCode(other)))
        walk.handle(.failed)
        let verifying = walk.handle(.verify)
        guard case .start(.verify(_, let first), _) = verifying.first else {
            Issue.record("\(verifying)")
            return
        }
        // The code to the other address was not sent.
        #expect(first == Persons.anna.destination)
        walk.handle(.cancel)
        walk.handle(.asked(.sendCode(other)))
        walk.handle(.codeSent)
        #expect(walk.flow.state == .codeSent(other))
    }
}
