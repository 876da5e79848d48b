// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension PendingSignUps {
    /// A waiting request, read when a code is used.
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

        /// - Parameter own: the name of the request whose challenge is shown.
        init(_ row: SQLRow, own: SQLValue) throws(AccountError) {
            isOwn = own == .bytes(try row.bytes(0))
            self.row = Row(creates: try row.integer(1) == 1)
            self.row.userID = row.isNull(2) ? nil : try row.text(2)
            self.row.hash = row.isNull(3) ? nil : try row.text(3)
            self.row.metadata = row.isNull(4) ? nil : try row.text(4)
            self.row.sessionID = row.isNull(5) ? nil : try row.text(5)
            isRefused = try row.integer(6) == 2
            isContested = try row.integer(6) == 1
            isLive = try row.integer(7) == 1
        }

        /// Decides what a code grants: with a challenge, what the request with this challenge asks
        /// for; without a challenge, what all waiting requests agree on.
        static func granted(_ waiting: [Waiting], isShown: Bool, needsSession: Bool) -> Row {
            var granted = Row(creates: waiting.contains { $0.isLive && $0.row.creates })
            let asked = isShown ? waiting.filter(\.isOwn) : waiting
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
