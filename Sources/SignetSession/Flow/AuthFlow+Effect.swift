// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// What a driver is to do.
    public enum Effect: Sendable, Equatable {
        /// Begin an action, and hand its answer back with this number.
        case start(Action, Generation)
        /// Stop this action if it still runs. A session that it brings all the same is not kept,
        /// and ended at the server.
        case abandon(Generation)
        /// Remove the session, the cached profile and all else that belongs to the user; no action
        /// that was begun before may write afterwards. Only then, and if `revoking`, tell the
        /// server, whose answer is not waited for. An old local id that is not migrated yet stays.
        case clearLocal(revoking: Bool)
        /// Lock the store, and wipe what was read from it; no unlocking that was begun before may
        /// open it afterwards.
        case lockStore
        /// Load the profile beside all else. It has no answer, and what it brings is dropped once
        /// this user is not signed in any more.
        case refreshProfile(User)
        /// Show this state.
        case publish(State)
        /// What was asked for is not done.
        case refused(Refusal)
    }

    /// Why something that was asked for is not done.
    public enum Refusal: Sendable, Equatable {
        /// An action is in flight.
        case busy
        /// It does not fit the state.
        case notHere
    }

    /// What takes time and has an answer.
    public enum Action: Sendable, Equatable {
        /// Read what the store holds, and what migration is pending.
        case readStore
        /// Unlock the store and read it.
        case unlock
        /// Send a code.
        case sendCode(Destination)
        /// Verify a code that was sent to this address.
        case verify(Code, Destination)
        /// Sign in at a provider.
        case signIn(Provider)
        /// Write the session that came with the answer before, durably.
        case keepSession(User)
        /// Move the records of an old local id. First the claim on it is written down
        /// (``Legacy/claimedBy``), last the old id removed; to do it again after a kill, at any
        /// point, has the same outcome as to do it once.
        case migrate(Migration)
        /// Ask whether there is a profile.
        case loadProfile(User)
        /// Save a profile.
        case saveProfile(ProfileDraft, User)
        /// Delete the account at the server.
        case deleteAccount(User)
    }
}

extension AuthFlow.Action {
    enum Kind: Sendable, Equatable {
        case readStore
        case unlock
        case sendCode
        case verify
        case signIn
        case keepSession
        case migrate
        case loadProfile
        case saveProfile
        case deleteAccount
    }

    var kind: Kind {
        switch self {
        case .readStore: .readStore
        case .unlock: .unlock
        case .sendCode: .sendCode
        case .verify: .verify
        case .signIn: .signIn
        case .keepSession: .keepSession
        case .migrate: .migrate
        case .loadProfile: .loadProfile
        case .saveProfile: .saveProfile
        case .deleteAccount: .deleteAccount
        }
    }

    /// Where a code goes to that is being sent.
    var destination: AuthFlow.Destination? {
        if case .sendCode(let destination) = self { destination } else { nil }
    }
}
