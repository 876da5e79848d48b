// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// The state of a client. No state holds a token or a code.
    public enum State: Sendable, Equatable {
        /// Before the launch, and while the store is being read.
        case checking
        /// The store could not be read: damaged or unreachable. This does not mean "signed out".
        case unavailable(Failure)
        /// No session: a guest, or not signed in, depending on ``Configuration/allowsGuests``.
        case guest
        /// A code was sent to this address, and to no other.
        case codeSent(Destination)
        /// At a provider. A cancelled or failed sign-in returns to where it began: to the code that
        /// was sent to `after`, or to ``guest``.
        case authenticating(Provider, after: Destination?)
        /// The sign-in succeeded, and its session is being stored.
        case keeping(User)
        /// The data of an old local user id is being moved.
        case migrating(Migration)
        /// There is a session. Whether there is a profile is not known yet.
        case loadingProfile(User)
        /// There is a session, and no profile.
        case needsProfile(User)
        /// The store is locked. Its content is forgotten, and read again after an unlock.
        case locked
        /// Signed in.
        case signedIn(User)
    }

    /// A move of local records from an old local user id to an account's id.
    public struct Migration: Sendable, Hashable {
        /// The old local id.
        public let from: UserID
        /// The user who receives the records.
        public let user: User

        /// The id of the account.
        public var to: UserID { user.id }
    }
}
