// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The handling of the answers of the action in flight: each kind of action has its own answers, and
// leads on to the next state.
extension AuthFlow {
    mutating func answered(_ answer: Answer, to flight: Flight) -> [Effect] {
        switch (flight.kind, answer, state) {
        case (.readStore, .store(let store), _), (.unlock, .store(let store), _):
            return takeOver(store, by: flight)
        case (.readStore, .failed(let failure), _):
            return endAction(in: .unavailable(failure))
        case (.sendCode, .codeSent, _):
            return endAction(in: flight.destination.map { .codeSent($0) } ?? state)
        case (.verify, .signedIn(let user), _), (.signIn, .signedIn(let user), _):
            return storeSession(of: user)
        case (.signIn, .failed(let failure), .authenticating(_, let destination)):
            return endAction(in: Self.stateBefore(signInAfter: destination), because: failure)
        case (.keepSession, .kept(let standing), .keeping(let user)):
            return migrateOrSignIn(user, standing: standing)
        case (.keepSession, .failed(let failure), _):
            // The action has ended: there is nothing to abandon.
            self.flight = nil
            return end(revoking: true, because: failure)
        case (.migrate, .migrated, .migrating(let migration)):
            return askForProfile(of: migration.user, isKnown: false)
        case (.loadProfile, .profileFound, .loadingProfile(let user)),
            (.saveProfile, .profileSaved, .needsProfile(let user)):
            return endAction(in: .signedIn(user))
        case (.loadProfile, .profileAbsent, .loadingProfile(let user)):
            return endAction(in: .needsProfile(user))
        case (.deleteAccount, .accountDeleted, _):
            self.flight = nil
            return end(revoking: false)
        case (_, .failed(let failure), _):
            return endAction(in: state, because: failure)
        default:
            // An answer of another action's kind: a mistake of the driver, and no reason to change
            // state.
            return []
        }
    }

    /// Goes on from what the store has.
    private mutating func takeOver(_ store: StoreState, by flight: Flight) -> [Effect] {
        switch store {
        case .signedIn(let user, let standing):
            session = flight.generation
            return migrateOrSignIn(user, standing: standing)
        case .signedOut:
            // A cached profile without a session belongs to a user who signed out.
            self.flight = nil
            return end(revoking: false)
        case .locked:
            return endAction(in: .locked, because: flight.kind == .unlock ? .stillLocked : nil)
        case .unavailable(let failure):
            return endAction(in: .unavailable(failure))
        }
    }

    /// Has the driver store the session of a sign-in, before anything shows the user as signed in.
    private mutating func storeSession(of user: User) -> [Effect] {
        state = .keeping(user)
        let effects = start(.keepSession(user))
        session = flight?.generation
        return effects
    }

    /// Migrates the old local id that becomes this user, if there is one. The migration comes
    /// before anything that shows the user as signed in.
    private mutating func migrateOrSignIn(_ user: User, standing: Standing) -> [Effect] {
        guard let legacy = standing.legacy, legacy.migrates(to: user) else {
            return askForProfile(of: user, isKnown: standing.hasProfile)
        }
        let migration = Migration(from: legacy.id, user: user)
        state = .migrating(migration)
        return start(.migrate(migration))
    }

    /// Signs the user in, unless the app requires a profile that is not known to be there.
    mutating func askForProfile(of user: User, isKnown: Bool) -> [Effect] {
        guard configuration.profile == .required, !isKnown else {
            _ = endAction(in: .signedIn(user))
            return configuration.profile == .none ? [] : [.refreshProfile(user)]
        }
        state = .loadingProfile(user)
        return start(.loadProfile(user))
    }
}
