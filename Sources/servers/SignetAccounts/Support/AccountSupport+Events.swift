// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

extension AccountSupport {
    /// Something that support did. Events are only added, and deleted after 400 days
    /// (``AccountSweep``).
    public struct Event: Sendable {
        /// What was done.
        public struct Act: Sendable, Hashable {
            /// The name.
            public let name: String

            /// A user was looked up, or looked for.
            public static let lookedUp = Act(name: "looked-up")
            /// Users were listed.
            public static let listed = Act(name: "listed")
            /// A user was banned, and the user's sessions ended (``Event/bannedUntil``).
            public static let banned = Act(name: "banned")
            /// A ban was lifted.
            public static let banLifted = Act(name: "ban-lifted")
            /// A user's sessions were ended.
            public static let sessionsEnded = Act(name: "sessions-ended")
            /// Second factors and recovery codes were removed, and the sessions ended.
            public static let secondFactorsRemoved = Act(name: "second-factors-removed")
            /// The password was removed, and the sessions ended.
            public static let passwordRemoved = Act(name: "password-removed")
            /// What was used up of the user's limits was given back.
            public static let limitsGivenBack = Act(name: "limits-given-back")
        }

        /// The identifier of the event.
        public let id: String
        /// When, by the database's clock.
        public let at: NumericDate
        /// Whom it was done to; nil for a list, and where nobody was found. It stays when the user is
        /// deleted.
        public let userID: String?
        /// What was done.
        public let act: Act
        /// Until when, for a ban.
        public let bannedUntil: NumericDate?
        /// Who did it.
        public let actor: String
        /// Why.
        public let reason: String
        /// `at` in milliseconds, as stored.
        let milliseconds: Int64

        /// Reads `id`, `at`, `user_id`, `act`, `actor` and `reason`.
        init(_ row: SQLRow) throws(AccountError) {
            id = try row.text(0)
            at = try row.time(1)
            milliseconds = try row.integer(1)
            userID = row.isNull(2) ? nil : try row.text(2)
            let text = try row.text(3)
            bannedUntil = Act.end(ofBan: text)
            act = bannedUntil == nil ? Act(name: text) : .banned
            actor = try row.text(4)
            reason = try row.text(5)
        }
    }
}

// The end of a ban is part of the stored act, `banned/1796083200000`: the table has no column for
// it.
extension AccountSupport.Event.Act {
    /// The text to store.
    fileprivate func text(until end: Int64?) -> String {
        end.map { "\(name)/\($0)" } ?? name
    }

    /// The end in the stored text of a ban; nil for any other act, and for a ban without one.
    fileprivate static func end(ofBan text: String) -> NumericDate? {
        let prefix = "\(banned.name)/".utf8
        guard text.utf8.starts(with: prefix),
            let milliseconds = Int64(
                String(decoding: text.utf8.dropFirst(prefix.count), as: UTF8.self))
        else { return nil }
        return NumericDate(secondsSince1970: Double(milliseconds) / 1000)
    }
}

/// Who acts, and why: checked before anything is done.
struct SupportNote: Sendable {
    private let actor: String
    private let reason: String

    /// - Throws: `invalidParameter`.
    init(by actor: String, reason: String) throws(AccountError) {
        try Self.check(actor, named: "by", upTo: AccountSupport.maximumActorByteCount)
        try Self.check(reason, named: "reason", upTo: AccountSupport.maximumReasonByteCount)
        self.actor = actor
        self.reason = reason
    }

    /// Writes an event.
    ///
    /// - Parameter end: the end of a ban, in milliseconds since 1970.
    func record(
        _ act: AccountSupport.Event.Act, until end: Int64? = nil, of user: String?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(
            SupportStatements.addEvent,
            values: [
                .text(try randomIdentifier()), user.map(SQLValue.text) ?? .null,
                .text(act.text(until: end)), .text(actor), .text(reason),
            ])
    }

    private static func check(
        _ text: String, named name: StaticString, upTo count: Int
    ) throws(AccountError) {
        // A text of spaces alone tells nothing.
        guard text.utf8.count <= count, text.utf8.contains(where: { $0 > 0x20 }),
            text.unicodeScalars.allSatisfy(\.isShownInLine)
        else {
            throw AccountError(
                .invalidParameter,
                "\(shown: name.description) has 1 to \(count) bytes, not only spaces, and no "
                    + "character that ends a line or changes how the text around it is shown.")
        }
    }
}
