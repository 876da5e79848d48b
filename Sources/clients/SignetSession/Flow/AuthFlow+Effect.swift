// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// The work that a driver must do.
    public enum Effect: Sendable, Equatable {
        /// Begin an action, and return its answer with this number.
        case start(Action, Generation)
        /// Stop this action if it still runs. If the action still brings a session, do not keep the
        /// session, and end it at the server.
        case abandon(Generation)
        /// Remove the session, the cached profile and everything else of the user; no earlier
        /// action may write afterwards. Only then, and if `revoking`, tell the server, without
        /// waiting for its answer. An old local id that is not migrated yet stays.
        case clearLocal(revoking: Bool)
        /// Lock the store, and wipe the values that were read from it; no earlier unlock may open
        /// it afterwards.
        case lockStore
        /// Load the profile in parallel. The work has no answer, and its result is dropped once
        /// this user is no longer signed in.
        case refreshProfile(User)
        /// Show this state.
        case publish(State)
        /// The request was refused.
        case refused(Refusal)
    }

    /// Why a request was refused.
    public enum Refusal: Sendable, Equatable {
        /// An action is in flight.
        case busy
        /// The request does not fit the state.
        case notHere
    }

    /// Work that takes time and has an answer.
    public enum Action: Sendable, Equatable {
        /// Read the store, and find a pending migration.
        case readStore
        /// Unlock the store and read it.
        case unlock
        /// Send a code.
        case sendCode(Destination)
        /// Verify a code that was sent to this address.
        case verify(Code, Destination)
        /// Sign in at a provider.
        case signIn(Provider)
        /// Durably store the session that came with the previous answer.
        case keepSession(User)
        /// Move the records of an old local id. Record the claim on it first
        /// (``Legacy/claimedBy``), remove the old id last; repeating the action after a kill at any
        /// point has the same outcome as doing it once.
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

    /// The destination of the code that is being sent.
    var destination: AuthFlow.Destination? {
        if case .sendCode(let destination) = self { destination } else { nil }
    }
}
