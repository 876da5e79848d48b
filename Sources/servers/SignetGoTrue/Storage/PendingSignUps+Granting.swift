// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension PendingSignUps {
    /// A waiting request, read when a code is used. ``granted(_:isShown:needsSession:)`` decides
    /// from all of them what the code grants.
    struct Waiting: Sendable {
        private var row: Row
        /// Whether the client shows this request's challenge.
        private let isOwn: Bool
        /// Whether the row stands for all refused requests, and holds what they agree on.
        private let isRefused: Bool
        /// Whether an earlier version marked the row as contested.
        private let isContested: Bool
        /// Whether the row's end is plausible; false if a clock was set back.
        private let isLive: Bool

        /// The values of the column `contested`, which is 0 in the row of a single request.
        private static let contested: Int64 = 1
        private static let refused: Int64 = 2

        /// - Parameters:
        ///   - stored: the columns that `takeStatement` returns: request, creates, user_id, hash,
        ///     metadata, session_id, contested, and 1 if the end is plausible.
        ///   - own: the name of the request whose challenge is shown.
        init(_ stored: SQLRow, own: SQLValue) throws(AccountError) {
            isOwn = own == .bytes(try stored.bytes(0))
            row = Row(creates: try stored.integer(1) == 1)
            row.userID = stored.isNull(2) ? nil : try stored.text(2)
            row.hash = stored.isNull(3) ? nil : try stored.text(3)
            row.metadata = stored.isNull(4) ? nil : try stored.text(4)
            row.sessionID = stored.isNull(5) ? nil : try stored.text(5)
            let mark = try stored.integer(6)
            isRefused = mark == Self.refused
            isContested = mark == Self.contested
            isLive = try stored.integer(7) == 1
        }

        /// Decides what a code grants: with a challenge, what the request with this challenge asks
        /// for; without a challenge, what all waiting requests agree on.
        static func granted(_ waiting: [Waiting], isShown: Bool, needsSession: Bool) -> Row {
            var granted = Row(creates: waiting.contains { $0.isLive && $0.row.creates })
            let asked = isShown ? waiting.filter(\.isOwn) : waiting
            // A doubtful row may disagree with the others, and refused requests alone were sent no
            // code: then the code grants none of their values.
            guard asked.allSatisfy({ $0.isLive && !$0.isContested }),
                asked.contains(where: { !$0.isRefused })
            else { return granted }
            granted.hash = agreed(asked.map(\.row.hash))
            granted.metadata = agreed(asked.map(\.row.metadata))
            if !needsSession || asked.contains(where: { $0.row.sessionID != nil }) {
                granted.userID = agreed(asked.map(\.row.userID))
            }
            return granted
        }

        /// The value that all requests have; nil if a value differs or is missing.
        private static func agreed(_ values: [String?]) -> String? {
            guard let first = values.first, let first,
                values.allSatisfy({ $0?.utf8.elementsEqual(first.utf8) == true })
            else { return nil }
            return first
        }
    }
}
