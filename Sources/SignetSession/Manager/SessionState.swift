// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Who is signed in, as far as this client knows.
public enum SessionState: Sendable, Equatable {
    /// Nothing has been looked at: ``SessionManager/start()`` has not answered yet.
    case checking
    /// There is a session. It may need a refresh, which the network may not allow just now.
    case signedIn(SessionUser)
    /// Nobody: the store certainly has no session.
    case signedOut(SignedOutReason)
    /// The store is locked: there may be one.
    case locked
    /// The store cannot be read, or what it holds is damaged; nothing is removed because of that.
    case unavailable(StoreError)
}

/// Why there is no session.
public enum SignedOutReason: Sendable, Hashable {
    /// None was found.
    case noSession
    /// ``SessionManager/signOut(_:)`` was called here.
    case signedOutHere
    /// Another program or process removed it.
    case removedElsewhere
    /// The server said that it is over.
    case endedByServer
}

/// Whose session it is.
public struct SessionUser: Sendable, Equatable {
    /// As the server names them. Not printed: it may be personal.
    public let id: String
    /// What ``SessionGrant/profile`` brought last.
    public let profile: String?

    /// Compares bytes.
    public static func == (a: Self, b: Self) -> Bool {
        a.id.utf8.elementsEqual(b.id.utf8) && (a.profile == nil) == (b.profile == nil)
            && (a.profile ?? "").utf8.elementsEqual((b.profile ?? "").utf8)
    }
}

extension SessionUser: Redacted {}

/// What happened to a session, in order.
public enum SessionEvent: Sendable, Equatable {
    /// The state; the first event of every listener, and then each other one that it becomes.
    case state(SessionState)
    /// There is a new access token, which the store keeps already.
    case refreshed
    /// There is none yet. The session stays, and the manager tries again by itself.
    case refreshFailed(SessionError)
}
