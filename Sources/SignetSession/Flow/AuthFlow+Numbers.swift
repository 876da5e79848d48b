// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// The number of an action. Each action of a flow has another, and no number comes twice.
    public struct Generation: Sendable, Hashable, CustomStringConvertible {
        let number: UInt64

        init(_ number: UInt64) { self.number = number }

        // An app that begins an action each nanosecond is at the end after 584 years.
        var next: Generation { Generation(number &+ 1) }

        /// The number.
        public var description: String { "#\(number)" }
    }

    /// Why something failed: a stable code, for the app's own sentence.
    ///
    /// An app may add its own. What a server sent is never one: a code is shown and logged.
    public struct Failure: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code.
        public let rawValue: String

        /// A failure by its code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code.
        public var description: String { rawValue }

        /// The server was not reached. The session stays.
        public static let offline = Failure(rawValue: "offline")
        /// The server does not accept the session any more: sign in again.
        public static let sessionEnded = Failure(rawValue: "session_ended")
        /// The store is locked, still or again: the passphrase was wrong, or not given.
        public static let stillLocked = Failure(rawValue: "still_locked")
        /// The store is damaged.
        public static let storeDamaged = Failure(rawValue: "store_damaged")
        /// The store was not reached.
        public static let storeUnreachable = Failure(rawValue: "store_unreachable")
        /// The session was not written.
        public static let sessionNotKept = Failure(rawValue: "session_not_kept")
        /// The code is wrong or too old.
        public static let codeRejected = Failure(rawValue: "code_rejected")
        /// Too many attempts: wait.
        public static let tooManyAttempts = Failure(rawValue: "too_many_attempts")
        /// The sign-in failed.
        public static let signInFailed = Failure(rawValue: "sign_in_failed")
        /// The address of the account is not one of the organisation's.
        public static let unauthorizedDomain = Failure(rawValue: "unauthorized_domain")
        /// The records of the old local id were not all moved. They are still there.
        public static let migrationFailed = Failure(rawValue: "migration_failed")
        /// The username is another's.
        public static let usernameTaken = Failure(rawValue: "username_taken")
        /// The account was not deleted.
        public static let deletionFailed = Failure(rawValue: "deletion_failed")
        /// The server answered with an error.
        public static let serverFailed = Failure(rawValue: "server_failed")
    }
}
