// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetEmail
internal import SignetIdentity

extension AccountCheck {
    static let support = [
        AccountCheck("a user is looked up by identifier and address, and listed") { scope in
            try await SupportScope.run(scope) { own in
                let mailbox = try Mailbox("\(scope.name)@example.com")
                try await own.link(.email(mailbox))
                _ = try await own.sessions.tokens.begin(for: own.user, device: "Pixel 9")
                let found = try await own.support(1).user(
                    with: .email(mailbox), by: scope.name, reason: "a check")
                try scope.expect(found?.id == own.user, "the address did not find its user")
                try scope.expect(
                    found?.addresses.map(\.exposedText) == [mailbox.text], "the address is missing")
                try scope.expect(
                    found?.sessions.map(\.device) == ["Pixel 9"], "the session is missing")
                let unknown = UserIdentity.email(try Mailbox("\(scope.name).none@example.com"))
                try scope.expect(
                    try await own.support(0).user(with: unknown, by: scope.name, reason: "a check")
                        == nil, "an unknown address found a user")
                try scope.expect(
                    try await own.support(0).user("\(scope.name)\0", by: scope.name, reason: "a")
                        == nil, "a zero byte found a user")
                let added = try await scope.run(
                    SupportScope.lastBefore, values: [.text(own.user)])
                var last = try added.first?.text(0)
                var listed: [String] = []
                // Others use the database too: a page begins before the check's own users.
                while listed.count < 2 {
                    let page = try await own.support(1).users(
                        after: last, count: 1, by: scope.name, reason: "a check")
                    listed += page.users.map(\.id).filter { $0.hasPrefix(scope.name) }
                    guard let next = page.next else { break }
                    last = next
                }
                try scope.expect(
                    Set(listed), is: [own.user, own.otherUser], named: "the listed users")
            }
        },
        AccountCheck("a banned user begins no session and goes on with none") { scope in
            try await SupportScope.run(scope) { own in
                let tokens = own.sessions.tokens
                let issued = try await tokens.begin(for: own.user)
                let cutOff = try SessionCutOff(tokens)
                _ = try await cutOff.verify(issued.accessToken)
                try await own.ban()
                try await scope.expect(.userBanned, by: "a sign-in") {
                    try await tokens.begin(for: own.user)
                }
                try await scope.expect(.invalidGrant, by: "a refresh") {
                    try await own.sessions.others.rotate(issued.refreshToken)
                }
                try await scope.expect(.sessionEnded, by: "an access token") {
                    try await cutOff.verify(issued.accessToken)
                }
                _ = try await tokens.begin(for: own.otherUser)
                try await own.support(0).liftBan(of: own.user, by: scope.name, reason: "a check")
                _ = try await tokens.begin(for: own.user)
            }
        },
        AccountCheck("a session that began beside a ban does not go on, nor after the ban") {
            scope in
            try await SupportScope.run(scope) { own in
                let tokens = own.sessions.tokens
                let first = try await tokens.begin(for: own.user)
                let second = try await tokens.begin(for: own.user)
                let third = try await tokens.begin(for: own.user)
                // As a server of the version before does, which knows no ban.
                try await scope.run(SupportScope.banAlone, values: [.text(own.user)])
                try await scope.expect(.sessionEnded, by: "an access token") {
                    try await SessionCutOff(tokens).verify(first.accessToken)
                }
                for (code, by) in [
                    (AccountError.Code.userBanned, "the first refresh"),
                    (.invalidGrant, "the next"),
                ] {
                    try await scope.expect(code, by: by) {
                        try await tokens.rotate(first.refreshToken)
                    }
                }
                try scope.expect(
                    try await tokens.sessions(of: own.user), is: [], named: "the sessions")
                try await scope.run(SupportScope.endBan, values: [.text(own.user)])
                try scope.expect(
                    try await tokens.sessions(of: own.user), is: [], named: "the sessions later")
                for issued in [second, third] {
                    try await scope.expect(.sessionEnded, by: "an access token after the ban") {
                        try await SessionCutOff(tokens).verify(issued.accessToken)
                    }
                }
                let session = try tokens.issuer.verify(second.accessToken)
                try await scope.expect(.sessionEnded, by: "a change after the ban") {
                    try await scope.database.transaction { (transaction) throws(AccountError) in
                        try await tokens.requireRecentSignIn(session, in: transaction)
                    }
                }
                try await scope.expect(.sessionEnded, by: "a renewal after the ban") {
                    try await scope.database.transaction { (transaction) throws(AccountError) in
                        try await tokens.renew(session, in: transaction)
                    }
                }
                for (code, by) in [
                    (AccountError.Code.sessionExpired, "the first refresh after the ban"),
                    (.invalidGrant, "the next after the ban"),
                ] {
                    try await scope.expect(code, by: by) {
                        try await own.sessions.others.rotate(second.refreshToken)
                    }
                }
                let later = try await tokens.begin(for: own.user)
                _ = try await SessionCutOff(tokens).verify(later.accessToken)
                _ = try await tokens.rotate(later.refreshToken)
            }
        },
        AccountCheck("the end of a ban ends the sessions that began beside it, and no other") {
            scope in
            try await SupportScope.run(scope) { own in
                let tokens = own.sessions.tokens
                let beside = try await tokens.begin(for: own.user)
                try await scope.run(SupportScope.banAlone, values: [.text(own.user)])
                try await own.support(1).liftBan(of: own.user, by: scope.name, reason: "a check")
                try await scope.expect(.invalidGrant, by: "a refresh after a lifted ban") {
                    try await tokens.rotate(beside.refreshToken)
                }
                let second = try await tokens.begin(for: own.user)
                try await scope.run(SupportScope.banAlone, values: [.text(own.user)])
                try await scope.run(SupportScope.endBan, values: [.text(own.user)])
                let later = try await tokens.begin(for: own.user)
                try await own.support(1).liftBan(of: own.user, by: scope.name, reason: "a check")
                try await scope.expect(.invalidGrant, by: "a refresh of a ban that was over") {
                    try await tokens.rotate(second.refreshToken)
                }
                _ = try await tokens.rotate(later.refreshToken)
            }
        },
        AccountCheck("a ban wins against concurrent sign-ins and refreshes") { scope in
            for _ in 0..<4 {
                try await SupportScope.run(scope) { own in
                    let issued = Locked([try await own.sessions.tokens.begin(for: own.user)])
                    _ = try await runAtOnce(9) { number -> Bool? in
                        if number == 4 {
                            try await own.ban(on: number)
                            return true
                        }
                        let tokens = own.sessions.tokens(number)
                        do throws(AccountError) {
                            for _ in 0..<50 {
                                let begun = try await tokens.begin(for: own.user)
                                issued.withLock { $0.append(begun) }
                                let next = try await tokens.rotate(begun.refreshToken)
                                issued.withLock { $0.append(next) }
                            }
                        } catch {
                            guard [.invalidGrant, .userBanned].contains(error.code) else {
                                throw error
                            }
                        }
                        return nil
                    }
                    let left = try await own.sessions.tokens.sessions(of: own.user)
                    try scope.expect(left, is: [], named: "the sessions after the ban")
                    for tokens in issued.withLock({ $0 }) {
                        try await scope.expect(.invalidGrant, by: "a token after the ban") {
                            try await own.sessions.others.rotate(tokens.refreshToken)
                        }
                    }
                }
            }
        },
        AccountCheck("a reset removes what keeps a person out, with an event for each part") {
            scope in
            try await SupportScope.run(scope) { own in
                let hotp = try HOTP()
                try await own.factors.add(.hotp(hotp), for: own.user)
                _ = try await own.factors.confirm(try hotp.code(at: 0), for: own.user)
                for _ in 0..<20 {
                    try await scope.expect(.wrongCode, by: "a wrong code") {
                        try await own.factors.verify("000", for: own.user)
                    }
                }
                try await scope.expect(.tooManyRequests, by: "a right code at the limit") {
                    try await own.factors.verify(try hotp.code(at: 1), for: own.user)
                }
                let support = own.support(0)
                try await support.reset([.limits], of: own.user, by: scope.name, reason: "a check")
                try await own.factors.verify(try hotp.code(at: 1), for: own.user)
                _ = try await own.sessions.tokens.begin(for: own.user)
                try await support.reset(
                    [.secondFactors, .password], of: own.user, by: scope.name, reason: "a check")
                let user = try await support.user(own.user, by: scope.name, reason: "a check")
                try scope.expect(
                    user?.factors.isEmpty == true && user?.recoveryCodeCount == 0
                        && user?.sessions.isEmpty == true, "something was left")
                let events = try await own.support(1).events(of: own.user)
                try scope.expect(
                    Set(events.map(\.act.name)),
                    is: [
                        "limits-given-back", "second-factors-removed", "password-removed",
                        "looked-up",
                    ], named: "the events")
                try scope.expect(
                    events.allSatisfy { $0.actor == scope.name && $0.reason == "a check" },
                    "an event has another actor or reason")
                try await scope.expect(.unknownUser, by: "a reset of nobody") {
                    try await support.reset(
                        [.password], of: "\(scope.name)-none", by: scope.name, reason: "a check")
                }
                try scope.expect(
                    try await support.events(of: "\(scope.name)-none").isEmpty,
                    "what was not done has an event")
            }
        },
    ]
}
