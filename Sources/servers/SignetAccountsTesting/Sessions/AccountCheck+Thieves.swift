// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    /// When the thief refreshes: each hour before or after the owner.
    private enum Moment: CaseIterable {
        case before, after
    }

    /// The owner or the thief, with the token that each holds now.
    private struct Holder {
        var token: String
        var uses = 0

        /// - Returns: whether the session has ended.
        mutating func refresh(_ sessions: SessionScope) async throws -> Bool {
            do {
                token = try await sessions.tokens(uses).rotate(token).refreshToken
                uses += 1
                return false
            } catch {
                guard [.refreshTokenReused, .invalidGrant].contains(error.code) else { throw error }
                return true
            }
        }
    }

    static let thieves = [
        AccountCheck("a thief is found one rotation after both used theirs") { scope in
            // The thief has a copy of the present token, or of the token before it.
            for moment in Moment.allCases {
                for isParent in [false, true] {
                    for losesAnswer in [false, true] {
                        try await steal(
                            scope, at: moment, isParent: isParent, losesAnswer: losesAnswer)
                    }
                }
            }
        },
        AccountCheck("a thief who holds the second successor loses it, or is found") { scope in
            let sessions = try await SessionScope(scope)
            let parent = try await sessions.tokens.begin(for: sessions.user)
            var owner = Holder(
                token: try await sessions.tokens.rotate(parent.refreshToken).refreshToken)
            try await sessions.pass(.seconds(60), for: parent.session)
            var thief = Holder(token: parent.refreshToken)
            // The owner's answer came, and the thief had a copy of the spent parent.
            try scope.expect(try await !thief.refresh(sessions), "the parent was refused")
            try await sessions.pass(.seconds(60), for: parent.session)
            try scope.expect(try await !owner.refresh(sessions), "the owner was refused")
            try await sessions.pass(.seconds(60), for: parent.session)
            try scope.expect(try await thief.refresh(sessions), "the thief was not found")
            try scope.expect(
                sessions.reused.withLock { $0.count }, is: 1, named: "the count of reuses")
        },
    ]

    /// Plays hour after hour, until the thief or the owner finds the session ended.
    private static func steal(
        _ scope: AccountCheckScope, at moment: Moment, isParent: Bool, losesAnswer: Bool
    ) async throws {
        let sessions = try await SessionScope(scope)
        let first = try await sessions.tokens.begin(for: sessions.user)
        let present = try await sessions.tokens.rotate(first.refreshToken).refreshToken
        var owner = Holder(token: present)
        var thief = Holder(token: isParent ? first.refreshToken : present)
        try await sessions.pass(.seconds(3_600), for: first.session)
        if losesAnswer {
            // The owner's first answer is lost, so that its retry comes later than any grace.
            _ = try await sessions.tokens.rotate(owner.token)
            try await sessions.pass(.seconds(60), for: first.session)
        }
        var hours = 0
        var isFound = false
        while !isFound {
            hours += 1
            try scope.expect(hours < 5, "a thief \(moment) the owner was not found")
            // The two refreshes are more than a grace apart, and end a while before the next hour.
            let isThiefFirst = moment == .before
            isFound =
                isThiefFirst
                ? try await thief.refresh(sessions) : try await owner.refresh(sessions)
            if isFound { break }
            try await sessions.pass(.seconds(60), for: first.session)
            isFound =
                isThiefFirst
                ? try await owner.refresh(sessions) : try await thief.refresh(sessions)
            try await sessions.pass(.seconds(3_540), for: first.session)
        }
        // Found when the thief's and the owner's tokens first differ, or at the next rotation of
        // each.
        try scope.expect(
            min(owner.uses, thief.uses) <= 2,
            "both refreshed \(owner.uses) and \(thief.uses) times")
        try scope.expect(sessions.reused.withLock { $0.count }, is: 1, named: "the count of reuses")
        for token in [owner.token, thief.token] {
            try await scope.expect(.invalidGrant, by: "a token of the session that was ended") {
                try await sessions.tokens.rotate(token)
            }
        }
    }
}
