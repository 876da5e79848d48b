// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// An account's id, or a local id from before accounts. Compared by its bytes.
    public struct UserID: Sendable, Hashable, Redacted {
        /// The id's UTF-8 bytes.
        public let bytes: [UInt8]

        /// An id of 1 to 255 bytes without control characters; nil for anything else.
        ///
        /// **Not** checked: that it is a UUID, if an app's ids are.
        public init?(_ text: String) {
            guard let bytes = personalBytes(text, atMost: 255) else { return nil }
            self.bytes = bytes
        }

        /// The id as text.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// A user as the session describes it.
    public struct User: Sendable, Hashable, Redacted {
        /// The id of the account.
        public let id: UserID
        /// The phone number or e-mail address of the account.
        public let contact: Destination?

        /// A user.
        public init(id: UserID, contact: Destination? = nil) {
            self.id = id
            self.contact = contact
        }
    }

    /// An old local user id whose records are not all moved to an account yet.
    public struct Legacy: Sendable, Hashable {
        /// The old local id.
        public let id: UserID
        /// The account that has begun to migrate the id: only this account may finish.
        public let claimedBy: UserID?

        /// An old local id, and the account that has claimed it.
        public init(id: UserID, claimedBy: UserID? = nil) {
            self.id = id
            self.claimedBy = claimedBy
        }

        /// Whether the id's records must move to this user: not if the id is the same, and not if
        /// their move to another user has begun.
        func migrates(to user: User) -> Bool {
            id != user.id && (claimedBy ?? user.id) == user.id
        }
    }
}
