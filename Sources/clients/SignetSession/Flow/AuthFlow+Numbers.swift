// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// The number of an action, unique within a flow.
    public struct Generation: Sendable, Hashable, CustomStringConvertible {
        let number: UInt64

        init(_ number: UInt64) { self.number = number }

        // An app that begins an action each nanosecond reaches the end after 584 years.
        var next: Generation { Generation(number &+ 1) }

        /// The number.
        public var description: String { "#\(number)" }
    }

    /// Why something failed: a stable code, for the app's own sentence.
    ///
    /// An app may add its own codes. Never make a code from a server's text: codes are shown and
    /// logged.
    public struct Failure: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code.
        public let rawValue: String

        /// A failure by its code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code.
        public var description: String { rawValue }

        /// The server is unreachable. The session stays.
        public static let offline = Failure(rawValue: "offline")
        /// The server no longer accepts the session: sign in again.
        public static let sessionEnded = Failure(rawValue: "session_ended")
        /// The store is locked, still or again: the passphrase was wrong, or not given.
        public static let stillLocked = Failure(rawValue: "still_locked")
        /// The store is damaged.
        public static let storeDamaged = Failure(rawValue: "store_damaged")
        /// The store is unreachable.
        public static let storeUnreachable = Failure(rawValue: "store_unreachable")
        /// The session could not be stored.
        public static let sessionNotKept = Failure(rawValue: "session_not_kept")
        /// The code is wrong or has expired.
        public static let codeRejected = Failure(rawValue: "code_rejected")
        /// Too many attempts: wait.
        public static let tooManyAttempts = Failure(rawValue: "too_many_attempts")
        /// The sign-in failed.
        public static let signInFailed = Failure(rawValue: "sign_in_failed")
        /// The address of the account does not belong to the organisation.
        public static let unauthorizedDomain = Failure(rawValue: "unauthorized_domain")
        /// Not all records of the old local id were moved. They are still there.
        public static let migrationFailed = Failure(rawValue: "migration_failed")
        /// The username is taken.
        public static let usernameTaken = Failure(rawValue: "username_taken")
        /// The account was not deleted.
        public static let deletionFailed = Failure(rawValue: "deletion_failed")
        /// The server answered with an error.
        public static let serverFailed = Failure(rawValue: "server_failed")
    }
}
