// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE
public import SignetSupabase

/// All users of a project, page by page (``SupabaseAdmin/users(pageSize:)``).
///
/// The pages end with the first that is empty: a server may send shorter ones than were asked for.
/// GoTrue counts pages from the newest user. So a user who signs up meanwhile moves one to the next
/// page, where it comes again, and a user who is deleted meanwhile moves one to the page before,
/// where it is **missed**: to delete many users, collect their ids first.
///
/// The iteration ends with an error after ``SupabaseAdmin/user(_:)``'s rules, with `invalidInput`
/// for a page size that is not 1 to 1,000, and with `invalidAnswer` if the server sends a page
/// again, or more users than were asked for.
public struct SupabaseUserPages: AsyncSequence, Sendable {
    /// The users of a page.
    public typealias Element = [SupabaseUser]
    /// Why a page could not be read.
    public typealias Failure = SupabaseError

    let admin: SupabaseAdmin
    let pageSize: Int

    /// An iterator from the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(admin: admin, pageSize: pageSize) }

    /// Gets one page after another.
    public struct Iterator: AsyncIteratorProtocol {
        let admin: SupabaseAdmin
        let pageSize: Int
        private var number = 0
        private var hasEnded = false
        /// The ids of an earlier page, whose number is a power of two: a server that sends the same
        /// pages again, in a circle of any length, is found with the memory of one page.
        private var kept: [String] = []

        init(admin: SupabaseAdmin, pageSize: Int) {
            self.admin = admin
            self.pageSize = pageSize
        }

        /// The next page; nil after the last one, and after an error.
        public mutating func next() async throws(SupabaseError) -> [SupabaseUser]? {
            guard !hasEnded else { return nil }
            // Until a whole page has been read.
            hasEnded = true
            guard (1...1_000).contains(pageSize) else {
                throw SupabaseError(.invalidInput, "A page has 1 to 1,000 users.")
            }
            number += 1
            let answer = try await admin.send(
                .get, to: "users", query: [("page", "\(number)"), ("per_page", "\(pageSize)")])
            let page = try users(of: answer.object())
            guard !page.isEmpty else { return nil }
            let ids = page.map(\.id)
            guard ids != kept else {
                throw SupabaseError(.invalidAnswer, "The server sends the same page again.")
            }
            if number & (number - 1) == 0 { kept = ids }
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
