// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE
public import SignetSupabase

// A user's id is a UUID, in any case. Anything else is refused before a request: in the path of an
// address it could name another resource.
extension SupabaseAdmin {
    /// A user; nil if there is none with this id.
    ///
    /// - Throws: `invalidInput` unless the id is a UUID; `keyRefused`; and the errors of every
    ///   call. A 404 without GoTrue's `user_not_found` is one: a wrong address is no absent user.
    public func user(_ id: String) async throws(SupabaseError) -> SupabaseUser? {
        let id = try Self.checked(id)
        do {
            return try Self.user(id, of: await send(.get, to: "users/" + id))
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }

    /// All users, page by page, from the newest to the oldest.
    ///
    /// ```swift
    /// for try await page in admin.users() { count += page.count }
    /// ```
    ///
    /// - Parameter pageSize: the number of users for each request, 1 to 1,000. A page has at most
    ///   8,388,608 bytes.
    public func users(pageSize: Int = 50) -> SupabaseUserPages {
        SupabaseUserPages(admin: self, pageSize: pageSize)
    }

    /// Changes a user.
    ///
    /// - Throws: `invalidInput` unless the id is a UUID, and for no change at all; `refused` with
    ///   `user_not_found`, or `email_exists`, `phone_exists`, `weak_password` and the like.
    @discardableResult
    public func update(
        _ id: String, with change: SupabaseAdminChange
    ) async throws(SupabaseError) -> SupabaseUser {
        guard change.members.values.contains(where: { $0 != nil }) else {
            throw SupabaseError(.invalidInput, "There is nothing to change.")
        }
        return try await put(id, members: change.members)
    }

    /// Shuts a user out for a time: they can neither sign in nor refresh a session.
    ///
    /// An access token that was issued stays valid until it expires, with every server that does
    /// not ask GoTrue.
    ///
    /// - Parameters:
    ///   - id: the user's id.
    ///   - duration: up to 876,000 hours (100 years), in whole seconds, rounded up.
    /// - Throws: `invalidInput` for a duration out of range; the errors of an update.
    @discardableResult
    public func ban(
        _ id: String, for duration: Duration
    ) async throws(SupabaseError) -> SupabaseUser {
        guard duration > .zero, duration <= .seconds(876_000 * 3_600) else {
            throw SupabaseError(.invalidInput, "A ban is over 0 s and at most 876,000 hours.")
        }
        // Go's form of a duration.
        return try await put(id, members: ["ban_duration": .string("\(duration.wholeSecondsUp)s")])
    }

    /// Ends a user's ban.
    @discardableResult
    public func liftBan(_ id: String) async throws(SupabaseError) -> SupabaseUser {
        try await put(id, members: ["ban_duration": "none"])
    }

    /// Deletes a user, with their sessions and identities. It succeeds for a user who is gone.
    ///
    /// Rows of yours that refer to the user go if their foreign key says `on delete cascade`; with
    /// a key that says nothing, GoTrue fails (`serverFailed`). Objects that the user owns in
    /// Supabase's storage have to be deleted first. An access token that was issued stays valid
    /// until it expires.
    ///
    /// - Parameters:
    ///   - id: the user's id.
    ///   - softly: whether the user's row stays, with hashes in place of the addresses. There is no
    ///     way back.
    /// - Throws: `invalidInput` unless the id is a UUID; `keyRefused`; and the errors of every
    ///   call.
    public func delete(_ id: String, softly: Bool = false) async throws(SupabaseError) {
        let id = try Self.checked(id)
        do {
            try await send(
                .delete, to: "users/" + id, members: ["should_soft_delete": .bool(softly)])
        } catch {
            guard error.isAbsence else { throw error }
        }
    }

    private func put(
        _ id: String, members: [String: JSONValue?]
    ) async throws(SupabaseError) -> SupabaseUser {
        let id = try Self.checked(id)
        return try Self.user(id, of: await send(.put, to: "users/" + id, members: members))
    }

    /// The answer's user, who has to be the one that was asked for.
    private static func user(
        _ id: String, of answer: SupabaseAnswer
    ) throws(SupabaseError) -> SupabaseUser {
        let user = try answer.user()
        guard user.id.utf8.lazy.map(\.lowercased).elementsEqual(id.utf8) else {
            throw SupabaseError(.invalidAnswer, "The answer is about another user.")
        }
        return user
    }

    /// The id in lower case.
    private static func checked(_ id: String) throws(SupabaseError) -> String {
        let lower = id.utf8.map(\.lowercased)
        guard Identifier.isGUID(lower) else {
            throw SupabaseError(
                .invalidInput,
                "A user's id is a UUID, 36 characters with four hyphens: nothing was sent.")
        }
        return String(decoding: lower, as: UTF8.self)
    }
}

extension SupabaseError {
    /// Whether GoTrue says that there is no such user.
    fileprivate var isAbsence: Bool {
        code == .refused && status == 404 && serverCode == .userNotFound
    }
}
