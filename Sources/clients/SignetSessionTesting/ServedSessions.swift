// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession

/// The sessions of a server in memory, and the tokens that it gave to them.
struct ServedSessions {
    /// Tokens for a session. Their texts tell which they are: the user's first, second and so on.
    struct Issue {
        let userID: String
        let number: Int

        var accessToken: String { "access-\(name)-\(number)" }
        var refreshToken: String { "refresh-\(name)-\(number)" }
        /// The user's identifier, as far as a token can have its characters.
        var name: String { ServedSessions.name(userID) }
    }

    private struct Session {
        let userID: String
        /// The numbers of its tokens; the last one is the current.
        var numbers: [Int] = []
        var isOver = false
    }

    /// A token that was given.
    private struct Place {
        let session: Int
        let number: Int
        /// The end of an access token.
        let end: Duration
    }

    private var sessions: [Session] = []
    /// By the name in them: how many tokens there were.
    private var counts: [[UInt8]: Int] = [:]
    private var refreshTokens: [[UInt8]: Place] = [:]
    private var accessTokens: [[UInt8]: Place] = [:]

    mutating func begin(_ userID: String, until end: Duration) -> Issue {
        sessions.append(Session(userID: userID))
        return issue(for: sessions.count - 1, until: end)
    }

    /// - Returns: nil if the token is unknown or its session is over, by this call perhaps.
    mutating func exchange(
        _ refreshToken: String, rule: InMemorySessionServer.ReuseRule, until end: Duration
    ) -> Issue? {
        guard let place = refreshTokens[Array(refreshToken.utf8)] else { return nil }
        let session = sessions[place.session]
        guard !session.isOver, let current = session.numbers.last else { return nil }
        if place.number == current { return issue(for: place.session, until: end) }
        if rule == .repeatsAnswer, session.numbers.dropLast().last == place.number {
            let issue = Issue(userID: session.userID, number: current)
            accessTokens[Array(issue.accessToken.utf8)] = Place(
                session: place.session, number: current, end: end)
            return issue
        }
        sessions[place.session].isOver = true
        return nil
    }

    func user(of accessToken: String, at now: Duration) -> String? {
        guard let place = accessTokens[Array(accessToken.utf8)], now < place.end,
            !sessions[place.session].isOver
        else { return nil }
        return sessions[place.session].userID
    }

    /// Ends the sessions that the holder of an access token asks to end.
    mutating func end(_ scope: SignOutScope, from accessToken: String) {
        guard let place = accessTokens[Array(accessToken.utf8)] else { return }
        let own = place.session
        guard scope != .this else {
            sessions[own].isOver = true
            return
        }
        let isOverBefore = sessions[own].isOver
        let userID = Array(sessions[own].userID.utf8)
        end { $0 == userID }
        if scope == .others { sessions[own].isOver = isOverBefore }
    }

    /// Ends the sessions of users, who are given as the bytes of their identifiers.
    mutating func end(_ isMeant: ([UInt8]) -> Bool) {
        for index in sessions.indices where isMeant(Array(sessions[index].userID.utf8)) {
            sessions[index].isOver = true
        }
    }

    private mutating func issue(for session: Int, until end: Duration) -> Issue {
        let userID = sessions[session].userID
        let name = Array(Self.name(userID).utf8)
        let number = counts[name, default: 0] + 1
        counts[name] = number
        sessions[session].numbers.append(number)
        let issue = Issue(userID: userID, number: number)
        let place = Place(session: session, number: number, end: end)
        refreshTokens[Array(issue.refreshToken.utf8)] = place
        accessTokens[Array(issue.accessToken.utf8)] = place
        return issue
    }

    private static func name(_ userID: String) -> String {
        String(
            decoding: userID.utf8.map { (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: ".") },
            as: UTF8.self)
    }
}
