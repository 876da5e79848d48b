// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// Something that happened.
    public enum Event: Sendable, Equatable {
        /// The person or the app made a request.
        case asked(Intent)
        /// An action ended. The number is from its ``Effect/start(_:_:)``.
        case answered(Answer, Generation)
        /// The session manager reports about its session. The number belongs to the action that
        /// brought this session: ``Action/readStore``, ``Action/unlock`` or
        /// ``Action/keepSession(_:)``.
        case session(SessionChange, Generation)
    }

    /// A request of a person or the app.
    ///
    /// While an action is in flight, only ``cancel``, ``signOut`` and ``lock`` are accepted; every
    /// other request is refused as ``Refusal/busy``. A request that does not fit the state is
    /// refused as ``Refusal/notHere``.
    public enum Intent: Sendable, Equatable {
        /// Read the store: the only way to a stored session.
        case launch
        /// Send a code, or send a new code.
        case sendCode(Destination)
        /// Verify a code that was sent to the address of the state.
        case verify(Code)
        /// Sign in at a provider.
        case signIn(Provider)
        /// Save the profile.
        case submitProfile(ProfileDraft)
        /// Delete the account at the server, and then the local data.
        case deleteAccount
        /// Unlock the store. The driver has the passphrase.
        case unlock
        /// Lock the store, if it has or may have a session.
        case lock
        /// End the session, in every state.
        case signOut
        /// Cancel the action in flight.
        case cancel
        /// Return from the code to the address.
        case back
        /// Repeat the action that failed: reading the store, a migration, or loading a profile.
        case retry
    }

    /// The result of an action.
    public enum Answer: Sendable, Equatable {
        /// The store's state: the answer to ``Action/readStore`` and ``Action/unlock``.
        case store(StoreState)
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
        /// The server says that there is no profile. A missing answer does not count.
        case profileAbsent
        /// The profile was saved.
        case profileSaved
        /// The server has deleted the account.
        case accountDeleted
        /// The action failed.
        case failed(Failure)
    }

    /// The state of a store. The four cases are never confused.
    public enum StoreState: Sendable, Equatable {
        /// The session of this user.
        case signedIn(User, Standing)
        /// No session: the store was read.
        case signedOut
        /// The store is locked, or still locked after an attempt to unlock it.
        case locked
        /// The store is damaged or unreachable.
        case unavailable(Failure)
    }

    /// The known facts about a user besides the session.
    public struct Standing: Sendable, Equatable {
        /// Whether a complete profile is in the cache.
        public let hasProfile: Bool
        /// An old local user id whose migration is not finished.
        public let legacy: Legacy?

        /// Makes a standing.
        public init(hasProfile: Bool = false, legacy: Legacy? = nil) {
            self.hasProfile = hasProfile
            self.legacy = legacy
        }
    }

    /// A report of the session manager about the session.
    public enum SessionChange: Sendable, Equatable {
        /// The session has new tokens, which are stored.
        case tokenRefreshed
        /// The account has a new address, or the session has a different user.
        case userUpdated(User)
        /// The session was ended, here or by another process.
        case signedOut
        /// The server no longer accepts the session.
        case ended
        /// The store was locked.
        case locked
        /// The server is unreachable. The session stays.
        case offline
    }
}
