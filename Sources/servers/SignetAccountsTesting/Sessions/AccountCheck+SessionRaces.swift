// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    static let sessionRaces = [
        AccountCheck("of many rotations of one token at once one takes place") { scope in
            let sessions = try await SessionScope(scope, options: .longGrace)
            var token = try await sessions.tokens.begin(for: sessions.user).refreshToken
            for _ in 0..<4 {
                let presented = token
                let answers = try await runAtOnce(16) { number in
                    try await sessions.tokens(number).rotate(presented).refreshToken
                }
                try scope.expect(
                    Set(answers).count, is: 1, named: "the count of different successors")
                guard let next = answers.first else { return }
                token = next
            }
            try scope.expect(
                sessions.reused.withLock { $0.count }, is: 0, named: "the count of reuses")
        },
        AccountCheck("without a grace many rotations at once get two successors at most") { scope in
            var options = RefreshTokenOptions()
            options.grace = .zero
            let sessions = try await SessionScope(scope, options: options)
            let first = try await sessions.tokens.begin(for: sessions.user)
            let answers = try await runAtOnce(16) { number in
                try await sessions.tokens(number).rotate(first.refreshToken).refreshToken
            }
            let successors = Array(Set(answers))
            try scope.expect(successors.count, is: 2, named: "the count of different successors")
            try scope.expect(
                sessions.reused.withLock { $0.count }, is: 0, named: "the count of reuses")
            _ = try await sessions.tokens.rotate(successors[0])
            try await scope.expect(.refreshTokenReused, by: "the other successor") {
                try await sessions.tokens.rotate(successors[1])
            }
        },
        AccountCheck("of a parent and its successor at once never two go on") { scope in
            for _ in 0..<6 {
                let sessions = try await SessionScope(scope)
                let first = try await sessions.tokens.begin(for: sessions.user)
                let second = try await sessions.tokens.rotate(first.refreshToken)
                try await sessions.pass(.seconds(10), for: first.session)
                let answers = try await runAtOnce(8) { number -> String? in
                    let presented = number.isMultiple(of: 2) ? first : second
                    do throws(AccountError) {
                        return try await sessions.tokens(number / 2)
                            .rotate(presented.refreshToken).refreshToken
                    } catch {
                        guard [.refreshTokenReused, .invalidGrant].contains(error.code) else {
                            throw error
                        }
                        return nil
                    }
                }
                // At most two: the parent's second successor, and the successor of its first
                // successor.
                let given = Array(Set(answers))
                try scope.expect(given.count <= 2, "a token was exchanged for too many")
                var acceptedCount = 0
                for token in given + given.reversed() {
                    // Only the accepted tokens count here: most are refused, as they must be.
                    if (try? await sessions.tokens.rotate(token)) != nil { acceptedCount += 1 }
                }
                // At most the token that goes on, and a retry of it.
                try scope.expect(acceptedCount <= 2, "two tokens of a session went on")
            }
        },
        AccountCheck("signing out wins against concurrent late retries") { scope in
            for _ in 0..<4 {
                let sessions = try await SessionScope(scope)
                let first = try await sessions.tokens.begin(for: sessions.user)
                _ = try await sessions.tokens.rotate(first.refreshToken)
                try await sessions.pass(.seconds(10), for: first.session)
                let given = try await runAtOnce(8) { number -> String? in
                    if number == 4 {
                        try await sessions.tokens.endAll(of: sessions.user)
                        return nil
                    }
                    do throws(AccountError) {
                        return try await sessions.tokens(number).rotate(first.refreshToken)
                            .refreshToken
                    } catch {
                        guard error.code == .invalidGrant else { throw error }
                        return nil
                    }
                }
                for token in [first.refreshToken] + given {
                    try await scope.expect(.invalidGrant, by: "a token after the sign-out") {
                        try await sessions.tokens.rotate(token)
                    }
                }
                try scope.expect(sessions.reused.withLock { $0.count }, is: 0, named: "the reuses")
            }
        },
        AccountCheck("a user's deletion wins against concurrent rotations and sign-ins") { scope in
            for _ in 0..<4 {
                let sessions = try await SessionScope(scope, options: .longGrace)
                let first = try await sessions.tokens.begin(for: sessions.user)
                let issued = try await runAtOnce(9) { number -> [IssuedTokens] in
                    if number == 4 {
                        _ = try await sessions.deleteUser(sessions.user)
                        return []
                    }
                    return try await refreshAndSignIn(
                        sessions.tokens(number), refreshing: first, for: sessions.user)
                }
                for tokens in issued.joined() {
                    try await scope.expect(.invalidGrant, by: "a token after the deletion") {
                        try await sessions.tokens.rotate(tokens.refreshToken)
                    }
                }
                let list = try await sessions.tokens.sessions(of: sessions.user)
                try scope.expect(list, is: [], named: "the list of sessions after the deletion")
            }
        },
        AccountCheck("a cancelled refresh leaves a token that works") { scope in
            let sessions = try await SessionScope(scope, options: .longGrace)
            var token = try await sessions.tokens.begin(for: sessions.user).refreshToken
            for number in 0..<20 {
                let presented = token
                let task = Task { try await sessions.tokens(number).rotate(presented) }
                for _ in 0..<number { await Task.yield() }
                task.cancel()
                _ = await task.result
                token = try await sessions.tokens(number + 1).rotate(presented).refreshToken
            }
        },
    ]

    /// Refreshes and signs in until the user is gone.
    private static func refreshAndSignIn(
        _ tokens: RefreshTokens, refreshing first: IssuedTokens, for user: String
    ) async throws -> [IssuedTokens] {
        var issued = [first]
        var current = first
        do {
            for _ in 0..<50 {
                issued.append(try await tokens.rotate(current.refreshToken))
                current = try await tokens.begin(for: user)
                issued.append(current)
            }
        } catch {
            guard [.invalidGrant, .unknownUser].contains(error.code) else { throw error }
        }
        return issued
    }
}
