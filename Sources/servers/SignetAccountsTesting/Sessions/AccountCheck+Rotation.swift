// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity

extension AccountCheck {
    private struct Claims: Decodable { let role: String }

    static let rotation = [
        AccountCheck("a sign-in gives an access token and a refresh token") { scope in
            let sessions = try await SessionScope(scope)
            let long = String(repeating: "x", count: 500)
            let issued = try await sessions.tokens.begin(
                for: sessions.user, device: "Pixel\u{7}\n\u{202e} 9" + long)
            let verified = try sessions.tokens.issuer.verify(issued.accessToken)
            try scope.expect(verified.subject, is: sessions.user, named: "\"sub\"")
            try scope.expect(verified.sessionID, is: issued.session.id, named: "\"sid\"")
            let claims = try verified.claims(as: Claims.self)
            try scope.expect(claims.role, is: "member", named: "the claim of the application's own")
            try scope.expect(issued.expiresIn, is: 3600, named: "expires_in")
            let list = try await sessions.others.sessions(of: sessions.user)
            try scope.expect(list, is: [issued.session], named: "the list of sessions")
            try scope.expect(
                issued.session.device?.unicodeScalars.count, is: 100, named: "the label")
            try scope.expect(issued.session.device?.hasPrefix("Pixel 9x") == true, "the label")
            try scope.expect(!"\(issued)".contains(issued.refreshToken), "the token was printed")
        },
        AccountCheck("each rotation gives another token, of the same session") { scope in
            let sessions = try await SessionScope(scope)
            var issued = try await sessions.tokens.begin(for: sessions.user)
            var seen = Set([issued.refreshToken])
            for number in 0..<12 {
                let next = try await sessions.tokens(number).rotate(issued.refreshToken)
                try scope.expect(next.session.id, is: issued.session.id, named: "the session")
                try scope.expect(seen.insert(next.refreshToken).inserted, "a token came twice")
                try scope.expect(next.access.tokenID != issued.access.tokenID, "\"jti\" came twice")
                issued = next
            }
        },
        AccountCheck("a retry within the grace gets the same successor") {
            scope in
            let sessions = try await SessionScope(scope, options: .longGrace)
            let first = try await sessions.tokens.begin(for: sessions.user)
            let second = try await sessions.tokens.rotate(first.refreshToken)
            let again = try await sessions.others.rotate(first.refreshToken)
            try scope.expect(
                again.refreshToken == second.refreshToken, "the retry got a second successor")
            // The successor has been used as well, but the parent is still in its grace.
            let third = try await sessions.tokens.rotate(second.refreshToken)
            let late = try await sessions.tokens.rotate(first.refreshToken)
            try scope.expect(
                late.refreshToken == second.refreshToken, "the late retry got a second successor")
            try await sessions.pass(.seconds(30), for: first.session)
            let inTime = try await sessions.tokens.rotate(second.refreshToken)
            try scope.expect(
                inTime.refreshToken == third.refreshToken,
                "a retry after 30 s of 60 s got a second successor")
        },
        AccountCheck("reuse after a successor was used ends the session") { scope in
            let sessions = try await SessionScope(scope)
            let first = try await sessions.tokens.begin(for: sessions.user)
            let bystander = try await sessions.tokens.begin(for: sessions.user)
            let second = try await sessions.tokens.rotate(first.refreshToken)
            let third = try await sessions.tokens.rotate(second.refreshToken)
            try await sessions.pass(.seconds(10), for: first.session)
            try await scope.expect(.refreshTokenReused, by: "reuse") {
                try await sessions.others.rotate(first.refreshToken)
            }
            for token in [first, second, third] {
                try await scope.expect(.invalidGrant, by: "a token of a session that was ended") {
                    try await sessions.tokens.rotate(token.refreshToken)
                }
            }
            let told = sessions.reused.withLock { $0 }
            try scope.expect(
                told.map(\.id), is: [first.session.id], named: "what was told of reuse")
            _ = try await sessions.tokens.rotate(bystander.refreshToken)
        },
        AccountCheck("an older token ends the session, however old it is") { scope in
            var options = RefreshTokenOptions()
            options.grace = .zero
            let sessions = try await SessionScope(scope, options: options)
            let first = try await sessions.tokens.begin(for: sessions.user)
            var last = first
            for _ in 0..<5 { last = try await sessions.tokens.rotate(last.refreshToken) }
            try await scope.expect(.refreshTokenReused, by: "the first token") {
                try await sessions.tokens.rotate(first.refreshToken)
            }
            try await scope.expect(.invalidGrant, by: "the last token") {
                try await sessions.tokens.rotate(last.refreshToken)
            }
        },
        AccountCheck("a text that is no refresh token is refused and ends nothing") { scope in
            let sessions = try await SessionScope(scope)
            let issued = try await sessions.tokens.begin(for: sessions.user)
            let text = issued.refreshToken
            let none = [
                "", "srt_", text + "A", String(text.dropLast()), text.uppercased() + "\0",
                "xrt_" + text.dropFirst(4), text.replacing("srt_", with: "srt-"), " " + text,
                "srt_" + String(repeating: "A", count: 64),
                String(repeating: "é", count: 34), issued.accessToken + "A", issued.session.id,
            ]
            for presented in none {
                try await scope.expect(.invalidGrant, by: "what is no token") {
                    try await sessions.tokens.rotate(presented)
                }
                try await sessions.tokens.revoke(presented)
            }
            try await scope.expect(.invalidGrant, by: "an access token") {
                try await sessions.tokens.rotate(issued.accessToken)
            }
            _ = try await sessions.tokens.rotate(text)
        },
        AccountCheck("a successor that was moved to another token's row does not open") { scope in
            let sessions = try await SessionScope(scope)
            let first = try await sessions.tokens.begin(for: sessions.user)
            let other = try await sessions.tokens.begin(for: sessions.user)
            _ = try await sessions.tokens.rotate(first.refreshToken)
            _ = try await sessions.tokens.rotate(other.refreshToken)
            try await scope.run(
                """
                UPDATE signet_used_refresh_tokens SET sealed_successor = (
                    SELECT sealed_successor FROM signet_used_refresh_tokens WHERE session_id = $2)
                WHERE session_id = $1
                """, values: [.text(first.session.id), .text(other.session.id)])
            try await scope.expect(.corrupt, by: "a successor of another family") {
                try await sessions.tokens.rotate(first.refreshToken)
            }
        },
        AccountCheck("a refresh that cannot be answered costs no session") { scope in
            let fails = Locked(false)
            let sessions = try await SessionScope(scope) { (_, _) throws(AccountError) in
                if fails.withLock({ $0 }) { throw AccountError(.unavailable, "No claims.") }
                return ["role": "member"]
            }
            let first = try await sessions.tokens.begin(for: sessions.user)
            fails.withLock { $0 = true }
            try await scope.expect(.unavailable, by: "a refresh without claims") {
                try await sessions.tokens.rotate(first.refreshToken)
            }
            fails.withLock { $0 = false }
            let count = try await sessions.usedTokenCount(of: first.session)
            try scope.expect(count, is: 0, named: "the count of successors")
            _ = try await sessions.tokens.rotate(first.refreshToken)
        },
        AccountCheck("a ban that is committed before a transaction begins is seen in it") { scope in
            let name = scope.name
            let claims: RefreshTokens.Claims = { (_, transaction) throws(AccountError) in
                let bans = try await transaction.run(
                    AccountCheckScope.select, values: [.text(name), .text("ban")])
                guard bans.isEmpty else { throw AccountError(.sessionEnded, "Banned.") }
                return ["role": "member"]
            }
            let sessions = try await SessionScope(scope, claims: claims)
            let first = try await sessions.tokens.begin(for: sessions.user)
            for isRefresh in [true, false] {
                let between = BetweenDatabase(inner: scope.database) {
                    try await scope.run(
                        AccountCheckScope.insert, values: [.text(name), .text("ban"), .integer(1)],
                        on: 1)
                }
                let tokens = try RefreshTokens(
                    database: between, issuer: sessions.tokens.issuer, claims: claims)
                try await scope.expect(.sessionEnded, by: "a call for a banned user") {
                    try await isRefresh
                        ? tokens.rotate(first.refreshToken) : tokens.begin(for: sessions.user)
                }
                try await scope.run(
                    "DELETE FROM signet_check_rows WHERE scope = $1 AND name = 'ban'",
                    values: [.text(name)])
            }
            // Neither call costs the session, nor leaves a second session.
            let list = try await sessions.tokens.sessions(of: sessions.user)
            try scope.expect(list, is: [first.session], named: "the list of sessions")
            _ = try await sessions.tokens.rotate(first.refreshToken)
        },
    ]
}
