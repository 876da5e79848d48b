// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    /// When the thief refreshes: each hour before or after the owner.
    private enum Moment: CaseIterable {
        case before, after
    }

    private enum Outcome {
        case refreshed, sessionEnded
    }

    /// The owner or the thief, with the token that each holds now.
    private struct Holder {
        var token: String
        var uses = 0

        mutating func refresh(_ sessions: SessionScope) async throws -> Outcome {
            do {
                token = try await sessions.tokens(uses).rotate(token).refreshToken
                uses += 1
                return .refreshed
            } catch {
                guard [.refreshTokenReused, .invalidGrant].contains(error.code) else { throw error }
                return .sessionEnded
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
            try scope.expect(
                try await thief.refresh(sessions), is: .refreshed, named: "the use of the parent")
            try await sessions.pass(.seconds(60), for: parent.session)
            try scope.expect(
                try await owner.refresh(sessions), is: .refreshed, named: "the owner's refresh")
            try await sessions.pass(.seconds(60), for: parent.session)
            try scope.expect(
                try await thief.refresh(sessions), is: .sessionEnded, named: "the thief's refresh")
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
        let owner = Holder(token: present)
        let thief = Holder(token: isParent ? first.refreshToken : present)
        try await sessions.pass(.seconds(3_600), for: first.session)
        if losesAnswer {
            // The owner's first answer is lost, so that its retry comes later than any grace.
            _ = try await sessions.tokens.rotate(owner.token)
            try await sessions.pass(.seconds(60), for: first.session)
        }
        var holders = moment == .before ? [thief, owner] : [owner, thief]
        var outcome = Outcome.refreshed
        var count = 0
        while outcome == .refreshed {
            try scope.expect(count < 8, "a thief \(moment) the owner was not found in 4 hours")
            let index = count % 2
            outcome = try await holders[index].refresh(sessions)
            // The two refreshes are more than a grace apart, and end a while before the next hour.
            try await sessions.pass(.seconds(index == 0 ? 60 : 3_540), for: first.session)
            count += 1
        }
        // Found when the thief's and the owner's tokens first differ, or at the next rotation of
        // each.
        try scope.expect(
            holders.contains { $0.uses <= 2 },
            "both refreshed \(holders[0].uses) and \(holders[1].uses) times")
        try scope.expect(sessions.reused.withLock { $0.count }, is: 1, named: "the count of reuses")
        for token in holders.map(\.token) {
            try await scope.expect(.invalidGrant, by: "a token of the session that was ended") {
                try await sessions.tokens.rotate(token)
            }
        }
    }
}
