// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetSignIn

/// Checks of `GuestRetention`: a sweep deletes old guests, who have neither an identity to sign in
/// with nor a live session. By default a session lives for 7 days after its last refresh.
///
/// The guests of these checks are older than any real guest, so that a sweep in a shared database
/// deletes no real guest. `own` is a `PeopleScope`, and `sessions` a `SessionScope`: users and
/// sessions that no other check has.
extension AccountCheck {
    static let guests = [
        AccountCheck("old guests whom nobody can be any more are deleted, and no one else") {
            scope in
            let sessions = try await SessionScope(scope)
            try await PeopleScope.run(scope) { own in
                let gone = try await own.addGuest()
                let young = try await own.addGuest()
                let ended = try await own.addGuest()
                let live = try await own.addGuest()
                let late = try await own.addGuest()
                let account = try await own.signIn(try own.identity()).user.id
                _ = try await sessions.tokens.begin(for: live)
                let session = try await sessions.tokens.begin(for: ended).session
                try await sessions.pass(.seconds(8 * 86_400), for: session)
                // A transaction that began before this session's end may still refresh the session.
                let last = try await sessions.tokens.begin(for: late).session
                try await sessions.pass(.seconds(7 * 86_400 + 20), for: last)
                // All but `young` are old. `gone` never had a session, and that of `ended` is over:
                // only these two are deleted. `sessions.user` has no profile of People.
                for id in [gone, ended, live, late, account, sessions.user] {
                    try await makeOld(id, in: scope)
                }
                try await retention().deleteGuests(of: sessions.others)
                for id in [gone, ended] {
                    try scope.expect(
                        try await isThere(id, in: scope), is: false, named: "whether it is there")
                    try scope.expect(try await own.people(1).user(id) == nil, "a profile is left")
                }
                for id in [young, live, late, account, sessions.user] {
                    try scope.expect(
                        try await isThere(id, in: scope), is: true, named: "whether it is there")
                }
            }
        },
        AccountCheck("a banned guest stays until the ban ends") { scope in
            let sessions = try await SessionScope(scope)
            try await PeopleScope.run(scope) { own in
                let banned = try await own.addGuest()
                let bannedLate = try await own.addGuest()
                for id in [banned, bannedLate] { try await makeOld(id, in: scope) }
                try await scope.run(SupportScope.banAlone, values: [.text(banned)])
                // Runs after the sweep has read who is a guest, and before it deletes the guests.
                let between = BetweenDatabase(inner: scope.database) {
                    try await scope.run(SupportScope.banAlone, values: [.text(bannedLate)])
                }
                let tokens = try RefreshTokens(database: between, issuer: sessions.tokens.issuer)
                try await retention().deleteGuests(of: tokens)
                for id in [banned, bannedLate] {
                    try scope.expect(
                        try await isThere(id, in: scope), is: true, named: "whether it is there")
                    try await scope.run(SupportScope.endBan, values: [.text(id)])
                }
                try await retention().deleteGuests(of: sessions.others)
                for id in [banned, bannedLate] {
                    try scope.expect(
                        try await isThere(id, in: scope), is: false, named: "whether it is there")
                }
            }
        },
        AccountCheck("a guest who gets an identity or a session during a sweep stays") { scope in
            let sessions = try await SessionScope(scope)
            try await PeopleScope.run(scope) { own in
                let linked = try await own.addGuest()
                let begun = try await own.addGuest()
                let gone = try await own.addGuest()
                for id in [linked, begun, gone] { try await makeOld(id, in: scope) }
                // Runs after the sweep has read who is a guest, and before it deletes the guests.
                let between = BetweenDatabase(inner: scope.database) {
                    _ = try await own.people(1).link(try own.identity(), to: linked)
                    _ = try await sessions.others.begin(for: begun)
                }
                let tokens = try RefreshTokens(database: between, issuer: sessions.tokens.issuer)
                try await retention().deleteGuests(of: tokens)
                try scope.expect(
                    try await isThere(gone, in: scope), is: false, named: "whether it is there")
                for id in [linked, begun] {
                    try scope.expect(
                        try await isThere(id, in: scope), is: true, named: "whether it is there")
                }
                let found = try await own.signIn(try own.identity())
                try scope.expect(found.user.id, is: linked, named: "the user of the identity")
                try scope.expect(
                    try await sessions.tokens.sessions(of: begun).count, is: 1,
                    named: "their sessions")
            }
        },
        AccountCheck("of a sweep and calls that save a guest one wins whole") { scope in
            let sessions = try await SessionScope(scope)
            try await PeopleScope.run(scope) { own in
                var guests: [String] = []
                for _ in 0..<12 { guests.append(try await own.addGuest()) }
                let ids = guests  // a constant, because all tasks read it
                for id in ids { try await makeOld(id, in: scope) }
                // Tasks 0 and 1 sweep; each later task saves a guest.
                let saved = try await runAtOnce(ids.count + 2) { number -> String? in
                    guard number >= 2 else {
                        try await retention().deleteGuests(of: sessions.tokens(number))
                        return nil
                    }
                    let id = ids[number - 2]
                    do throws(AccountError) {
                        if number.isMultiple(of: 3) {
                            _ = try await sessions.tokens(number).begin(for: id)
                        } else {
                            _ = try await own.people(number).link(own.ownIdentity(number), to: id)
                        }
                        return id
                    } catch {
                        guard error.code == .unknownUser else { throw error }
                        return nil
                    }
                }
                for id in ids {
                    let isSaved = saved.contains { $0.utf8.elementsEqual(id.utf8) }
                    // A guest whom the sweep left to a call that failed is there still.
                    if isSaved {
                        try scope.expect(
                            try await isThere(id, in: scope), is: true, named: "a saved guest")
                    } else {
                        let list = try await own.people().identities(of: id)
                        try scope.expect(list.isEmpty, "an identity of a deleted guest is left")
                    }
                }
            }
        },
    ]

    /// Deletes guests that are older than 3,660 days, the longest age.
    private static func retention() throws(AccountError) -> GuestRetention {
        try GuestRetention(.seconds(3_660 * 86_400))
    }

    private static func makeOld(_ id: String, in scope: AccountCheckScope)
        async throws(AccountError)
    {
        try await scope.run(
            "UPDATE signet_users SET added_at = added_at - $2 WHERE id = $1",
            values: [.text(id), .integer(3_700 * 86_400_000)])
    }

    private static func isThere(
        _ id: String, in scope: AccountCheckScope
    ) async throws(AccountError) -> Bool {
        try await !scope.run(
            "SELECT id FROM signet_users WHERE id = $1", values: [.text(id)], on: 1
        )
        .isEmpty
    }
}
