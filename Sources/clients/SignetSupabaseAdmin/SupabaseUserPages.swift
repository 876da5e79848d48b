// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE
public import SignetSupabase

/// All users of a project, page by page (``SupabaseAdmin/users(pageSize:fromPage:)``).
///
/// The pages end with the first that is empty: a server may send shorter ones than were asked for.
/// GoTrue counts pages from the newest user. So a user who signs up meanwhile moves one to the next
/// page, where it comes again, and a user who is deleted meanwhile moves one to the page before,
/// where it is **missed**: to delete many users, collect their ids first.
///
/// The iteration ends with an error after ``SupabaseAdmin/user(_:)``'s rules, with `invalidInput`
/// for a page size that is not 1 to 1,000, and with `invalidAnswer` if the server sends a page again
/// and again, or more users than were asked for, or an answer that is too long or too deep. A user
/// whose own metadata make it so hides the users after them: begin again at the next page.
public struct SupabaseUserPages: AsyncSequence, Sendable {
    /// The users of a page.
    public typealias Element = [SupabaseUser]
    /// Why a page could not be read.
    public typealias Failure = SupabaseError

    let admin: SupabaseAdmin
    let pageSize: Int
    let first: Int

    /// An iterator from the first of these pages.
    public func makeAsyncIterator() -> Iterator {
        Iterator(admin: admin, pageSize: pageSize, first: first)
    }

    /// Gets one page after another.
    public struct Iterator: AsyncIteratorProtocol {
        let admin: SupabaseAdmin
        let pageSize: Int
        private var number: Int
        private var readCount = 0
        private var hasEnded = false
        /// The ids of an earlier page, which was the first, second, fourth, eighth …: a server that
        /// sends the same pages again, in a circle of any length, is found with the memory of one
        /// page. Once is none: as many may have signed up meanwhile as a page has users.
        private var kept: [[UInt8]] = []
        private var repetitionCount = 0

        init(admin: SupabaseAdmin, pageSize: Int, first: Int) {
            self.admin = admin
            self.pageSize = pageSize
            number = first
        }

        /// The next page; nil after the last one, and after an error.
        public mutating func next() async throws(SupabaseError) -> [SupabaseUser]? {
            guard !hasEnded else { return nil }
            // Until a whole page has been read.
            hasEnded = true
            guard (1...1_000).contains(pageSize) else {
                throw SupabaseError(.invalidInput, "A page has 1 to 1,000 users.")
            }
            guard (1...1_000_000_000).contains(number) else {
                throw SupabaseError(.invalidInput, "A page's number is 1 to 1,000,000,000.")
            }
            let answer = try await admin.send(
                .get, to: "users", query: [("page", "\(number)"), ("per_page", "\(pageSize)")])
            let page = try users(of: answer.object())
            guard !page.isEmpty else { return nil }
            let ids = page.map { Array($0.id.utf8) }
            if ids == kept { repetitionCount += 1 }
            guard repetitionCount < 2 else {
                throw SupabaseError(.invalidAnswer, "The server sends the same page again.")
            }
            readCount += 1
            if repetitionCount == 0, readCount & (readCount - 1) == 0 { kept = ids }
            number += 1
            hasEnded = false
            return page
        }

        private func users(of root: JSONNode) throws(SupabaseError) -> [SupabaseUser] {
            guard let node = root.member("users"), node.kind == .array else {
                throw SupabaseError(.invalidAnswer, "The answer has no list of users.")
            }
            var users: [SupabaseUser] = []
            for element in node.elements {
                guard users.count < pageSize else {
                    throw SupabaseError(
                        .invalidAnswer, "The page has more than \(pageSize) users.")
                }
                users.append(try SupabaseUser(element))
            }
            return users
        }
    }
}
