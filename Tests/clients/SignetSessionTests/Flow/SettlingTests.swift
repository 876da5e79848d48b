// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

@Suite("From a session to signed in")
struct SettlingTests {
    private let anna = Persons.anna
    private let bert = Persons.bert

    @Test("A session at launch is signed in at once if no profile is required")
    func withoutProfile() {
        var walk = Walk(AuthFlow.Configuration(), through: [.launch])
        #expect(walk.handle(.storeSignedIn) == [.publish(.signedIn(anna.user))])
    }

    @Test("An app with profiles also loads one")
    func optionalProfile() {
        var walk = Walk(AuthFlow.Configuration(profile: .optional), through: [.launch])
        #expect(
            walk.handle(.storeSignedIn) == [
                .refreshProfile(anna.user), .publish(.signedIn(anna.user)),
            ])
        #expect(!walk.flow.isBusy)
    }

    @Test("The old local id is migrated before the user is signed in", arguments: configurations)
    func migratesFirst(configuration: AuthFlow.Configuration) throws {
        var walk = Walk(configuration, through: Situation.verifyingCode.path)
        var effects = walk.handle(.signedIn) + walk.handle(.keptLegacy)
        #expect(walk.flow.simple == .loading)
        #expect(walk.flow.userID == nil)
        effects += walk.handle(.migrated)
        if configuration.profile == .required { effects += walk.handle(.profileFound) }
        #expect(walk.flow.userID == anna.user.id)

        let words = effects.map(\.word)
        let migration = try #require(words.firstIndex(of: "start:migrate"))
        let published = try #require(effects.firstIndex(of: .publish(.signedIn(anna.user))))
        #expect(migration < published)
        #expect(words.filter { $0 == "start:migrate" }.count == 1)
    }

    @Test("A migration that was killed resumes at the next launch")
    func resumes() {
        var killed = Walk(through: [.launch])
        let first = migration(in: killed.handle(.storeLegacy))
        // The process ends here; the store has the claim, and the session.
        var relaunched = Walk(through: [.launch])
        let legacy = AuthFlow.Legacy(id: anna.legacy, claimedBy: anna.user.id)
        let second = migration(in: answer(&relaunched, legacy: legacy))
        #expect(first == second)
        #expect(first?.from == anna.legacy)
        #expect(first?.to == anna.user.id)
        relaunched.handle(.migrated)
        relaunched.handle(.profileFound)
        #expect(relaunched.situation == .signedIn)
    }

    @Test("A failed migration keeps the session and is retried")
    func failedMigration() {
        var walk = Walk(through: Situation.migrating.path)
        let failed = walk.handle(.failed)
        #expect(failed.map(\.word) == ["publish"])
        #expect(walk.flow.failure == .serverFailed)
        #expect(walk.flow.simple == .loading)
        #expect(migration(in: walk.handle(.retry))?.from == anna.legacy)
        #expect(walk.flow.failure == nil)
    }

    @Test("A migration is skipped if the id is absent, invalid, unchanged or another's")
    func skipped() {
        // An invalid id counts as none.
        #expect(AuthFlow.UserID("") == nil)
        #expect(AuthFlow.UserID("a\0b") == nil)
        #expect(AuthFlow.UserID(String(repeating: "a", count: 256)) == nil)
        let skipping: [AuthFlow.Legacy?] = [
            nil,
            AuthFlow.Legacy(id: anna.user.id),
            AuthFlow.Legacy(id: anna.legacy, claimedBy: bert.user.id),
        ]
        for legacy in skipping {
            var walk = Walk(AuthFlow.Configuration(), through: [.launch])
            #expect(answer(&walk, legacy: legacy) == [.publish(.signedIn(anna.user))])
        }
    }

    @Test("Ids are compared by their bytes")
    func bytes() throws {
        let composed = try #require(AuthFlow.UserID("\u{e9}"))
        let decomposed = try #require(AuthFlow.UserID("e\u{301}"))
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        var flow = AuthFlow()
        guard case .start(_, let number) = flow.handle(.asked(.launch)).first else { return }
        let standing = AuthFlow.Standing(legacy: AuthFlow.Legacy(id: decomposed))
        let effects = flow.handle(
            .answered(.store(.signedIn(AuthFlow.User(id: composed), standing)), number))
        #expect(migration(in: effects)?.from == decomposed)
    }

    @Test("A missing profile differs from a failed request for one")
    func absentIsNoError() {
        var absent = Walk(through: Situation.loadingProfile.path)
        absent.handle(.profileAbsent)
        var failed = Walk(through: Situation.loadingProfile.path)
        failed.handle(.failed)
        #expect(absent.flow.onboarding == .profile)
        #expect(failed.flow.onboarding == .waiting)
        #expect(failed.flow.failure == .serverFailed)
    }

    @Test("A store's four answers lead to four states")
    func fourAnswers() {
        let kinds: [EventKind] = [.storeProfile, .storeSignedOut, .storeLocked, .storeUnavailable]
        let situations = kinds.map { Walk(through: [.launch, $0]).situation }
        #expect(situations == [.signedIn, .guest, .locked, .unavailable])
        let routes = kinds.map { Walk(through: [.launch, $0]).flow.route }
        #expect(routes == [.content, .signIn, .unlock, .storeProblem])
    }

    private static let configurations = [AuthFlow.ProfileRule.none, .optional, .required].map {
        AuthFlow.Configuration(profile: $0)
    }

    private func answer(_ walk: inout Walk, legacy: AuthFlow.Legacy?) -> [AuthFlow.Effect] {
        guard let number = walk.begun.last else { return [] }
        let standing = AuthFlow.Standing(legacy: legacy)
        return walk.handle(.answered(.store(.signedIn(anna.user, standing)), number))
    }

    private func migration(in effects: [AuthFlow.Effect]) -> AuthFlow.Migration? {
        for case .start(.migrate(let migration), _) in effects { return migration }
        return nil
    }
}
