// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

@Suite("Why a step of the sign-in failed")
struct FailureTests {
    private typealias Row = (Situation, EventKind, AuthFlow.Failure?)

    /// Written by hand: what a flow reports after the event.
    private static let rows: [Row] = [
        (.checking, .storeLocked, nil),
        (.checking, .storeSignedOut, nil),
        (.unlocking, .storeLocked, .stillLocked),
        (.unlocking, .failed, .serverFailed),
        (.unlocking, .cancel, nil),
        (.sendingCode, .failed, .serverFailed),
        (.resendingCode, .failed, .serverFailed),
        (.verifyingCode, .failed, .serverFailed),
        (.authenticating, .failed, .serverFailed),
        (.authenticating, .cancel, nil),
        (.authenticatingAfterCode, .failed, .serverFailed),
        (.keeping, .failed, .serverFailed),
        (.migrating, .failed, .serverFailed),
        (.migrating, .cancel, nil),
        (.loadingProfile, .failed, .serverFailed),
        (.savingProfile, .failed, .serverFailed),
        (.deletingAccount, .failed, .serverFailed),
        (.deletingAccount, .accountDeleted, nil),
        (.signedIn, .offline, .offline),
        (.signedIn, .sessionSignedOut, nil),
        (.signedIn, .sessionEnded, .sessionEnded),
        (.deletingAccount, .sessionEnded, .sessionEnded),
        (.needsProfile, .sessionEnded, .sessionEnded),
        (.keeping, .sessionEnded, .sessionEnded),
        (.migrationStopped, .lock, nil),
        (.migrationStopped, .retry, nil),
        (.profileUnknown, .signOut, nil),
    ]

    @Test("A failure belongs to the action or to the session")
    func failures() {
        for (situation, event, failure) in Self.rows {
            let walk = Walk(through: situation.path + [event])
            #expect(walk.flow.failure == failure, "\(situation) \(event)")
        }
    }

    @Test("An unreadable store gives its reason, at launch and when unlocking")
    func unavailable() throws {
        for situation in [Situation.checking, .unlocking] {
            var walk = Walk(through: situation.path)
            let number = try #require(walk.begun.last)
            walk.handle(.answered(.store(.unavailable(.storeUnreachable)), number))
            #expect(walk.flow.state == .unavailable(.storeUnreachable))
        }
        var walk = Walk(through: [.launch])
        walk.handle(.failed)
        #expect(walk.flow.state == .unavailable(.serverFailed))
    }

    @Test("An address outside the organisation is refused before a session is kept")
    func unauthorizedDomain() throws {
        var walk = Walk(through: Situation.authenticating.path)
        let number = try #require(walk.begun.last)
        let effects = walk.handle(.answered(.failed(.unauthorizedDomain), number))
        #expect(effects == [.publish(.guest)])
        #expect(walk.flow.failure == .unauthorizedDomain)
    }
}
