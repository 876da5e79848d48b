// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// Where a client stands. None of the states has a token or a code.
    public enum State: Sendable, Equatable {
        /// Before the launch, and while the store is read.
        case checking
        /// The store could not be read: damaged, or not reached. That is not "signed out".
        case unavailable(Failure)
        /// Without a session: a guest, or not signed in, as ``Configuration/allowsGuests`` says.
        case guest
        /// A code is on its way to this address, and only to it.
        case codeSent(Destination)
        /// At a provider. A cancelled or failed sign-in returns to where it began: to the code
        /// that was sent to `after`, else to ``guest``.
        case authenticating(Provider, after: Destination?)
        /// The sign-in is done, and its session is being written.
        case keeping(User)
        /// What belongs to an old local user id is being moved.
        case migrating(Migration)
        /// There is a session, and not known whether there is a profile.
        case loadingProfile(User)
        /// There is a session, and no profile.
        case needsProfile(User)
        /// The store is locked. What it holds is forgotten here, and read again when it is
        /// unlocked.
        case locked
        /// Signed in.
        case signedIn(User)
    }

    /// A move of local records from an old local user id to that of an account.
    public struct Migration: Sendable, Hashable {
        /// The old local id.
        public let from: UserID
        /// The user who takes the records over.
        public let user: User

        /// The id of the account.
        public var to: UserID { user.id }
    }
}
