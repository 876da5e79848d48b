// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity

extension AccountCheck {
    private static let hour = Duration.seconds(3600)

    static let endings = [
        AccountCheck("a session that is not refreshed ends") { scope in
            let sessions = try await SessionScope(scope)
            let first = try await sessions.tokens.begin(for: sessions.user)
            try await sessions.pass(.seconds(7 * 86_400) - hour, for: first.session)
            let second = try await sessions.tokens.rotate(first.refreshToken)
            try await sessions.pass(.seconds(7 * 86_400) - hour, for: first.session)
            let third = try await sessions.tokens.rotate(second.refreshToken)
            try await sessions.pass(.seconds(7 * 86_400), for: first.session)
            try scope.expect(
                try await sessions.tokens.sessions(of: sessions.user), is: [], named: "the list")
            try await scope.expect(.sessionExpired, by: "a token after the idle lifetime") {
                try await sessions.tokens.rotate(third.refreshToken)
            }
            try await scope.expect(.invalidGrant, by: "the same token again") {
                try await sessions.tokens.rotate(third.refreshToken)
            }
        },
        AccountCheck("a session ends, however often it is refreshed") { scope in
            let sessions = try await SessionScope(scope)
            let first = try await sessions.tokens.begin(for: sessions.user)
            try await sessions.age(first.session, by: .seconds(90 * 86_400) - hour)
            let second = try await sessions.tokens.rotate(first.refreshToken)
            try await sessions.age(first.session, by: hour)
            try await scope.expect(.sessionExpired, by: "a token after the absolute lifetime") {
                try await sessions.tokens.rotate(second.refreshToken)
            }
            // A retry does not get past the absolute lifetime either.
            try await scope.expect(.invalidGrant, by: "its parent") {
                try await sessions.tokens.rotate(first.refreshToken)
            }
        },
        AccountCheck("a client's session is refreshed and revoked by that client alone") { scope in
            let sessions = try await SessionScope(scope)
            let tokens = sessions.tokens
            let first = try await tokens.begin(for: sessions.user, clientID: "app")
            try scope.expect(first.session.clientID == "app", "the client was not kept")
            let others: [String?] = [nil, "", "other", "APP"]
            for other in others {
                let code: AccountError.Code =
                    other?.isEmpty == false ? .otherClient : .missingClient
                try await scope.expect(code, by: "a refresh of another client") {
                    try await tokens.rotate(first.refreshToken, clientID: other)
                }
                for token in [first.refreshToken, first.accessToken] {
                    try await scope.expect(code, by: "another client's revocation") {
                        try await tokens.revoke(token, clientID: other)
                    }
                }
            }
            let second = try await tokens.rotate(first.refreshToken, clientID: "app")
            let third = try await tokens.rotate(second.refreshToken, clientID: "app")
            try await sessions.pass(.seconds(120), for: first.session)
            // Reuse ends a session, but not where another client shows a spent token.
            try await scope.expect(.otherClient, by: "another client's spent token") {
                try await tokens.rotate(first.refreshToken, clientID: "other")
            }
            let last = try await tokens.rotate(third.refreshToken, clientID: "app")
            try await tokens.revoke(last.accessToken, clientID: "app")
            try await scope.expect(.invalidGrant, by: "a token after the revocation") {
                try await tokens.rotate(last.refreshToken, clientID: "app")
            }
        },
        AccountCheck("one session is ended, all, or all others") { scope in
            let sessions = try await SessionScope(scope)
            var issued: [IssuedTokens] = []
            for number in 0..<4 {
                issued.append(try await sessions.tokens(number).begin(for: sessions.user))
            }
            let foreign = try await sessions.tokens.begin(for: sessions.otherUser)
            let tokens = sessions.tokens
            try scope.expect(
                try await !tokens.end(issued[0].session.id, of: sessions.otherUser),
                "a session was ended by another user")
            try scope.expect(
                try await !tokens.end("a\0b", of: sessions.user), "an ending without a session")
            try scope.expect(
                try await tokens.end(issued[0].session.id, of: sessions.user), "not ended")
            try scope.expect(
                try await !tokens.end(issued[0].session.id, of: sessions.user), "ended twice")
            try scope.expect(
                try await tokens.endAll(of: sessions.user, except: issued[1].session.id), is: 2,
                named: "the count of others")
            let second = try await tokens.rotate(issued[1].refreshToken)
            for index in [0, 2, 3] {
                try await scope.expect(.invalidGrant, by: "a token of an ended session") {
                    try await sessions.others.rotate(issued[index].refreshToken)
                }
            }
            try scope.expect(
                try await tokens.endAll(of: sessions.user), is: 1, named: "the count of all")
            try await scope.expect(.invalidGrant, by: "a token after all were ended") {
                try await sessions.others.rotate(second.refreshToken)
            }
            try await sessions.tokens.revoke(foreign.refreshToken)
            try await scope.expect(.invalidGrant, by: "a token that was revoked") {
                try await sessions.others.rotate(foreign.refreshToken)
            }
        },
        AccountCheck("a deleted or unknown user has no session, and gets none") { scope in
            let sessions = try await SessionScope(scope)
            let issued = try await sessions.tokens.begin(for: sessions.user)
            let other = try await sessions.tokens.begin(for: sessions.otherUser)
            try scope.expect(try await sessions.deleteUser(sessions.user), "no user was deleted")
            try scope.expect(try await !sessions.deleteUser(sessions.user), "deleted twice")
            try await scope.expect(.invalidGrant, by: "a token of a user who was deleted") {
                try await sessions.tokens.rotate(issued.refreshToken)
            }
            let long = String(repeating: "u", count: 256)
            for user in [sessions.user, "", "a\0b", long] {
                try await scope.expect(.unknownUser, by: "a sign-in of no user") {
                    try await sessions.tokens.begin(for: user)
                }
            }
            _ = try await sessions.tokens.rotate(other.refreshToken)
        },
        AccountCheck("only a session that began lately is recent") { scope in
            let sessions = try await SessionScope(scope)
            let database = scope.database(0)
            let tokens = sessions.tokens
            let issued = try await tokens.begin(for: sessions.user)
            let session = try tokens.issuer.verify(issued.accessToken)
            let requireRecent = { (people: People?) async throws in
                try await database.transaction { (transaction) throws(AccountError) in
                    try await tokens.requireRecentSignIn(
                        session, exceptGuestsOf: people, in: transaction)
                }
            }
            try await requireRecent(nil)
            try await sessions.age(issued.session, by: .seconds(600))
            try await scope.expect(.signInTooOld, by: "a change in an older session") {
                try await requireRecent(nil)
            }
            // The user has no identity, and so counts as a guest.
            try await requireRecent(People(database))
            try await tokens.end(issued.session.id, of: sessions.user)
            try await scope.expect(.sessionEnded, by: "a change in a session that was ended") {
                try await requireRecent(People(database))
            }
        },
        AccountCheck("sweeping removes what has ended") { scope in
            let sessions = try await SessionScope(scope)
            let tokens = sessions.tokens
            let idle = try await tokens.begin(for: sessions.user)
            let old = try await tokens.begin(for: sessions.user)
            let alive = try await tokens.begin(for: sessions.user)
            _ = try await tokens.rotate(alive.refreshToken)
            try await sessions.pass(.seconds(7 * 86_400), for: idle.session)
            try await sessions.age(old.session, by: .seconds(90 * 86_400))
            try await sessions.pass(.seconds(10), for: alive.session)
            try await sessions.others.sweep()
            let kept = try await sessions.usedTokenCount(of: alive.session)
            try scope.expect(kept, is: 1, named: "the count of parents of a session that is alive")
            for token in [idle, old] {
                try await scope.expect(.invalidGrant, by: "a token of a session that is gone") {
                    try await tokens.rotate(token.refreshToken)
                }
            }
            let left = try await tokens.sessions(of: sessions.user)
            try scope.expect(left.map(\.id), is: [alive.session.id], named: "what is left")
        },
        AccountCheck("a cut-off refuses a session from the moment when it ends") { scope in
            let sessions = try await SessionScope(scope)
            let cutOff = try SessionCutOff(sessions.others)
            let issued = try await sessions.tokens.begin(for: sessions.user)
            let other = try await sessions.tokens.begin(for: sessions.otherUser)
            for _ in 0..<2 { _ = try await cutOff.verify(issued.accessToken) }
            try await sessions.tokens.end(issued.session.id, of: sessions.user)
            for _ in 0..<2 {
                try await scope.expect(.sessionEnded, by: "an access token of an ended session") {
                    try await cutOff.verify(issued.accessToken)
                }
            }
            _ = try await cutOff.verify(other.accessToken)
            _ = try await sessions.deleteUser(sessions.otherUser)
            try await scope.expect(.sessionEnded, by: "an access token of a deleted user") {
                try await cutOff.verify(other.accessToken)
            }
            try await scope.expect(.invalidToken, by: "what is no access token") {
                try await cutOff.verify(issued.refreshToken)
            }
        },
    ]
}
