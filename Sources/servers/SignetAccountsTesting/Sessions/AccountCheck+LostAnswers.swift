// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    private static let day = Duration.seconds(86_400)

    static let lostAnswers = [
        AccountCheck("a retry after the grace gets a second successor, and every later one it too")
        {
            scope in
            let sessions = try await SessionScope(scope)
            let first = try await sessions.tokens.begin(for: sessions.user)
            let lost = try await sessions.tokens.rotate(first.refreshToken)
            var second: IssuedTokens?
            for number in 0..<4 {
                try await sessions.pass(day, for: first.session)
                let next = try await sessions.tokens(number).rotate(first.refreshToken)
                try scope.expect(next.session.id, is: first.session.id, named: "the session")
                try scope.expect(
                    next.refreshToken != lost.refreshToken, "the first successor again")
                if let second {
                    try scope.expect(
                        second.refreshToken == next.refreshToken, "a third successor")
                }
                second = next
                // Within the grace of the second successor a retry is no longer a late retry.
                let again = try await sessions.others.rotate(first.refreshToken)
                try scope.expect(
                    again.refreshToken == next.refreshToken, "a third successor at once")
            }
            let told = sessions.late.withLock { $0.map(\.id) }
            try scope.expect(
                told, is: Array(repeating: first.session.id, count: 4),
                named: "what was told of retries")
            guard let second else { return }
            _ = try await sessions.tokens.rotate(second.refreshToken)
            try scope.expect(
                sessions.reused.withLock { $0.count }, is: 0, named: "the count of reuses")
        },
        AccountCheck("the first of two successors to be used wins, and the other is reuse") {
            scope in
            for usesSecond in [false, true] {
                let sessions = try await SessionScope(scope)
                let first = try await sessions.tokens.begin(for: sessions.user)
                let successor = try await sessions.tokens.rotate(first.refreshToken)
                try await sessions.pass(.seconds(10), for: first.session)
                let second = try await sessions.others.rotate(first.refreshToken)
                let (winner, loser) = usesSecond ? (second, successor) : (successor, second)
                let next = try await sessions.tokens.rotate(winner.refreshToken)
                let retried = try await sessions.others.rotate(winner.refreshToken)
                try scope.expect(retried.refreshToken == next.refreshToken, "a retry of the winner")
                try await scope.expect(.refreshTokenReused, by: "the other of two successors") {
                    try await sessions.others.rotate(loser.refreshToken)
                }
                try await scope.expect(.invalidGrant, by: "the winner's successor after that") {
                    try await sessions.tokens.rotate(next.refreshToken)
                }
                let told = sessions.reused.withLock { $0.map(\.id) }
                try scope.expect(told, is: [first.session.id], named: "what was told of reuse")
            }
        },
        AccountCheck("a parent is worthless once one of two successors was used") { scope in
            for usesSecond in [false, true] {
                let sessions = try await SessionScope(scope)
                let first = try await sessions.tokens.begin(for: sessions.user)
                let successor = try await sessions.tokens.rotate(first.refreshToken)
                try await sessions.pass(.seconds(10), for: first.session)
                let second = try await sessions.others.rotate(first.refreshToken)
                _ = try await sessions.tokens.rotate((usesSecond ? second : successor).refreshToken)
                try await sessions.pass(.seconds(10), for: first.session)
                try await scope.expect(.refreshTokenReused, by: "the parent of a used token") {
                    try await sessions.others.rotate(first.refreshToken)
                }
            }
        },
        AccountCheck("a client that loses every answer for weeks stays signed in") { scope in
            let sessions = try await SessionScope(scope)
            let first = try await sessions.tokens.begin(for: sessions.user)
            for number in 0..<60 {
                _ = try await sessions.tokens(number).rotate(first.refreshToken)
                try await sessions.pass(day, for: first.session)
            }
            var issued = try await sessions.tokens.rotate(first.refreshToken)
            for number in 0..<4 {
                issued = try await sessions.tokens(number).rotate(issued.refreshToken)
            }
            try scope.expect(
                sessions.reused.withLock { $0.count }, is: 0, named: "the count of reuses")
        },
        AccountCheck("a late retry gets past neither lifetime, and keeps a session in use") {
            scope in
            let sessions = try await SessionScope(scope)
            let idle = try await sessions.tokens.begin(for: sessions.user)
            let old = try await sessions.tokens.begin(for: sessions.user)
            for issued in [idle, old] {
                _ = try await sessions.tokens.rotate(issued.refreshToken)
                try await sessions.pass(day * 6, for: issued.session)
                let late = try await sessions.tokens.rotate(issued.refreshToken)
                try scope.expect(
                    late.session.refreshedAt >= issued.session.refreshedAt,
                    "the time of the last use")
                try await sessions.pass(day * 6, for: issued.session)
                _ = try await sessions.tokens.rotate(issued.refreshToken)
            }
            try await sessions.pass(day * 7, for: idle.session)
            try await sessions.age(old.session, by: day * 90)
            for issued in [idle, old] {
                try await scope.expect(.sessionExpired, by: "a late retry at the session's end") {
                    try await sessions.tokens.rotate(issued.refreshToken)
                }
            }
        },
        AccountCheck("of a session no more than its living chain is kept") { scope in
            let sessions = try await SessionScope(scope)
            var issued = try await sessions.tokens.begin(for: sessions.user)
            for number in 0..<40 {
                let tokens = sessions.tokens(number)
                let parent = issued
                issued = try await tokens.rotate(parent.refreshToken)
                try await sessions.pass(.seconds(3_600), for: issued.session)
                if number.isMultiple(of: 2) {
                    issued = try await tokens.rotate(parent.refreshToken)
                    try await sessions.pass(.seconds(3_600), for: issued.session)
                }
                try scope.expect(
                    try await sessions.usedTokenCount(of: issued.session), is: 1,
                    named: "the count of exchanged tokens that are kept")
            }
        },
    ]
}
