// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The access tokens that a ``SessionManager`` handed out last, with their sessions. It tells
/// whether a token that comes back after a 401 may belong to the present session: another person
/// may have signed in since.
struct HandedOutTokens {
    private static let maximumCount = 8

    private var issued: [(token: AccessToken, sessionID: [UInt8])] = []
    /// The session of the first token that was forgotten.
    private var firstForgottenID: [UInt8]?

    /// Remembers the token of a session, and forgets the oldest if there are too many.
    mutating func remember(_ session: StoredSession) {
        guard issued.last?.token != session.accessToken else { return }
        issued.append((session.accessToken, session.id))
        guard issued.count > Self.maximumCount else { return }
        firstForgottenID = firstForgottenID ?? issued.first?.sessionID
        issued.removeFirst()
    }

    /// Whether a token may belong to this session. An unknown token may, unless a token of another
    /// session has been forgotten: then the unknown token may be another person's.
    func mayHold(_ token: AccessToken, of session: StoredSession) -> Bool {
        let id = issued.last(where: { $0.token == token })?.sessionID ?? firstForgottenID
        return id == nil || id == session.id
    }
}
