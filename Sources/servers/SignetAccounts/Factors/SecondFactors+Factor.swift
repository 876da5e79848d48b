// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

extension SecondFactors {
    /// A second factor of a user, without its key.
    public struct Factor: Sendable {
        /// Distinguishes what a person shows.
        public struct Kind: Sendable, Hashable {
            /// The name, as it is stored.
            public let name: String

            /// A code of a device: an app or a token.
            public static let code = Kind(name: "code")
        }

        /// The identifier, a random UUID. It is no secret. A factor from before users had several
        /// has its user's.
        public let id: String
        /// What the user calls it; may be empty.
        public let name: String
        /// What a person shows.
        public let kind: Kind
        /// Whether a first code has confirmed it. Until then it proves nothing, and it ends after
        /// ten minutes.
        public let isConfirmed: Bool
        /// When it was added.
        public let addedAt: NumericDate
        /// When it was added or confirmed.
        public let changedAt: NumericDate

        /// Reads `id`, `name`, `kind`, `confirmed`, `added_at` and `changed_at`, the first columns of a
        /// row.
        init(_ row: SQLRow) throws(AccountError) {
            id = try row.text(0)
            name = try row.text(1)
            kind = Kind(name: try row.text(2))
            isConfirmed = try row.integer(3) == 1
            addedAt = try row.time(4)
            changedAt = try row.time(5)
        }
    }
}
