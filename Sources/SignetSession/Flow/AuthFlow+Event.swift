// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// What happened.
    public enum Event: Sendable, Equatable {
        /// The person or the app asked for something.
        case asked(Intent)
        /// An action ended. The number is that of its ``Effect/start(_:_:)``.
        case answered(Answer, Generation)
        /// The session manager says something of its session. The number is that of the action that
        /// brought this session: ``Action/readStore``, ``Action/unlock`` or
        /// ``Action/keepSession(_:)``.
        case session(SessionChange, Generation)
    }

    /// What a person or the app asks for.
    ///
    /// While an action is in flight, all but ``cancel``, ``signOut`` and ``lock`` are refused as
    /// ``Refusal/busy``; what does not fit the state is refused as ``Refusal/notHere``.
    public enum Intent: Sendable, Equatable {
        /// Read the store: the only way to a session that was kept.
        case launch
        /// Send a code, or send one again.
        case sendCode(Destination)
        /// Verify a code that was sent to the address of the state.
        case verify(Code)
        /// Sign in at a provider.
        case signIn(Provider)
        /// Save the profile.
        case submitProfile(ProfileDraft)
        /// Delete the account at the server, and then what is here.
        case deleteAccount
        /// Unlock the store. The driver has the passphrase.
        case unlock
        /// Lock the store, where a session is or may be in it.
        case lock
        /// End the session, in every state.
        case signOut
        /// Give up the action in flight.
        case cancel
        /// Return from the code to the address.
        case back
        /// Do again what failed: the reading of the store, a migration, the loading of a profile.
        case retry
    }

    /// How an action ended.
    public enum Answer: Sendable, Equatable {
        /// What the store holds: the answer of ``Action/readStore`` and ``Action/unlock``.
        case store(StoreAnswer)
        /// A code was sent.
        case codeSent
        /// The server accepted the code, or the provider's sign-in. Nothing is stored yet.
        case signedIn(User)
        /// The session was written.
        case kept(Standing)
        /// All records belong to the account, and the old local id is removed.
        case migrated
        /// There is a profile.
        case profileFound
        /// There is none: the server says so, and not merely no answer.
        case profileAbsent
        /// The profile was saved.
        case profileSaved
        /// The server has deleted the account.
        case accountDeleted
        /// The action failed.
        case failed(Failure)
    }

    /// What a store holds. The four are never taken for each other.
    public enum StoreAnswer: Sendable, Equatable {
        /// The session of this user.
        case signedIn(User, Standing)
        /// No session: the store was read.
        case signedOut
        /// The store is locked, or still is.
        case locked
        /// The store is damaged or was not reached.
        case unavailable(Failure)
    }

    /// What is known of a user beside the session.
    public struct Standing: Sendable, Equatable {
        /// Whether a complete profile is in the cache.
        public let hasProfile: Bool
        /// An old local user id whose migration is not finished.
        public let legacy: Legacy?

        /// What is known of a user.
        public init(hasProfile: Bool = false, legacy: Legacy? = nil) {
            self.hasProfile = hasProfile
            self.legacy = legacy
        }
    }

    /// What the session manager says of the session.
    public enum SessionChange: Sendable, Equatable {
        /// It has new tokens, and has stored them.
        case tokenRefreshed
        /// The account has another address, or the session another user.
        case userUpdated(User)
        /// The session was ended, here or by another process.
        case signedOut
        /// The server does not accept the session any more.
        case ended
        /// The store was locked.
        case locked
        /// The server was not reached. The session stays.
        case offline
    }
}
